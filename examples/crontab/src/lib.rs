//! The CronTab of the Kubernetes documentation, in two versions. Another page of it has one with rules, defaults and a scale
//! subresource: that is in [`stable`].

use crd_conv::{ConvertError, Converter, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod stable;

pub mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct CronTab {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub host_port: String,
    }
}

pub mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::CronTab,
        map((host_port) <=> (host, port), with = HostPort, refuses(upgrade = "the operator runs no other address")),
    )]
    pub struct CronTab {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub host: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pub port: String,
    }
}

/// The resource: its variants are the versions, the oldest first.
#[derive(Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "crontabs",
    short_name = "ct",
    scope = "Namespaced"
))]
pub enum CronTab {
    #[versioned(storage)]
    V1beta1(v1beta1::CronTab),
    V1(v1::CronTab),
}

/// `host:port` in one string.
pub struct HostPort;

impl Converter<String, (String, String)> for HostPort {
    fn upgrade(&self, host_port: String) -> Result<(String, String), ConvertError> {
        let (host, port) = host_port.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.to_owned()))
    }

    fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}
