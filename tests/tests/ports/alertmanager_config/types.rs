//! The types of both versions.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::receivers::receivers;

#[derive(Versioned)]
#[versioned(resource(
    group = "monitoring.coreos.com",
    plural = "alertmanagerconfigs",
    short_name = "amcfg",
    category = "prometheus-operator",
    scope = "Namespaced"
))]
pub(crate) enum AlertmanagerConfig {
    #[versioned(storage)]
    V1alpha1 {
        spec: v1alpha1::AlertmanagerConfigSpec,
    },
    V1beta1 {
        spec: v1beta1::AlertmanagerConfigSpec,
    },
}

/// What both versions have.
pub(crate) mod common {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct CoreSecret {
        name: Option<String>,
        key: String,
        optional: Option<bool>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct SecretOrConfigMap {
        secret: Option<CoreSecret>,
        config_map: Option<CoreSecret>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Authorization {
        r#type: Option<String>,
        credentials: Option<CoreSecret>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct BasicAuth {
        username: Option<CoreSecret>,
        password: Option<CoreSecret>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct OAuth2 {
        client_id: SecretOrConfigMap,
        client_secret: CoreSecret,
        token_url: String,
        scopes: Option<Vec<String>>,
        endpoint_params: Option<BTreeMap<String, String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct TlsConfig {
        ca: Option<SecretOrConfigMap>,
        cert: Option<SecretOrConfigMap>,
        key_secret: Option<CoreSecret>,
        server_name: Option<String>,
        insecure_skip_verify: Option<bool>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Sigv4 {
        region: Option<String>,
        access_key: Option<CoreSecret>,
        secret_key: Option<CoreSecret>,
        profile: Option<String>,
        role_arn: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct KeyValue {
        key: String,
        value: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct PagerDutyImage {
        src: Option<String>,
        href: Option<String>,
        alt: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct PagerDutyLink {
        href: Option<String>,
        alt: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct SlackField {
        title: String,
        value: String,
        short: Option<bool>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct SlackAction {
        r#type: String,
        text: String,
        url: Option<String>,
        style: Option<String>,
        name: Option<String>,
        value: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Responder {
        id: Option<String>,
        name: Option<String>,
        username: Option<String>,
        r#type: String,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct MuteTimeInterval {
        name: String,
        time_intervals: Option<Vec<TimeInterval>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct TimeInterval {
        times: Option<Vec<TimeRange>>,
        weekdays: Option<Vec<String>>,
        days_of_month: Option<Vec<DayOfMonthRange>>,
        months: Option<Vec<String>>,
        years: Option<Vec<String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct TimeRange {
        start_time: Option<String>,
        end_time: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct DayOfMonthRange {
        start: Option<i32>,
        end: Option<i32>,
    }

    #[derive(Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub(crate) enum MatchType {
        #[serde(rename = "=")]
        Equal,
        #[serde(rename = "!=")]
        NotEqual,
        #[serde(rename = "=~")]
        Regexp,
        #[serde(rename = "!~")]
        NotRegexp,
    }
}

pub(crate) mod v1alpha1 {
    use super::{common::*, *};

    receivers!();

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AlertmanagerConfigSpec {
        route: Option<Route>,
        receivers: Option<Vec<Receiver>>,
        inhibit_rules: Option<Vec<InhibitRule>>,
        mute_time_intervals: Option<Vec<MuteTimeInterval>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Secret {
        name: String,
        key: String,
        optional: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct OpsGenieConfig {
        send_resolved: Option<bool>,
        api_key: Option<Secret>,
        #[serde(rename = "apiURL")]
        api_url: Option<String>,
        message: Option<String>,
        description: Option<String>,
        source: Option<String>,
        tags: Option<String>,
        note: Option<String>,
        priority: Option<String>,
        update_alerts: Option<bool>,
        details: Option<Vec<KeyValue>>,
        responders: Option<Vec<Responder>>,
        http_config: Option<HttpConfig>,
        entity: Option<String>,
        actions: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Matcher {
        name: String,
        value: Option<String>,
        match_type: Option<MatchType>,
        regex: Option<bool>,
    }
}

pub(crate) mod v1beta1 {
    use crd_conv::{ConvertError, Converter};

    use super::{common::*, *};

    receivers!(v1alpha1);

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1alpha1::AlertmanagerConfigSpec)]
    pub(crate) struct AlertmanagerConfigSpec {
        route: Option<Route>,
        receivers: Option<Vec<Receiver>>,
        inhibit_rules: Option<Vec<InhibitRule>>,
        #[versioned(renamed_from = mute_time_intervals)]
        time_intervals: Option<Vec<MuteTimeInterval>>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = v1alpha1::Secret, removed(optional))]
    pub(crate) struct Secret {
        name: String,
        key: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1alpha1::OpsGenieConfig, removed(update_alerts))]
    pub(crate) struct OpsGenieConfig {
        send_resolved: Option<bool>,
        api_key: Option<Secret>,
        #[serde(rename = "apiURL")]
        api_url: Option<String>,
        message: Option<String>,
        description: Option<String>,
        source: Option<String>,
        tags: Option<String>,
        note: Option<String>,
        priority: Option<String>,
        details: Option<Vec<KeyValue>>,
        responders: Option<Vec<Responder>>,
        http_config: Option<HttpConfig>,
        entity: Option<String>,
        actions: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1alpha1::Matcher,
        map((match_type, regex) <=> match_type, with = MatchTypes, fallback(upgrade = _, downgrade = (_, _))),
    )]
    pub(crate) struct Matcher {
        name: String,
        value: Option<String>,
        match_type: Option<MatchType>,
    }

    /// `regex: true` says what a type says without being one.
    struct MatchTypes;

    type Older = (Option<MatchType>, Option<bool>);

    impl Converter<Older, Option<MatchType>> for MatchTypes {
        fn upgrade(&self, (ty, regex): Older) -> Result<Option<MatchType>, ConvertError> {
            Ok(ty.or(match regex {
                Some(true) => Some(MatchType::Regexp),
                Some(false) | None => Some(MatchType::Equal),
            }))
        }

        fn downgrade(&self, ty: Option<MatchType>) -> Result<Older, ConvertError> {
            Ok((ty, None))
        }
    }
}
