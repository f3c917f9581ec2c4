use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct BudgetSpec {
        pub policy: String,
        pub level: Option<String>,
    }
}

#[derive(Serialize, Deserialize, Versioned)]
pub enum Policy {
    Keep,
    Drop,
}

#[derive(Versioned)]
#[versioned(from = v1::BudgetSpec)]
pub struct BudgetSpec {
    pub policy: Policy,
    pub level: Option<Policy>,
}

fn main() {}
