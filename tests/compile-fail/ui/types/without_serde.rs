use crd_conv::Versioned;

#[derive(Versioned)]
pub struct CronTabSpec {
    pub container: Container,
}

pub struct Container {
    pub image: String,
}

fn main() {}
