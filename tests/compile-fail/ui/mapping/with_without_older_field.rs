use crd_conv::{ConvertError, Converter, Versioned};

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, removed(owner, cron_spec = ""))]
pub struct CronTabSpec {
    pub host_port: String,
    #[versioned(with = Upper)]
    pub schedule: String,
}

pub struct Upper;

impl Converter<String, String> for Upper {
    fn upgrade(&self, older: String) -> Result<String, ConvertError> {
        Ok(older.to_uppercase())
    }
    fn downgrade(&self, newer: String) -> Result<String, ConvertError> {
        Ok(newer)
    }
}

fn main() {}
