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
#[versioned(from = v1beta1::CronTabSpec, removed(owner), map(host_port <=> (host, port), with(upgrade = split, downgrade = join)))]
pub struct CronTabSpec {
    pub host: String,
    pub port: String,
    pub cron_spec: String,
}

fn split(host_port: String) -> Result<(String, u16), std::num::ParseIntError> {
    Ok((host_port, 80))
}

fn join((host, port): (String, u16)) -> String {
    format!("{host}:{port}")
}

fn main() {}
