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
#[versioned(from = v1beta1::Phase, removed(TimedOut))]
pub enum Phase {
    Pending,
    Active,
    #[versioned(added)]
    Paused,
    #[versioned(added())]
    Stopped,
    #[versioned(added(shown_as))]
    Gone,
    #[versioned(added(show_as = Active))]
    Lost,
}

fn main() {}
