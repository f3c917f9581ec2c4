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
#[versioned(from = v1beta1::Phase, renamed_from = Active, storag, removed)]
pub enum Phase {
    #[versioned(storage)]
    Pending,
    #[versioned(removed(Active = Pending))]
    Active,
    #[versioned(rename_from = TimedOut)]
    TimedOut,
}

#[derive(Versioned)]
#[versioned(resorce(group = "example.com", plural = "phases", scope = "Cluster"))]
pub enum Misspelt {
    Pending,
}

fn main() {}
