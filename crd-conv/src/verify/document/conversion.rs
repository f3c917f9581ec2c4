//! How the document says that objects are converted.

use crate::apiserver::{place::Place, read::Object};
use crate::json::Json;

#[derive(Default)]
pub(crate) struct Conversion {
    pub(crate) strategy: String,
    pub(crate) client_config: Option<ClientConfig>,
    pub(crate) review_versions: Vec<String>,
}

pub(crate) struct ClientConfig {
    pub(crate) url: Option<String>,
    pub(crate) service: Option<Service>,
    pub(crate) ca_bundle: Option<Json>,
}

pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) path: Option<String>,
    pub(crate) port: i64,
}

impl Conversion {
    pub(super) fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let strategy = o.text("strategy", place);
        let webhook = o.optional("webhook", place, |json, place| {
            let mut o = Object::new(json, place);
            let config = o.optional("clientConfig", place, ClientConfig::read);
            let versions = o.texts("conversionReviewVersions", place);
            o.finish(place);
            (config, versions)
        });
        o.finish(place);
        let (client_config, review_versions) = webhook.unwrap_or_default();
        Self { strategy, client_config, review_versions }
    }
}

impl ClientConfig {
    fn read(json: &Json, place: &mut Place) -> Self {
        let mut o = Object::new(json, place);
        let config = Self {
            url: o.optional_text("url", place),
            service: o.optional("service", place, |json, place| {
                let mut o = Object::new(json, place);
                let service = Service {
                    name: o.text("name", place),
                    namespace: o.text("namespace", place),
                    path: o.optional_text("path", place),
                    port: o.integer("port", place).unwrap_or(443),
                };
                o.finish(place);
                service
            }),
            ca_bundle: o.get("caBundle").cloned(),
        };
        o.finish(place);
        config
    }
}
