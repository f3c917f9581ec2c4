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
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase, removed(Active = Pending))]
pub enum Other {
    Pending,
}

fn main() {}
