use crd_conv::Versioned;

#[derive(Versioned)]
pub struct CronTabV1beta1(String, String);

/// What is wrong with the older type isn't said again.
#[derive(Versioned)]
#[versioned(from = CronTabV1beta1, removed(cron_spec))]
pub struct CronTabV1 {
    pub host: String,
    #[versioned(renamed_from = owner)]
    pub contact: Option<String>,
}

fn main() {}
