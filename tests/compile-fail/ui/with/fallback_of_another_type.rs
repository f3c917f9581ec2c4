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
#[versioned(
    from = v1beta1::CronTabSpec,
    removed(owner),
    map(host_port <=> (host, port), with = HostPort, fallback(upgrade = ("localhost", "80"), downgrade = 80)),
)]
pub struct CronTabSpec {
    pub host: String,
    pub port: i32,
    pub cron_spec: String,
}

struct HostPort;

impl crd_conv::Converter<String, (String, i32)> for HostPort {
    fn upgrade(&self, older: String) -> Result<(String, i32), crd_conv::ConvertError> {
        let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.parse()?))
    }
    fn downgrade(&self, (host, port): (String, i32)) -> Result<String, crd_conv::ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

fn main() {}
