use crd_conv::Versioned;

#[derive(Versioned)]
#[versioned(removed(TimedOut = Pending))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Active)]
    Running,
    #[versioned(added(shown_as = Pending))]
    Paused,
}

fn main() {}
