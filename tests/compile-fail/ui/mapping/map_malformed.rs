use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec,
    map(owner => contact, with = A),
    map(() <=> (a), with = A),
    map(cron_spec <=> schedule),
    map(cron_spec <=> schedule, with(upgrade = up)),
    map(cron_spec <=> schedule, with(upgrade = |x| x, downgrade = down)),
    map(cron_spec <=> schedule, with = "A"),
)]
pub struct CronTabSpec {
    pub host_port: String,
    pub schedule: String,
}

fn main() {}
