//! The types of four versions.

use std::collections::BTreeMap;

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Versioned)]
#[versioned(resource(
    group = "cert-manager.io",
    plural = "certificates",
    short_name = "cert",
    category = "cert-manager",
    scope = "Namespaced"
))]
pub(crate) enum Certificate {
    V1alpha2 {
        spec: v1alpha2::CertificateSpec,
        status: Option<Status>,
    },
    V1alpha3 {
        spec: v1alpha3::CertificateSpec,
        status: Option<Status>,
    },
    V1beta1 {
        spec: v1beta1::CertificateSpec,
        status: Option<Status>,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::CertificateSpec,
        status: Option<Status>,
    },
}

/// What all versions have.
pub(crate) mod common {
    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct IssuerRef {
        name: String,
        kind: Option<String>,
        group: Option<String>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct SecretTemplate {
        annotations: Option<BTreeMap<String, String>>,
        labels: Option<BTreeMap<String, String>>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct Keystores {
        jks: Option<Keystore>,
        pkcs12: Option<Keystore>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Keystore {
        create: bool,
        password_secret_ref: SecretKeySelector,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) struct SecretKeySelector {
        name: String,
        key: Option<String>,
    }
}

#[derive(Versioned, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    conditions: Option<Vec<Condition>>,
    last_failure_time: Option<String>,
    not_before: Option<String>,
    not_after: Option<String>,
    renewal_time: Option<String>,
    revision: Option<i64>,
    next_private_key_secret_name: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Condition {
    r#type: String,
    status: String,
    last_transition_time: Option<String>,
    reason: Option<String>,
    message: Option<String>,
    observed_generation: Option<i64>,
}

pub(crate) mod v1alpha2 {
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct CertificateSpec {
        subject: Option<Subject>,
        common_name: Option<String>,
        organization: Option<Vec<String>>,
        duration: Option<String>,
        renew_before: Option<String>,
        dns_names: Option<Vec<String>>,
        ip_addresses: Option<Vec<String>>,
        #[serde(rename = "uriSANs")]
        uri_sans: Option<Vec<String>>,
        #[serde(rename = "emailSANs")]
        email_sans: Option<Vec<String>>,
        secret_name: String,
        secret_template: Option<SecretTemplate>,
        keystores: Option<Keystores>,
        issuer_ref: IssuerRef,
        #[serde(rename = "isCA")]
        is_ca: Option<bool>,
        usages: Option<Vec<String>>,
        key_size: Option<i64>,
        key_algorithm: Option<KeyAlgorithm>,
        key_encoding: Option<KeyEncoding>,
        private_key: Option<PrivateKey>,
        encode_usages_in_request: Option<bool>,
        revision_history_limit: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Subject {
        countries: Option<Vec<String>>,
        organizational_units: Option<Vec<String>>,
        localities: Option<Vec<String>>,
        provinces: Option<Vec<String>>,
        street_addresses: Option<Vec<String>>,
        postal_codes: Option<Vec<String>>,
        serial_number: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum KeyAlgorithm {
        Rsa,
        Ecdsa,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum KeyEncoding {
        Pkcs1,
        Pkcs8,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct PrivateKey {
        pub(crate) rotation_policy: Option<RotationPolicy>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(crate) enum RotationPolicy {
        Never,
        Always,
    }
}

pub(crate) mod v1alpha3 {
    use super::{common::*, v1alpha2::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1alpha2::CertificateSpec, moved(organization => subject.organizations))]
    pub(crate) struct CertificateSpec {
        subject: Option<Subject>,
        common_name: Option<String>,
        duration: Option<String>,
        renew_before: Option<String>,
        dns_names: Option<Vec<String>>,
        ip_addresses: Option<Vec<String>>,
        #[serde(rename = "uriSANs")]
        uri_sans: Option<Vec<String>>,
        #[serde(rename = "emailSANs")]
        email_sans: Option<Vec<String>>,
        secret_name: String,
        secret_template: Option<SecretTemplate>,
        keystores: Option<Keystores>,
        issuer_ref: IssuerRef,
        #[serde(rename = "isCA")]
        is_ca: Option<bool>,
        usages: Option<Vec<String>>,
        key_size: Option<i64>,
        key_algorithm: Option<KeyAlgorithm>,
        key_encoding: Option<KeyEncoding>,
        private_key: Option<PrivateKey>,
        encode_usages_in_request: Option<bool>,
        revision_history_limit: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1alpha2::Subject)]
    pub(crate) struct Subject {
        #[versioned(added)]
        organizations: Option<Vec<String>>,
        countries: Option<Vec<String>>,
        organizational_units: Option<Vec<String>>,
        localities: Option<Vec<String>>,
        provinces: Option<Vec<String>>,
        street_addresses: Option<Vec<String>>,
        postal_codes: Option<Vec<String>>,
        serial_number: Option<String>,
    }
}

pub(crate) mod v1beta1 {
    use super::v1alpha2::RotationPolicy;
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = v1alpha3::CertificateSpec,
        moved(
            key_algorithm => private_key.algorithm,
            key_encoding => private_key.encoding,
            key_size => private_key.size,
        ),
    )]
    pub(crate) struct CertificateSpec {
        subject: Option<v1alpha3::Subject>,
        common_name: Option<String>,
        duration: Option<String>,
        renew_before: Option<String>,
        dns_names: Option<Vec<String>>,
        ip_addresses: Option<Vec<String>>,
        #[serde(rename = "uriSANs")]
        uri_sans: Option<Vec<String>>,
        #[serde(rename = "emailSANs")]
        email_sans: Option<Vec<String>>,
        secret_name: String,
        secret_template: Option<SecretTemplate>,
        keystores: Option<Keystores>,
        issuer_ref: IssuerRef,
        #[serde(rename = "isCA")]
        is_ca: Option<bool>,
        usages: Option<Vec<String>>,
        private_key: Option<PrivateKey>,
        encode_usages_in_request: Option<bool>,
        revision_history_limit: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1alpha2::PrivateKey)]
    pub(crate) struct PrivateKey {
        rotation_policy: Option<RotationPolicy>,
        #[versioned(added)]
        encoding: Option<KeyEncoding>,
        #[versioned(added)]
        algorithm: Option<KeyAlgorithm>,
        #[versioned(added)]
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "UPPERCASE")]
    #[versioned(from = v1alpha2::KeyAlgorithm)]
    pub(crate) enum KeyAlgorithm {
        Rsa,
        Ecdsa,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "UPPERCASE")]
    #[versioned(from = v1alpha2::KeyEncoding)]
    pub(crate) enum KeyEncoding {
        Pkcs1,
        Pkcs8,
    }
}

pub(crate) mod v1 {
    use super::v1alpha2::RotationPolicy;
    use super::v1beta1::{KeyAlgorithm, KeyEncoding};
    use super::{common::*, *};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::CertificateSpec)]
    pub(crate) struct CertificateSpec {
        subject: Option<v1alpha3::Subject>,
        common_name: Option<String>,
        duration: Option<String>,
        renew_before: Option<String>,
        dns_names: Option<Vec<String>>,
        ip_addresses: Option<Vec<String>>,
        #[versioned(renamed_from = uri_sans)]
        uris: Option<Vec<String>>,
        #[versioned(renamed_from = email_sans)]
        email_addresses: Option<Vec<String>>,
        secret_name: String,
        secret_template: Option<SecretTemplate>,
        keystores: Option<Keystores>,
        issuer_ref: IssuerRef,
        #[serde(rename = "isCA")]
        is_ca: Option<bool>,
        usages: Option<Vec<String>>,
        private_key: Option<PrivateKey>,
        encode_usages_in_request: Option<bool>,
        revision_history_limit: Option<i32>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = v1beta1::PrivateKey)]
    pub(crate) struct PrivateKey {
        rotation_policy: Option<RotationPolicy>,
        encoding: Option<KeyEncoding>,
        algorithm: Option<Algorithm>,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = KeyAlgorithm)]
    pub(crate) enum Algorithm {
        #[serde(rename = "RSA")]
        Rsa,
        #[serde(rename = "ECDSA")]
        Ecdsa,
        #[versioned(added(shown_as = Ecdsa))]
        Ed25519,
    }
}
