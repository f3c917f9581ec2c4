use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        limit: Option<i32>,
        schedule: String,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    pub limit: i32,
    pub schedule: Option<String>,
}

fn main() {}
