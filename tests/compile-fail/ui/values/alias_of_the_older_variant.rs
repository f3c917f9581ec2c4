use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize)]
    pub enum Phase {
        #[serde(alias = "Waiting")]
        Pending,
        #[serde(alias = "Running")]
        Active,
        #[serde(alias = "Late")]
        TimedOut,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Phase, removed(TimedOut = Pending))]
pub enum Phase {
    Pending,
    #[versioned(renamed_from = Active)]
    Running,
}

fn main() {}
