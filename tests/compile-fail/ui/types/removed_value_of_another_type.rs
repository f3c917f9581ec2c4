use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        limit: i32,
        name: String,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, removed(limit = "three", name = 3))]
pub struct CronTabSpec {
    #[versioned(added)]
    pub suspend: Option<bool>,
}

fn main() {}
