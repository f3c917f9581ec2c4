//! How objects get from one version to another.

use base64::{
    Engine as _, alphabet,
    engine::{GeneralPurpose, GeneralPurposeConfig},
};

use super::document::{ClientConfig, Conversion, Document, Service};
use crate::apiserver::{
    dns::{LABEL, SUBDOMAIN, is_label, is_subdomain},
    finding::Kind,
    place::Place,
    report::About,
    url,
};
use crate::json::{Json, Number};

pub(super) fn check(document: &Document<'_>, place: &mut Place) {
    let Some(conversion) = &document.conversion else { return };
    place.child("spec", |place| {
        place.child("conversion", |place| {
            match conversion.strategy.as_str() {
                "Webhook" => return webhook(conversion, place),
                "None" => {}
                "" => place.refuse_at("strategy", Kind::Required, "write `Webhook` or `None`"),
                other => place.refuse_at(
                    "strategy",
                    Kind::NotSupported,
                    format!("`{other}` is unknown; write `Webhook` or `None`"),
                ),
            }
            if conversion.client_config.is_some() || !conversion.review_versions.is_empty() {
                place.refuse_at(
                    "webhook",
                    Kind::Forbidden,
                    "only the strategy `Webhook` has one; write `strategy: Webhook`, or remove it",
                );
            }
        });
    });
}

fn webhook(conversion: &Conversion, place: &mut Place) {
    place.child("webhook", |place| {
        place.child("clientConfig", |place| match &conversion.client_config {
            None => place.refuse(Kind::Required, "write the service or the URL of the webhook"),
            Some(config) => client_config(config, place),
        });
        review_versions(&conversion.review_versions, place);
    });
}

fn client_config(config: &ClientConfig, place: &mut Place) {
    match (&config.url, &config.service) {
        (None, None) => place.refuse(Kind::Required, "write the service or the URL of the webhook"),
        (Some(_), Some(_)) => {
            place.refuse(
                Kind::Required,
                "the webhook has both a URL and a service; write one of them",
            );
        }
        (Some(url), None) => place.child("url", |place| check_url(url, place)),
        (None, Some(service)) => place.child("service", |place| check_service(service, place)),
    }
    if let Some(bundle) = &config.ca_bundle {
        place.child("caBundle", |place| ca_bundle(bundle, place));
    }
}

fn ca_bundle(bundle: &Json, place: &mut Place) {
    match bytes(bundle) {
        None => place.refuse(Kind::Malformed, "it isn't base64; write the PEM file in base64"),
        Some(pem) if !pem.is_empty() && !is_pem(&pem) => place.warn(
            About::CaBundle,
            "it contains no certificate in PEM form; the API server accepts it while the resource is new, but can't reach a webhook with it",
        ),
        Some(_) => {}
    }
}

/// Base64, or a list of bytes, which Go reads too.
fn bytes(value: &Json) -> Option<Vec<u8>> {
    match value {
        Json::Text(text) => from_base64(text),
        Json::Array(items) => items
            .iter()
            .map(|item| match item {
                Json::Number(Number::Signed(n)) => u8::try_from(*n).ok(),
                Json::Null => Some(0),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

fn check_url(text: &str, place: &mut Place) {
    let url = match url::parse(text) {
        Ok(url) => url,
        Err(problem) => {
            return place.refuse(
                Kind::Required,
                format!("`{text}` isn't a URL: {problem}; write `https://host/path`"),
            );
        }
    };
    if url.scheme != "https" {
        place.refuse(Kind::Invalid, format!("`{text}` doesn't start with `https://`"));
    }
    if url.host.is_empty() {
        place.refuse(Kind::Invalid, format!("`{text}` names no host; write `https://host/path`"));
    } else if url.host.starts_with(':') {
        place.warn(
            About::Address,
            format!(
                "`{text}` names no host, so the API server calls itself; write `https://host/path`"
            ),
        );
    }
    for (what, found) in [
        ("user", url.user.is_some()),
        ("fragment, `#`", !url.fragment.is_empty()),
        ("query, `?`", !url.query.is_empty()),
    ] {
        if found {
            place.refuse(Kind::Invalid, format!("`{text}` has a {what}; remove it"));
        }
    }
}

fn check_service(service: &Service, place: &mut Place) {
    for (field, value) in [("name", &service.name), ("namespace", &service.namespace)] {
        if value.is_empty() {
            place.refuse_at(field, Kind::Required, format!("write the {field} of the service"));
        }
    }
    if i32::try_from(service.port).is_err() {
        place.refuse_at(
            "port",
            Kind::Malformed,
            format!("{} doesn't fit into 32 bits", service.port),
        );
    } else if !(1..=65535).contains(&service.port) {
        place.refuse_at(
            "port",
            Kind::Invalid,
            format!("{} isn't between 1 and 65535", service.port),
        );
    }
    let path = service.path.as_deref().unwrap_or_default();
    if let Some(problem) = service_path(path) {
        place.refuse_at("path", Kind::Invalid, format!("`{path}` {problem}"));
    }
}

fn service_path(path: &str) -> Option<String> {
    if path.is_empty() {
        return None;
    }
    let Some(rest) = path.strip_prefix('/') else {
        return Some(format!("doesn't start with `/`; write `/{path}`"));
    };
    if rest.is_empty() {
        return None;
    }
    for segment in rest.strip_suffix('/').unwrap_or(rest).split('/') {
        if segment.is_empty() {
            return Some("has an empty segment; write one `/` between two segments".to_owned());
        }
        if !is_subdomain(segment) {
            return Some(format!("has the invalid segment `{segment}`; write {SUBDOMAIN}"));
        }
    }
    None
}

fn review_versions(versions: &[String], place: &mut Place) {
    place.child("conversionReviewVersions", |place| {
        if versions.is_empty() {
            return place.refuse(
                Kind::Required,
                "write the versions of `ConversionReview` that the webhook answers, such as `[v1]`",
            );
        }
        for (i, name) in versions.iter().enumerate() {
            if versions[..i].contains(name) {
                place.index(i, |place| {
                    place.refuse(Kind::Invalid, format!("`{name}` is listed twice; remove one"));
                });
            } else if !is_label(name) {
                place.index(i, |place| {
                    place.refuse(
                        Kind::Invalid,
                        format!("`{name}` isn't a valid name; write {LABEL}"),
                    );
                });
            }
        }
        if !versions.iter().any(|name| name == "v1" || name == "v1beta1") {
            place.refuse(
                Kind::Invalid,
                "neither `v1` nor `v1beta1` is among them; add one that the webhook answers",
            );
        }
    });
}

fn is_pem(pem: &[u8]) -> bool {
    std::str::from_utf8(pem).is_ok_and(|text| {
        text.split_once("-----BEGIN CERTIFICATE-----")
            .is_some_and(|(_, rest)| rest.contains("-----END CERTIFICATE-----"))
    })
}

/// Go's standard encoding: padded, with line breaks anywhere and any bits behind the last byte.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    let digits: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\r' | b'\n')).collect();
    GeneralPurpose::new(&alphabet::STANDARD, config).decode(digits).ok()
}
