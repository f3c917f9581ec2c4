//! On what serde and the server may disagree, and why.

use serde_json::Value;

/// Who says what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Serde reads what the server refuses. What serde then writes must be accepted all the same.
    OnlySerde,
    /// Serde doesn't read what the server stores.
    OnlyServer,
    /// The server refuses what serde writes.
    Written,
    /// The server doesn't keep what serde writes.
    Changed,
}

/// A disagreement that is known.
pub(crate) struct Excuse {
    pub(crate) reason: &'static str,
    side: Side,
    /// What the one says that refuses.
    says: &'static str,
    /// The types; none for all.
    types: &'static [&'static str],
    /// A type, and a value of which the two disagree. It is always tried.
    example: (&'static str, &'static str),
}

impl Excuse {
    pub(crate) fn covers(&self, name: &str, side: Side, said: &str) -> bool {
        self.side == side
            && (self.types.is_empty() || self.types.contains(&name))
            && said.contains(self.says)
    }
}

/// The examples of a type, each as a `spec`.
pub(crate) fn examples(name: &str) -> impl Iterator<Item = Value> {
    let examples = EXCUSES.iter().map(|excuse| excuse.example).filter(move |one| one.0 == name);
    examples.map(|(_, value)| {
        let value: Value = serde_json::from_str(value).expect("invalid test case: no JSON");
        serde_json::json!({ "value": value })
    })
}

pub(crate) const EXCUSES: &[Excuse] = &[
    Excuse {
        reason: "serde makes a set of a list that has an item twice",
        side: Side::OnlySerde,
        says: "Duplicate value",
        types: &[],
        example: ("BTreeSet<String>", r#"["a", "a"]"#),
    },
    Excuse {
        reason: "serde doesn't look at the fields of other variants",
        side: Side::OnlySerde,
        says: "",
        types: &[
            "Adjacent",
            "Clashing",
            "FlattenedNamed",
            "FlattenedTag",
            "FlattenedTwo",
            "Flattening",
            "Holder",
            "Internal",
            "Nested",
            "Option<Internal>",
            "WithDefaults",
            "WithMetadata",
        ],
        example: ("Internal", r#"{"kind": "point", "side": 1}"#),
    },
    Excuse {
        reason: "serde takes the first variant that fits, and doesn't look at other fields",
        side: Side::OnlySerde,
        says: "",
        types: &[
            "Anything",
            "Either<Named, Plain>",
            "NamesOrText",
            "OneOrMany",
            "Structs",
            "WithUntagged",
        ],
        example: ("Structs", r#"{"a": 1, "b": 2}"#),
    },
    Excuse {
        reason: "serde takes a name around null for a variant that is only a name",
        side: Side::OnlySerde,
        says: "Unsupported value",
        types: &["Bound<i32>", "Mixed", "Option<Mixed>"],
        example: ("Mixed", r#"{"Nothing": null}"#),
    },
    Excuse {
        reason: "what doesn't fit a flattened `Option` is `None` to serde",
        side: Side::OnlySerde,
        says: "",
        types: &["FlattenedOption"],
        example: ("FlattenedOption", r#"{"a": true, "firstField": 1, "second": 2}"#),
    },
    Excuse {
        reason: "serde takes a list for a struct",
        side: Side::OnlySerde,
        says: "must be of type object: \"array\"",
        types: &[],
        example: ("One", r#"{"Only": [0]}"#),
    },
    Excuse {
        reason: "`Quantity` takes fractions too, and writes strings",
        side: Side::OnlySerde,
        says: "must be of type integer,string: \"number\"",
        types: &[
            "BTreeMap<String, Quantity>",
            "Container",
            "DeploymentSpec",
            "EnvVar",
            "PodTemplateSpec",
            "Quantity",
            "ResourceRequirements",
            "Volume",
        ],
        example: ("Quantity", "0.5"),
    },
    Excuse {
        reason: "`k8s-openapi` fills in what Go would",
        side: Side::OnlySerde,
        says: "Required value",
        types: &[
            "Affinity",
            "Condition",
            "Container",
            "DeploymentSpec",
            "EnvVar",
            "LabelSelector",
            "LocalObjectReference",
            "ObjectMeta",
            "PodTemplateSpec",
            "ResourceRequirements",
            "Rules",
            "Secret",
            "SecretKeySelector",
            "ServiceSpec",
            "Volume",
        ],
        example: ("LocalObjectReference", "{}"),
    },
    Excuse {
        reason: "the server has no integers beyond those of an `i64`",
        side: Side::OnlySerde,
        says: "Checked value must be of type integer",
        types: &["Duration", "NonZeroU64", "i128", "std::time::SystemTime", "u128", "u64", "usize"],
        example: ("u64", "18446744073709551615"),
    },
    Excuse {
        reason: "the server has no integers beyond those of an `i64`, which serde writes",
        side: Side::Written,
        says: "Checked value must be of type integer",
        types: &["Duration", "NonZeroU64", "i128", "std::time::SystemTime", "u128", "u64", "usize"],
        example: ("Duration", r#"{"secs": 9223372036854775807, "nanos": 1000000000}"#),
    },
    Excuse {
        reason: "the sum of the two fields is bounded",
        side: Side::OnlyServer,
        says: "overflow deserializing",
        types: &["std::time::SystemTime"],
        example: (
            "std::time::SystemTime",
            r#"{"secs_since_epoch": 9223372036854775807, "nanos_since_epoch": 1000000000}"#,
        ),
    },
    Excuse {
        reason: "keys are any strings to the server",
        side: Side::OnlyServer,
        says: "",
        types: &[
            "BTreeMap<IpAddr, bool>",
            "BTreeMap<Names, i32>",
            "BTreeMap<char, BTreeMap<bool, i32>>",
            "BTreeMap<i8, bool>",
            "BTreeMap<uuid::Uuid, bool>",
            "HashMap<u32, String>",
        ],
        example: ("HashMap<u32, String>", r#"{"a": ""}"#),
    },
    Excuse {
        reason: "the server takes any list for a string with a format",
        side: Side::OnlyServer,
        says: "invalid type: sequence, expected ",
        types: &[
            "Condition",
            "DeploymentSpec",
            "Ipv4Addr",
            "Ipv6Addr",
            "MicroTime",
            "ObjectMeta",
            "Option<jiff::Timestamp>",
            "PodTemplateSpec",
            "Secret",
            "Time",
            "chrono::DateTime<chrono::FixedOffset>",
            "chrono::DateTime<chrono::Utc>",
            "chrono::NaiveDate",
            "jiff::SignedDuration",
            "jiff::Span",
            "jiff::Timestamp",
            "jiff::civil::Date",
            "url::Url",
            "uuid::Uuid",
        ],
        example: ("Ipv4Addr", "[true]"),
    },
    Excuse {
        reason: "the server takes null for an item without a type, and drops it only in objects",
        side: Side::OnlyServer,
        says: "expected value",
        types: &["Holder"],
        example: ("Holder", r#"{"all": [null], "by_name": {}}"#),
    },
    Excuse {
        reason: "the integer of an int-or-string has no bounds",
        side: Side::OnlyServer,
        says: "expected a 32-bit integer",
        types: &[
            "Container",
            "DeploymentSpec",
            "IntOrString",
            "Option<IntOrString>",
            "PodTemplateSpec",
            "ServiceSpec",
        ],
        example: ("IntOrString", "2147483648"),
    },
    Excuse {
        reason: "the server takes a large number for an integer though it has a fraction",
        side: Side::OnlyServer,
        says: "",
        types: &[
            "Either<NumberOrText, bool>",
            "IntOrString",
            "NumberOrText",
            "Option<IntOrString>",
            "Option<NumberOrText>",
        ],
        example: ("NumberOrText", "4294967296.5"),
    },
    Excuse {
        reason: "what the type holds of itself is anything to the server",
        side: Side::OnlyServer,
        says: "",
        types: &["Deep", "DeepChain", "DeepSum", "Option<DeepChain>", "Rules", "Tree"],
        example: ("Tree", r#"{"name": "", "children": [1]}"#),
    },
    Excuse {
        reason: "the server looks for a number and a unit anywhere in a duration",
        side: Side::OnlyServer,
        says: "",
        types: &["jiff::SignedDuration", "jiff::Span"],
        example: ("jiff::SignedDuration", r#""1m30sx""#),
    },
    Excuse {
        reason: "the order of a `HashSet` is another one each time",
        side: Side::Changed,
        says: "",
        types: &["HashSet<i64>"],
        example: ("HashSet<i64>", "[1, 2, 3, 4, 5, 6, 7, 8, 9]"),
    },
    Excuse {
        reason: "the server doesn't tell the places of a tuple apart",
        side: Side::OnlyServer,
        says: "",
        types: &[
            "(Empty, Value, i32)",
            "(bool, Option<String>, f64)",
            "(i32, String)",
            "(u8, (i64, bool), Vec<String>)",
            "Either<(i32, bool), (bool, i32)>",
            "Renamed",
            "Tuple",
        ],
        example: ("Tuple", r#"["a", 1]"#),
    },
    Excuse {
        reason: "the server doesn't know the format",
        side: Side::OnlyServer,
        says: "",
        types: &[
            "SocketAddr",
            "chrono::NaiveDateTime",
            "chrono::NaiveTime",
            "jiff::civil::DateTime",
            "jiff::civil::Time",
        ],
        example: ("SocketAddr", r#""a""#),
    },
    Excuse {
        reason: "serde reads only the strings of its own system",
        side: Side::OnlyServer,
        says: "cannot deserialize Windows OS string",
        types: &["OsString"],
        example: ("OsString", r#"{"Windows": []}"#),
    },
    Excuse {
        reason: "`k8s-openapi` takes a `Secret` of its own version only",
        side: Side::OnlyServer,
        says: "expected ",
        types: &["Secret"],
        example: ("Secret", r#"{"kind": "A"}"#),
    },
    Excuse {
        reason: "serde takes any other tag for the variant with `#[serde(other)]`",
        side: Side::OnlySerde,
        says: "",
        types: &["WithOther"],
        example: ("WithOther", r#"{"type": "C"}"#),
    },
    Excuse {
        reason: "only the schema has the bounds of `#[schemars(range(…))]` and `length(…)`",
        side: Side::OnlySerde,
        says: "",
        types: &["Bounded"],
        example: ("Bounded", r#"{"ratio": 1, "count": 4, "text": "a", "list": []}"#),
    },
    Excuse {
        reason: "serde writes what breaks the bounds of `#[schemars(range(…))]` and `length(…)`",
        side: Side::Written,
        says: "",
        types: &["Bounded"],
        example: ("Bounded", r#"{"ratio": 1, "count": 4, "text": "a", "list": []}"#),
    },
    Excuse {
        reason: "serde only writes a field with `skip_deserializing`, which isn't in the schema",
        side: Side::Changed,
        says: "",
        types: &["OneWay"],
        example: ("OneWay", r#"{"new": 1}"#),
    },
    Excuse {
        reason: "serde takes a field by its alias, too",
        side: Side::OnlySerde,
        says: "Required value",
        types: &["OneWay"],
        example: ("OneWay", r#"{"old": 1}"#),
    },
    Excuse {
        reason: "serde takes a variant by its alias, too",
        side: Side::OnlySerde,
        says: "",
        types: &["Renamed"],
        example: ("Renamed", r#""second""#),
    },
    Excuse {
        reason: "the names of days are read in any case",
        side: Side::OnlySerde,
        says: "Unsupported value",
        types: &["chrono::Weekday"],
        example: ("chrono::Weekday", r#""MON""#),
    },
    Excuse {
        reason: "`RawExtension` and `FieldsV1` are any JSON in Rust, and objects to the server",
        side: Side::OnlySerde,
        says: "must be of type object",
        types: &[
            "DeploymentSpec",
            "ObjectMeta",
            "PodTemplateSpec",
            "RawExtension",
            "Secret",
            "Volume",
        ],
        example: ("RawExtension", "1"),
    },
    Excuse {
        reason: "serde writes a `RawExtension` that is no object",
        side: Side::Written,
        says: "must be of type object",
        types: &[
            "DeploymentSpec",
            "ObjectMeta",
            "PodTemplateSpec",
            "RawExtension",
            "Secret",
            "Volume",
        ],
        example: ("RawExtension", "1"),
    },
];
