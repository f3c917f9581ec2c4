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
#[versioned(from = v1beta1::Phase, removed(TimedOut = "Pending"))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = "Active")]
    Running,
    #[versioned(added(shown_as = Phase::Active))]
    Paused,
}

fn main() {}
