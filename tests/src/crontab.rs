//! The CronTab of the Kubernetes documentation, without defaults, and with a converter that panics.

use crd_conv::{ConvertError, Converter, Versioned};

pub mod v1beta1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTab {
        host_port: String,
    }
}

pub mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::CronTab,
        map(host_port <=> (host, port), with = super::HostPort),
    )]
    pub struct CronTab {
        host: String,
        port: String,
    }
}

/// `host:port` in one string.
pub struct HostPort;

impl Converter<String, (String, String)> for HostPort {
    fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
        assert!(older != "panic", "no such host");
        let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.to_owned()))
    }

    fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
pub enum CronTab {
    #[versioned(storage)]
    V1beta1(v1beta1::CronTab),
    V1(v1::CronTab),
}
