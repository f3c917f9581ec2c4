//! A resource whose converters make and take values with something inside: nested structs, enums of
//! each representation, lists and maps. Their fields are optional, nullable or not, filled in, or
//! left out. The types have the derive or don't.

use crd_conv::Versioned;

/// Converters between the types of the versions.
pub mod converters {
    use crd_conv::{ConvertError, Converter};

    /// A type that holds a number of kilograms.
    pub trait Holds: Sized {
        /// Makes a value with this number and nothing else.
        fn of(kilo: i64) -> Self;
        /// Returns the number of kilograms.
        fn kilo(&self) -> i64;
    }

    /// Converts grams. Only the kilograms are shown, in any place.
    #[derive(Debug)]
    pub struct Kilos;

    impl<T: Holds> Converter<i64, T> for Kilos {
        fn upgrade(&self, older: i64) -> Result<T, ConvertError> {
            Ok(T::of(older / 1000))
        }

        fn downgrade(&self, newer: T) -> Result<i64, ConvertError> {
            Ok(newer.kilo().saturating_mul(1000))
        }
    }
}

/// The oldest version: all in one number or text.
pub mod v1alpha1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1beta1::{Defaulted, Named};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct ShipmentSpec {
        pub named: i64,
        pub moded: Option<i64>,
        pub defaulted: i64,
        pub skipped: Option<i64>,
        pub deep: i64,
        pub around: i64,
        pub tagged: i64,
        pub beside: i64,
        pub bare: i64,
        pub foreign: i64,
        pub timeout: Option<String>,
        pub config: String,
        pub all_named: Vec<Named>,
        pub first: Vec<Defaulted>,
        #[serde(default)]
        pub loads: Vec<i64>,
        pub parts: Vec<Part>,
    }

    /// An item of a list without keys.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Part {
        pub weight: i64,
        pub note: Option<String>,
    }
}

/// The version with structs.
pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use crd_conv::with::{Each, First, GoDuration, Inverse, JsonText, Then, Wrapped};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::converters::{Holds, Kilos};

    const UNREADABLE: Config = Config { level: None, depth: None };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1alpha1::ShipmentSpec)]
    pub struct ShipmentSpec {
        #[versioned(with = Kilos)]
        pub named: Named,
        #[versioned(with = Kilos)]
        pub moded: Option<Moded>,
        #[versioned(with = Kilos)]
        pub defaulted: Defaulted,
        #[versioned(with = Kilos)]
        pub skipped: Option<Skipped>,
        #[versioned(with = Kilos)]
        pub deep: Deep,
        #[versioned(with = Kilos)]
        pub around: Around,
        #[versioned(with = Kilos)]
        pub tagged: Tagged,
        #[versioned(with = Kilos)]
        pub beside: Beside,
        #[versioned(with = Kilos)]
        pub bare: Bare,
        #[versioned(with = Kilos)]
        pub foreign: Foreign,
        #[versioned(with = Then::<_, _, i64>::new(GoDuration::SECONDS, Wrapped("seconds")),
            refuses(upgrade = "the operator never took anything but durations", downgrade = "nobody waits for centuries"))]
        pub timeout: Option<Limits>,
        #[versioned(with = JsonText, fallback(upgrade = UNREADABLE))]
        pub config: Config,
        #[versioned(with = Inverse(First))]
        pub all_named: Option<Named>,
        #[versioned(with = Inverse(First))]
        pub first: Option<Defaulted>,
        /// Of which some items are as they were after an edit, and others aren't.
        #[serde(default)]
        #[versioned(with = Each(Kilos))]
        pub loads: Vec<Named>,
        pub parts: Vec<Part>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Part)]
    pub struct Part {
        #[versioned(with = Kilos)]
        pub weight: Deep,
        pub note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    pub enum Mode {
        Fast,
        Slow,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    pub struct Named {
        pub kilo: i64,
        #[versioned(nullable = false)]
        pub name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Moded {
        pub kilo: i64,
        pub mode: Option<Mode>,
        /// Null is a value of its own.
        pub note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq)]
    pub struct Defaulted {
        pub kilo: i64,
        #[versioned(default = "x", nullable = false)]
        pub name: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Skipped {
        pub kilo: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[versioned(default = "x")]
        pub name: Option<String>,
        #[serde(default = "two", skip_serializing_if = "is_two")]
        pub count: i64,
    }

    const fn two() -> i64 {
        2
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
    const fn is_two(count: &i64) -> bool {
        *count == 2
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Deep {
        pub inner: Inner,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Inner {
        pub kilo: i64,
        pub list: Vec<Named>,
        pub map: BTreeMap<String, Skipped>,
        pub choice: Option<Around>,
        #[serde(flatten)]
        pub flat: Flat,
        #[serde(default)]
        pub more: More,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub struct Flat {
        #[versioned(nullable = false)]
        pub flat: Option<i64>,
        #[versioned(default = 7)]
        pub filled: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub struct More {
        #[versioned(default = Mode::Fast)]
        pub mode: Option<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum Around {
        Named(Named),
        Held { kilo: i64, mode: Option<Mode> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    pub enum Tagged {
        Named(Named),
        Held { kilo: i64, mode: Option<Mode> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(tag = "type", content = "content")]
    pub enum Beside {
        Named(Named),
        Held { kilo: i64, mode: Option<Mode> },
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(untagged)]
    pub enum Bare {
        Held { kilo: i64, mode: Option<Mode> },
        Number(i64),
    }

    /// Without the derive, and so are the types inside.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub struct Foreign {
        pub kilo: i64,
        pub mode: Option<ForeignMode>,
        pub modes: BTreeMap<String, Option<ForeignMode>>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub tags: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(extend("default" = 5))]
        pub level: Option<i64>,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    pub enum ForeignMode {
        Fast,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    pub struct Limits {
        pub seconds: i64,
        pub mode: Option<Mode>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Config {
        pub level: Option<Mode>,
        #[serde(skip_serializing_if = "Option::is_none")]
        pub depth: Option<i64>,
    }

    macro_rules! holds {
        ($($type:ty: $kilo:ident => $of:expr, $value:ident => $get:expr;)*) => {$(
            impl Holds for $type {
                fn of($kilo: i64) -> Self {
                    $of
                }

                fn kilo(&self) -> i64 {
                    let $value = self;
                    $get
                }
            }
        )*};
    }

    fn inner(kilo: i64) -> Inner {
        let list = vec![Named::of(kilo), Named { kilo, name: Some("a".to_owned()) }];
        let map = BTreeMap::from([("a".to_owned(), Skipped::of(kilo))]);
        let choice = (kilo % 2 == 0).then(|| Around::of(kilo));
        Inner { kilo, list, map, choice, flat: Flat::default(), more: More::default() }
    }

    holds! {
        Named: kilo => Self { kilo, name: None }, value => value.kilo;
        Moded: kilo => Self { kilo, mode: None, note: None }, value => value.kilo;
        Defaulted: kilo => Self { kilo, name: None }, value => value.kilo;
        Skipped: kilo => Self { kilo, name: None, count: 2 }, value => value.kilo;
        Deep: kilo => Self { inner: inner(kilo) }, value => value.inner.kilo;
        Around: kilo => if kilo > 1 { Self::Named(Named::of(kilo)) } else { Self::Held { kilo, mode: None } },
            value => match value { Self::Named(named) => named.kilo, Self::Held { kilo, .. } => *kilo };
        Tagged: kilo => if kilo > 1 { Self::Named(Named::of(kilo)) } else { Self::Held { kilo, mode: None } },
            value => match value { Self::Named(named) => named.kilo, Self::Held { kilo, .. } => *kilo };
        Beside: kilo => if kilo > 1 { Self::Named(Named::of(kilo)) } else { Self::Held { kilo, mode: None } },
            value => match value { Self::Named(named) => named.kilo, Self::Held { kilo, .. } => *kilo };
        Bare: kilo => if kilo > 1 { Self::Number(kilo) } else { Self::Held { kilo, mode: None } },
            value => match value { Self::Number(kilo) | Self::Held { kilo, .. } => *kilo };
        Foreign: kilo => Self {
                kilo,
                mode: None,
                modes: BTreeMap::from([("a".to_owned(), None)]),
                tags: Vec::new(),
                level: None,
            },
            value => value.kilo;
    }
}

/// The newest version: numbers again, so that the structs are also what converters take.
pub mod v1 {
    use crd_conv::Versioned;
    use crd_conv::with::Inverse;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::converters::Kilos;
    use super::v1beta1::{Config, Defaulted, Limits, Moded, Named};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::ShipmentSpec)]
    pub struct ShipmentSpec {
        #[versioned(with = Inverse(Kilos))]
        pub named: i64,
        pub moded: Option<Moded>,
        #[versioned(with = Inverse(Kilos))]
        pub defaulted: i64,
        #[versioned(with = Inverse(Kilos))]
        pub skipped: Option<i64>,
        #[versioned(with = Inverse(Kilos))]
        pub deep: i64,
        #[versioned(with = Inverse(Kilos))]
        pub around: i64,
        #[versioned(with = Inverse(Kilos))]
        pub tagged: i64,
        #[versioned(with = Inverse(Kilos))]
        pub beside: i64,
        #[versioned(with = Inverse(Kilos))]
        pub bare: i64,
        #[versioned(with = Inverse(Kilos))]
        pub foreign: i64,
        pub timeout: Option<Limits>,
        pub config: Config,
        pub all_named: Option<Named>,
        pub first: Option<Defaulted>,
        #[serde(default)]
        pub loads: Vec<Named>,
        pub parts: Vec<Part>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Part)]
    pub struct Part {
        #[versioned(with = Inverse(Kilos))]
        pub weight: i64,
        pub note: Option<String>,
    }
}

/// What is shipped.
#[derive(Versioned)]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
#[versioned(resource(group = "example.com", plural = "shipments", scope = "Namespaced"))]
pub enum Shipment {
    V1alpha1 {
        spec: v1alpha1::ShipmentSpec,
    },
    #[versioned(storage)]
    V1beta1 {
        spec: v1beta1::ShipmentSpec,
    },
    V1 {
        spec: v1::ShipmentSpec,
    },
}
