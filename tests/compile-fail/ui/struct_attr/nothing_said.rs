use crd_conv::Versioned;

#[derive(Versioned)]
#[versioned]
pub struct CronTabSpec {
    pub suspend: Option<bool>,
}

fn main() {}
