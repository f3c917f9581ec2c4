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
#[versioned(from = v1beta1::Phase, removed(TimedOut = Activ, Active = Nothing))]
pub enum Phase {
    Pending,
    #[versioned(added(shown_as = Active))]
    Activ2,
}

fn main() {}
