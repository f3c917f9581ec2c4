use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub enum Phase {
        #[versioned(storage)]
        Pending,
        Active,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase, removed(Gone = Pending))]
pub enum Phase {
    Pending,
    Paused,
}

fn main() {}
