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
#[versioned(from = v1beta1::CronTabSpec, removed(ower), map(host_prt <=> (host, port), with = HostPort))]
pub struct CronTabSpec {
    pub host: String,
    pub port: u16,
    #[versioned(renamed_from = cron_spek)]
    pub schedule: String,
}

pub struct HostPort;

impl Converter<String, (String, u16)> for HostPort {
    fn upgrade(&self, older: String) -> Result<(String, u16), ConvertError> {
        let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.parse()?))
    }
    fn downgrade(&self, (host, port): (String, u16)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

fn main() {}
