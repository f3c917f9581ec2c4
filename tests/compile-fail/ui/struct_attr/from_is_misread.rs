use crd_conv::Versioned;

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct Spec {
        pub size: i64,
        pub owner: Option<String>,
    }

    #[derive(crd_conv::Versioned)]
    pub enum Phase {
        Old,
    }
}

// What else speaks of the older version is no mistake of its own.
#[derive(Versioned)]
#[versioned(form = v1::Spec, removed(owner))]
pub struct Misspelt {
    #[versioned(renamed_from = size)]
    pub replicas: i64,
    #[versioned(added)]
    pub suspend: Option<bool>,
}

#[derive(Versioned)]
#[versioned(from = "v1::Spec", removed(owner))]
pub struct Quoted {
    #[versioned(renamed_from = size)]
    pub replicas: i64,
}

#[derive(Versioned)]
#[versioned(from: v1::Spec)]
pub struct WithColon {
    #[versioned(renamed_from = size)]
    pub replicas: i64,
}

#[derive(Versioned)]
#[versioned(from = v1::Spec as Older)]
pub struct WithAs {
    #[versioned(renamed_from = size)]
    pub replicas: i64,
}

#[derive(Versioned)]
#[versioned(fron = v1::Phase)]
pub enum Phase {
    #[versioned(renamed_from = Old)]
    New,
    #[versioned(added(shown_as = Old))]
    Newer,
}

fn main() {}
