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
#[versioned(from = v1beta1::CronTabSpec, removed(owner))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(with(upgrade = look_up, downgrade = look_back))]
    pub cron_spec: String,
}

async fn look_up(older: String) -> String {
    older
}

async fn look_back(newer: String) -> Result<String, std::io::Error> {
    Ok(newer)
}

fn main() {}
