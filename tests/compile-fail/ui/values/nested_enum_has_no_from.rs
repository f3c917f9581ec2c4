use crd_conv::Versioned;

#[derive(Versioned, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    Pending,
}

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub enum Phase {
        Pending,
    }

    #[derive(crd_conv::Versioned)]
    pub struct Spec {
        phases: Vec<Option<Phase>>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Spec)]
pub struct Spec {
    phases: Vec<Option<Phase>>,
}

fn main() {}
