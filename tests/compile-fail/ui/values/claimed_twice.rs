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
#[versioned(from = v1beta1::Phase, removed(TimedOut = Pending, Active = Pending))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Active)]
    Running,
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase, removed(TimedOut = Pending, Active = Pending))]
pub enum Other {
    Pending,
    Active,
}

fn main() {}
