use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub enum Phase {
        Pending,
        Active,
        TimedOut,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase)]
pub enum Phase {
    Pending,
    Active,
    TimedOut,
    Paused,
}

fn main() {}
