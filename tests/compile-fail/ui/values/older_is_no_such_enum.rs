use crd_conv::Versioned;

mod v1beta1 {
    pub enum Phase {
        Pending,
    }

    #[derive(crd_conv::Versioned)]
    pub struct Spec {
        size: i32,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase)]
pub enum Phase {
    Pending,
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Spec)]
pub enum Spec {
    Pending,
}

#[derive(Versioned)]
#[versioned(from = Spec)]
pub struct Later {
    size: i32,
}

fn main() {}
