use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        cron_spec: String,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec)]
pub struct CronTabSpec {
    #[versioned(with = |text: String| text.to_uppercase())]
    pub cron_spec: String,
}

fn main() {}
