use crd_conv::Versioned;

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        pub schedule: String,
    }

    pub trait Scheduled {}
}

#[derive(Versioned)]
#[versioned(from = Option<v1::CronTabSpec>)]
pub struct InOption {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = Vec<v1::CronTabSpec>)]
pub struct InList {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = String)]
pub struct Text {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = v1)]
pub struct Module {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = "v1::CronTabSpec")]
pub struct Quoted {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from(v1::CronTabSpec))]
pub struct InParentheses {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = v1::Scheduled)]
pub struct Trait {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = v1::CronTab)]
pub struct Misspelt {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = std::collections::BTreeMap<String, v1::CronTabSpec>)]
pub enum OfMap {
    Running,
}

fn main() {}
