pub mod options {
    //! The versions of options.example.com.
    #![allow(
        clippy::doc_lazy_continuation,
        clippy::doc_markdown,
        clippy::struct_field_names,
        rustdoc::bare_urls,
        rustdoc::broken_intra_doc_links,
        rustdoc::invalid_codeblock_attributes,
        rustdoc::invalid_html_tags,
        rustdoc::invalid_rust_codeblocks,
        reason = "the descriptions of the CustomResourceDefinition"
    )]
    #![allow(unused_imports, reason = "the module of a version has all of its types")]

    pub mod shared {
        use crd_conv::Versioned;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "lowercase")]
        pub enum Level {
            Low,
            High,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct Reserved {
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("format" = "date-time"))]
            pub since: Option<String>,
            pub r#type: String,
        }
    }

    pub mod v1alpha1 {
        use std::collections::BTreeMap;

        use crd_conv::Versioned;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        pub use super::shared::{Level, Reserved};

        /// What is wanted.
        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct OptionSpec {
            pub both: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub changed: Option<Changed>,
            /// Only here.
            #[schemars(required)]
            pub gone: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub level: Option<Level>,
            /// A text here.
            #[schemars(required)]
            pub limit: Option<String>,
            // import: the values differ between the versions. With an enum, `removed(Old = …)` says what becomes of a value.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("enum" = ["A", "B"]))]
            pub mode: Option<String>,
            /// A condition.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub reserved: Option<Reserved>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub zones: Option<BTreeMap<String, Zone>>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct Changed {
            #[serde(skip_serializing_if = "Option::is_none")]
            pub a: Option<String>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct Zone {
            #[serde(skip_serializing_if = "Option::is_none")]
            pub name: Option<String>,
        }
    }

    pub mod v1beta1 {
        use std::collections::BTreeMap;

        use crd_conv::Versioned;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        use super::super::common::IntOrString;

        pub use super::shared::{Level, Reserved};

        /// What is wanted.
        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[schemars(extend("minProperties" = 1))]
        #[versioned(nullable = false, from = super::v1alpha1::OptionSpec, removed(gone, limit, zones), validation("!has(self.text) || self.text != 'x'", message = r#""x" isn't allowed"#, reason = "FieldValueForbidden", field_path = ".text"))]
        pub struct OptionSpec {
            #[serde(rename = "1st", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub f_1st: Option<String>,
            #[serde(rename = "Self", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub self_: Option<String>,
            #[serde(rename = "_", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub field: Option<String>,
            #[serde(rename = "a-b", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub a_b: Option<String>,
            #[serde(rename = "a_b", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub a_b_2: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, preserve_unknown_fields)]
            pub any: Option<serde_json::Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("items" = {"x-kubernetes-preserve-unknown-fields": true}))]
            #[versioned(added)]
            pub anys: Option<Vec<serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("allOf" = [{"maximum": 4294967295_i64}]))]
            #[versioned(added)]
            pub beyond: Option<i32>,
            pub both: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("x-crd-conv-format" = "byte"))]
            #[versioned(added)]
            pub bytes: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub changed: Option<Changed>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub choice: Option<Choice>,
            #[serde(rename = "clusterIPs", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub cluster_ips: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, default = 0.5)]
            pub double: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, embedded_resource)]
            pub embedded: Option<serde_json::Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, embedded_resource)]
            pub embeddeds: Option<Vec<serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub empty: Option<Empty>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, default = true)]
            pub flag: Option<bool>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("exclusiveMinimum" = 0, "multipleOf" = 0.5, "format" = null))]
            #[versioned(added)]
            pub half: Option<f64>,
            #[serde(rename = "half-open", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub half_open: Option<HalfOpen>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(length(min = 1, max = 8), extend("items" = {"description": "A host.", "maxLength": 63, "type": "string", "x-kubernetes-validations": [{"rule": "self.size() > 1"}]}))]
            #[versioned(added, list_type = "set")]
            pub hosts: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(min = 0, max = 9))]
            #[versioned(added)]
            pub int32: Option<i32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(max = 4294967295_i64))]
            #[versioned(added, default = 7)]
            pub int64: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub kinds: Option<Vec<Kind>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(default = Level::Low)]
            pub level: Option<Level>,
            // import: required in v1beta1 only; an object of another version may lack it. To show a value instead: `added(value = …)`.
            // import: `limit` of v1alpha1 may be `limit` here (a text became a number). Then write:
            //   #[versioned(with = crd_conv::with::Inverse(crd_conv::with::IntText))]   instead of `added`, and no `removed(limit)`
            //   laws: *total* needs `fallback(upgrade = _)`, because the older schema allows any string
            /// A number here.
            #[schemars(required, extend("format" = null))]
            #[versioned(added)]
            pub limit: Option<i64>,
            /// One.
            ///
            /// Two:
            ///   indented
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub lines: Option<String>,
            // import: the values differ between the versions. With an enum, `removed(Old = …)` says what becomes of a value.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("enum" = ["A", "C"]))]
            pub mode: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub nested: Option<BTreeMap<String, Option<Vec<String>>>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, nullable)]
            pub nullable: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("enum" = [1, 2]))]
            #[versioned(added)]
            pub numbers: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, nullable, preserve_unknown_fields)]
            pub open: Option<BTreeMap<String, serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(min = -1), extend("format" = null))]
            #[versioned(added)]
            pub plain: Option<i64>,
            #[serde(default = "default_1", skip_serializing_if = "Option::is_none")]
            #[schemars(extend("maxLength" = 9, "pattern" = r#"^\d+%?$"#))]
            #[versioned(added, int_or_string)]
            pub port: Option<IntOrString>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, list_type = "atomic")]
            pub ports: Option<Vec<IntOrString>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("anyOf" = [{"pattern": "^a"}, {"pattern": "^b"}], "not" = {"enum": ["ab"]}))]
            #[versioned(added)]
            pub prefixed: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("maxProperties" = 8, "additionalProperties" = {"pattern": "^a", "x-kubernetes-int-or-string": true}))]
            #[versioned(added, map_type = "granular")]
            pub quantities: Option<BTreeMap<String, IntOrString>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub r#ref: Option<String>,
            /// A condition.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub reserved: Option<Reserved>,
            #[serde(rename = "self", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub self_2: Option<String>,
            #[serde(default = "default_2", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub service: Option<Service>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub single: Option<f32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(description = "  # not a title\n\twith a tab \n\n\n", length(min = 1, max = 63), regex(pattern = r#"^"[a-z]\d+$"#))]
            #[versioned(added)]
            pub text: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("format" = "date-time"))]
            #[versioned(added)]
            pub time: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub r#type: Option<String>,
            #[serde(default = "default_3", skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub words: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added, list_map_keys(name))]
            pub zones: Option<Vec<OptionSpecZone>>,
        }

        fn default_1() -> Option<IntOrString> {
            serde_json::from_str("8080").ok()
        }

        fn default_2() -> Option<Service> {
            serde_json::from_str(r#"{"targetPort":8080}"#).ok()
        }

        fn default_3() -> Option<Vec<String>> {
            serde_json::from_str(r#"["a","b"]"#).ok()
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct OptionStatus {
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(list_map_keys(r#type))]
            pub conditions: Option<Vec<Condition>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub replicas: Option<i32>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false, from = super::v1alpha1::Changed, map_type = "atomic")]
        pub struct Changed {
            #[serde(skip_serializing_if = "Option::is_none")]
            pub a: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(added)]
            pub b: Option<String>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[schemars(extend("oneOf" = [{"required": ["left"]}, {"required": ["right"]}]))]
        #[versioned(nullable = false)]
        pub struct Choice {
            #[serde(skip_serializing_if = "Option::is_none")]
            pub left: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub right: Option<String>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct Empty {
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct HalfOpen {
            #[serde(skip_serializing_if = "Option::is_none")]
            pub others: Option<String>,
            #[serde(flatten)]
            #[versioned(preserve_unknown_fields)]
            pub others_2: BTreeMap<String, serde_json::Value>,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        pub enum Kind {
            #[serde(rename = "")]
            Empty,
            #[serde(rename = "foo")]
            Foo2,
            Foo,
            #[serde(rename = "1st")]
            N1st,
            #[serde(rename = "self")]
            SelfValue,
        }

        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[versioned(nullable = false)]
        pub struct Service {
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(default = "TCP")]
            pub protocol: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub target_port: Option<i32>,
        }

        /// A zone.
        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct OptionSpecZone {
            pub name: String,
        }

        /// A condition.
        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(nullable = false)]
        pub struct Condition {
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("format" = "date-time"))]
            pub since: Option<String>,
            pub r#type: String,
        }
    }

    pub mod v1 {
        use std::collections::BTreeMap;

        use crd_conv::Versioned;
        use schemars::JsonSchema;
        use serde::{Deserialize, Serialize};

        use super::super::common::IntOrString;

        pub use super::shared::{Level, Reserved};
        pub use super::v1beta1::{Changed, Choice, Condition, Empty, HalfOpen, Kind, OptionSpecZone, OptionStatus, Service};

        /// What is wanted.
        #[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]
        #[schemars(extend("minProperties" = 1))]
        #[versioned(nullable = false, from = super::v1beta1::OptionSpec, validation("!has(self.text) || self.text != 'x'", message = r#""x" isn't allowed"#, reason = "FieldValueForbidden", field_path = ".text"))]
        pub struct OptionSpec {
            #[serde(rename = "1st", skip_serializing_if = "Option::is_none")]
            pub f_1st: Option<String>,
            #[serde(rename = "Self", skip_serializing_if = "Option::is_none")]
            pub self_: Option<String>,
            #[serde(rename = "_", skip_serializing_if = "Option::is_none")]
            pub field: Option<String>,
            #[serde(rename = "a-b", skip_serializing_if = "Option::is_none")]
            pub a_b: Option<String>,
            #[serde(rename = "a_b", skip_serializing_if = "Option::is_none")]
            pub a_b_2: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(preserve_unknown_fields)]
            pub any: Option<serde_json::Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("items" = {"x-kubernetes-preserve-unknown-fields": true}))]
            pub anys: Option<Vec<serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("allOf" = [{"maximum": 4294967295_i64}]))]
            pub beyond: Option<i32>,
            pub both: String,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("x-crd-conv-format" = "byte"))]
            pub bytes: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub changed: Option<Changed>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub choice: Option<Choice>,
            #[serde(rename = "clusterIPs", skip_serializing_if = "Option::is_none")]
            pub cluster_ips: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(default = 0.5)]
            pub double: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(embedded_resource)]
            pub embedded: Option<serde_json::Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(embedded_resource)]
            pub embeddeds: Option<Vec<serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub empty: Option<Empty>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(default = true)]
            pub flag: Option<bool>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("exclusiveMinimum" = 0, "multipleOf" = 0.5, "format" = null))]
            pub half: Option<f64>,
            #[serde(rename = "half-open", skip_serializing_if = "Option::is_none")]
            pub half_open: Option<HalfOpen>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(length(min = 1, max = 8), extend("items" = {"description": "A host.", "maxLength": 63, "type": "string", "x-kubernetes-validations": [{"rule": "self.size() > 1"}]}))]
            #[versioned(list_type = "set")]
            pub hosts: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(min = 0, max = 9))]
            pub int32: Option<i32>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(max = 4294967295_i64))]
            #[versioned(default = 7)]
            pub int64: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub kinds: Option<Vec<Kind>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(default = Level::Low)]
            pub level: Option<Level>,
            /// A number here.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("format" = null))]
            pub limit: Option<i64>,
            /// One.
            ///
            /// Two:
            ///   indented
            #[serde(skip_serializing_if = "Option::is_none")]
            pub lines: Option<String>,
            // import: the values differ between the versions. With an enum, `removed(Old = …)` says what becomes of a value.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("enum" = ["A", "C"]))]
            pub mode: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub nested: Option<BTreeMap<String, Option<Vec<String>>>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(nullable)]
            pub nullable: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("enum" = [1, 2]))]
            pub numbers: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(nullable, preserve_unknown_fields)]
            pub open: Option<BTreeMap<String, serde_json::Value>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(range(min = -1), extend("format" = null))]
            pub plain: Option<i64>,
            #[serde(default = "default_1", skip_serializing_if = "Option::is_none")]
            #[schemars(extend("maxLength" = 9, "pattern" = r#"^\d+%?$"#))]
            #[versioned(int_or_string)]
            pub port: Option<IntOrString>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(list_type = "atomic")]
            pub ports: Option<Vec<IntOrString>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("anyOf" = [{"pattern": "^a"}, {"pattern": "^b"}], "not" = {"enum": ["ab"]}))]
            pub prefixed: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("maxProperties" = 8, "additionalProperties" = {"pattern": "^a", "x-kubernetes-int-or-string": true}))]
            #[versioned(map_type = "granular")]
            pub quantities: Option<BTreeMap<String, IntOrString>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub r#ref: Option<String>,
            /// A condition.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub reserved: Option<Reserved>,
            #[serde(rename = "self", skip_serializing_if = "Option::is_none")]
            pub self_2: Option<String>,
            #[serde(default = "default_2", skip_serializing_if = "Option::is_none")]
            pub service: Option<Service>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub single: Option<f32>,
            // import: required in v1 only; an object of another version may lack it. To show a value instead: `added(value = …)`.
            #[schemars(description = "  # not a title\n\twith a tab \n\n\n", required, length(min = 1, max = 63), regex(pattern = r#"^"[a-z]\d+$"#))]
            pub text: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schemars(extend("format" = "date-time"))]
            pub time: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub r#type: Option<String>,
            #[serde(default = "default_3", skip_serializing_if = "Option::is_none")]
            pub words: Option<Vec<String>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            #[versioned(list_map_keys(name))]
            pub zones: Option<Vec<OptionSpecZone>>,
        }

        fn default_1() -> Option<IntOrString> {
            serde_json::from_str("8080").ok()
        }

        fn default_2() -> Option<Service> {
            serde_json::from_str(r#"{"targetPort":8080}"#).ok()
        }

        fn default_3() -> Option<Vec<String>> {
            serde_json::from_str(r#"["a","b"]"#).ok()
        }
    }

    #[derive(crd_conv::Versioned)]
    #[versioned(resource(
        group = "example.com",
        plural = "options",
        scope = "Namespaced",
        kind = "Option",
        singular = "choice",
        list_kind = "Options",
        short_name = "opt",
        category = "all",
        label("team" = "a.b"),
        annotation("example.com/note" = "kept"),
    ))]
    #[allow(clippy::large_enum_variant, reason = "only a declaration")]
    pub enum OptionResource {
        /// What could be chosen.
        #[versioned(served = false, deprecated = "use v1")]
        V1alpha1 {
            spec: v1alpha1::OptionSpec,
        },
        V1beta1 {
            spec: Option<v1beta1::OptionSpec>,
            #[versioned(added)]
            status: Option<v1beta1::OptionStatus>,
        },
        /// What can be chosen.
        ///
        /// # One of many
        #[versioned(storage)]
        #[versioned(scale(spec_replicas_path = ".spec.int32", status_replicas_path = ".status.replicas"))]
        #[versioned(printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp"))]
        #[versioned(printer_column(name = "Text", type = "string", json_path = ".spec.text", description = r#"The "text"."#, priority = 1))]
        #[versioned(selectable_field = ".spec.both")]
        #[versioned(validation("self.metadata.name.size() < 53"))]
        V1 {
            spec: v1::OptionSpec,
            status: Option<v1::OptionStatus>,
        },
    }
}

pub mod common {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    // An integer or a string. A doc comment would become the description of its fields.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum IntOrString {
        Int(i64),
        String(String),
    }
}
