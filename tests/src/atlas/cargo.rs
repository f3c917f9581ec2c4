//! Values with more or fewer fields inside in each version. The fields are optional, nullable or
//! not, filled in, or left out.

pub mod v1alpha1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Cargo {
        pub weight: i64,
        pub spare: Option<i64>,
        #[serde(default)]
        pub loads: Vec<i64>,
        pub kind: Option<i64>,
        #[schemars(regex(pattern = "^[0-9]{1,3}(s|m)$"))]
        pub limit: Option<String>,
        #[schemars(regex(pattern = "^(\\{\"kilo\": ?[0-9]{1,2}\\}|oops)$"))]
        pub label: Option<String>,
        pub total: Option<i64>,
        #[serde(default)]
        pub boxes: Vec<Box>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Box {
        pub weight: i64,
        pub note: Option<String>,
    }
}

pub mod v1alpha2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use crd_conv::with::{AbsentIs, Each, GoDuration, JsonText, Then, Wrapped};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::shipment::converters::{Holds, Kilos};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1alpha1::Cargo,
        map(total <=> (whole, rest), with(upgrade = split, downgrade = joined)),
    )]
    pub struct Cargo {
        #[versioned(with = Kilos)]
        pub weight: Weight,
        #[versioned(with = Then::<_, _, i64>::new(AbsentIs(3), Kilos))]
        pub spare: BTreeMap<String, Weight>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[versioned(with = Each(Kilos))]
        pub loads: Vec<Weight>,
        #[versioned(with = Kilos, nullable = false)]
        pub kind: Option<Kind>,
        #[versioned(with = Then::<_, _, i64>::new(GoDuration::SECONDS, Wrapped("kilo")),
            refuses(upgrade = "the operator never took anything but durations", downgrade = "nobody waits for centuries"))]
        pub limit: Option<Weight>,
        #[versioned(with = JsonText, fallback(upgrade = _), nullable = false)]
        pub label: Option<Weight>,
        pub whole: Option<Weight>,
        #[versioned(default = NO_REST)]
        pub rest: Option<Seal>,
        #[serde(default)]
        pub boxes: Vec<Box>,
    }

    const NO_REST: Seal = Seal { number: 0, color: None };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Box)]
    pub struct Box {
        #[versioned(with = Kilos)]
        pub weight: Weight,
        pub note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    pub struct Weight {
        pub kilo: i64,
        #[versioned(nullable = false)]
        pub unit: Option<String>,
        pub note: Option<String>,
        pub color: Option<Color>,
        #[versioned(default = 5)]
        pub level: Option<i64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub seals: Vec<Seal>,
        #[serde(default)]
        pub by_name: BTreeMap<String, Seal>,
    }

    /// Without the derive.
    #[derive(Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    pub struct Seal {
        pub number: i64,
        pub color: Option<Color>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    pub enum Color {
        Red,
        Blue,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum Kind {
        Light { kilo: i64, color: Option<Color> },
        Heavy(Weight),
    }

    impl Holds for Weight {
        fn of(kilo: i64) -> Self {
            let seal = Seal { number: kilo, color: None };
            let by_name = BTreeMap::from([("a".to_owned(), seal.clone())]);
            let color = (kilo > 5).then_some(Color::Red);
            Self { kilo, unit: None, note: None, color, level: None, seals: vec![seal], by_name }
        }

        fn kilo(&self) -> i64 {
            self.kilo
        }
    }

    impl Holds for BTreeMap<String, Weight> {
        fn of(kilo: i64) -> Self {
            Self::from([("a".to_owned(), Weight::of(kilo))])
        }

        fn kilo(&self) -> i64 {
            self.values().map(|weight| weight.kilo).fold(0, i64::saturating_add)
        }
    }

    impl Holds for Kind {
        fn of(kilo: i64) -> Self {
            if kilo > 1 { Self::Heavy(Weight::of(kilo)) } else { Self::Light { kilo, color: None } }
        }

        fn kilo(&self) -> i64 {
            match self {
                Self::Light { kilo, .. } => *kilo,
                Self::Heavy(weight) => weight.kilo,
            }
        }
    }

    fn split(total: Option<i64>) -> (Option<Weight>, Option<Seal>) {
        let Some(total) = total else { return (None, None) };
        let rest = total % 1000 / 100;
        let rest = (rest != 0).then_some(Seal { number: rest, color: None });
        (Some(Weight::of(total / 1000)), rest)
    }

    fn joined((whole, rest): (Option<Weight>, Option<Seal>)) -> Option<i64> {
        let whole = whole?.kilo.saturating_mul(1000);
        let rest = rest.map_or(0, |rest| rest.number.saturating_mul(100));
        Some(whole.saturating_add(rest))
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use crd_conv::with::{Inverse, KeyedBy};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1alpha2::{Color, Seal};
    use crate::shipment::converters::{Holds, Kilos};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Cargo)]
    pub struct Cargo {
        pub weight: Weight,
        #[versioned(with = Inverse(KeyedBy("key")), list_map_keys(key))]
        pub spare: Vec<Keyed>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub loads: Vec<Weight>,
        #[versioned(with = Inverse(Kilos))]
        pub kind: Option<i64>,
        pub limit: Option<Weight>,
        pub label: Option<Weight>,
        pub whole: Option<Weight>,
        pub rest: Option<Seal>,
        #[serde(default)]
        pub boxes: Vec<Box>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Box)]
    pub struct Box {
        pub weight: Weight,
        pub note: Option<String>,
    }

    /// What a converter made in the version before goes on as any other struct.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Clone, PartialEq)]
    #[versioned(from = super::v1alpha2::Weight)]
    pub struct Weight {
        pub kilo: i64,
        pub unit: Option<String>,
        #[versioned(nullable = false)]
        pub note: Option<String>,
        pub color: Option<Color>,
        #[versioned(renamed_from = level, default = 5)]
        pub rank: Option<i64>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub seals: Vec<Seal>,
        #[serde(default)]
        pub by_name: BTreeMap<String, Seal>,
        #[versioned(added, default = "x", nullable = false)]
        pub owner: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Keyed {
        pub key: String,
        pub kilo: i64,
        pub unit: Option<String>,
        #[versioned(default = 7, nullable = false)]
        pub level: Option<i64>,
    }

    impl Holds for Weight {
        fn of(kilo: i64) -> Self {
            let owner = (kilo == 1).then(|| "a".to_owned());
            Self {
                kilo,
                unit: None,
                note: None,
                color: None,
                rank: None,
                seals: Vec::new(),
                by_name: BTreeMap::new(),
                owner,
            }
        }

        fn kilo(&self) -> i64 {
            self.kilo
        }
    }
}

pub mod v1 {
    use crd_conv::Versioned;
    use crd_conv::with::{Each, Inverse, Optional, Then, ZeroAsAbsent};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1alpha2::Seal;
    use super::v1beta1::{Box, Keyed, Weight};
    use crate::shipment::converters::Kilos;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Cargo)]
    pub struct Cargo {
        #[versioned(with = Inverse(Kilos))]
        pub weight: i64,
        #[versioned(list_map_keys(key))]
        pub spare: Vec<Keyed>,
        #[serde(default)]
        #[versioned(with = Inverse(Each(Kilos)))]
        pub loads: Vec<i64>,
        #[versioned(with = Kilos)]
        pub kind: Option<Weight>,
        #[versioned(with = Inverse(Then::<_, _, Option<i64>>::new(ZeroAsAbsent, Optional(Kilos))))]
        pub limit: i64,
        pub label: Option<Weight>,
        pub whole: Option<Weight>,
        pub rest: Option<Seal>,
        #[serde(default)]
        pub boxes: Vec<Box>,
    }
}
