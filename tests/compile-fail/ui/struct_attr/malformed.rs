use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        pub host_port: String,
        pub cron_spec: String,
        pub owner: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(from, removed, removed(), map, map = owner)]
pub struct CronTabSpec {
    #[versioned(renamed_from)]
    pub host_port: String,
    #[versioned(with)]
    pub cron_spec: String,
    #[versioned(added(value))]
    pub limit: i32,
    #[versioned(added(3))]
    pub queue: String,
}

fn main() {}
