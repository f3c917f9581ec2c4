use crd_conv::Versioned;

#[derive(Versioned)]
#[versioned(removed(owner))]
pub struct CronTabSpec {
    #[versioned(added)]
    pub suspend: Option<bool>,
    #[versioned(renamed_from = cron_spec)]
    pub schedule: String,
}

fn main() {}
