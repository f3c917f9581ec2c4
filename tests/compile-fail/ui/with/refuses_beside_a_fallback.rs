use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
    }
}

#[derive(Versioned)]
#[versioned(
    from = v1beta1::CronTabSpec,
    map(
        host_port <=> (host, port),
        with = HostPort,
        fallback(upgrade = ("localhost", 80), downgrade = "localhost:80"),
        refuses(upgrade = "a reason", downgrade = "a reason"),
    ),
)]
pub struct CronTabSpec {
    pub host: String,
    pub port: i32,
    #[versioned(with = Schedule, fallback(upgrade = "@daily"), refuses(upgrade = "a reason", downgrade = "a reason"))]
    pub cron_spec: String,
}

fn main() {}
