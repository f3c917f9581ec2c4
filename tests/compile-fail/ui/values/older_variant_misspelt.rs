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
#[versioned(from = v1beta1::Phase, removed(TimeOut = Pending))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Activ)]
    Running,
    #[versioned(added(shown_as = Pendign))]
    Paused,
}

fn main() {}
