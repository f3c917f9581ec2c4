//! Lists without keys, lists in lists, maps of these, flattened fields, and a field that is added
//! again.

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Lists {
        #[serde(default)]
        pub rules: Vec<Rule>,
        #[serde(default)]
        pub grid: Vec<Vec<Cell>>,
        #[serde(default)]
        pub areas: BTreeMap<String, Vec<Cell>>,
        #[serde(default)]
        pub shelves: Vec<BTreeMap<String, Cell>>,
        #[serde(flatten)]
        pub place: Place,
        pub heap: Option<Heap>,
        pub comeback: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Rule {
        pub host: String,
        pub owner: Option<String>,
        #[serde(default)]
        pub paths: Vec<Cell>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Cell {
        pub name: String,
        pub color: Option<String>,
        #[schemars(regex(pattern = "^[0-9]{1,2}(s|ms)$"))]
        pub age: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Place {
        pub region: Option<String>,
        #[serde(default)]
        pub spots: Vec<Cell>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Heap {
        #[serde(flatten)]
        pub all: BTreeMap<String, Vec<Cell>>,
    }
}

pub mod v1alpha2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Lists)]
    pub struct Lists {
        #[serde(default)]
        pub rules: Vec<Rule>,
        #[serde(default)]
        pub grid: Vec<Vec<Cell>>,
        #[serde(default)]
        pub areas: BTreeMap<String, Vec<Cell>>,
        #[serde(default)]
        pub shelves: Vec<BTreeMap<String, Cell>>,
        #[serde(flatten)]
        pub place: Place,
        pub heap: Option<Heap>,
        pub comeback: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Rule, removed(owner))]
    pub struct Rule {
        #[versioned(renamed_from = host)]
        pub domain: String,
        #[serde(default)]
        pub paths: Vec<Cell>,
        #[versioned(added)]
        pub weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Cell, removed(color))]
    pub struct Cell {
        pub name: String,
        #[schemars(regex(pattern = "^[0-9]{1,2}(s|ms)$"))]
        pub age: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Place)]
    pub struct Place {
        #[versioned(renamed_from = region)]
        pub country: Option<String>,
        #[serde(default)]
        pub spots: Vec<Cell>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Heap)]
    pub struct Heap {
        #[serde(flatten)]
        pub all: BTreeMap<String, Vec<Cell>>,
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::{Versioned, with::GoDuration};
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Lists, removed(comeback))]
    pub struct Lists {
        #[serde(default)]
        pub rules: Vec<Rule>,
        #[serde(default)]
        #[versioned(renamed_from = grid)]
        pub matrix: Vec<Vec<Cell>>,
        #[serde(default)]
        pub areas: BTreeMap<String, Vec<Cell>>,
        #[serde(default)]
        pub shelves: Vec<BTreeMap<String, Cell>>,
        #[serde(flatten)]
        pub place: Place,
        pub heap: Option<Heap>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Rule)]
    pub struct Rule {
        pub domain: String,
        #[serde(default)]
        pub paths: Vec<Cell>,
        pub weight: Option<i64>,
    }

    /// A converter in items of lists in lists and maps.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Cell)]
    pub struct Cell {
        pub name: String,
        #[versioned(renamed_from = age, with = GoDuration::SECONDS)]
        #[schemars(range(min = 0, max = 100))]
        pub seconds: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Place)]
    pub struct Place {
        pub country: Option<String>,
        #[serde(default)]
        pub spots: Vec<Cell>,
        #[versioned(added)]
        pub city: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha2::Heap)]
    pub struct Heap {
        #[serde(flatten)]
        pub all: BTreeMap<String, Vec<Cell>>,
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Lists)]
    pub struct Lists {
        #[serde(default)]
        pub rules: Vec<Rule>,
        #[serde(default)]
        pub matrix: Vec<Vec<Cell>>,
        #[serde(default)]
        pub areas: BTreeMap<String, Vec<Cell>>,
        #[serde(default)]
        pub shelves: Vec<BTreeMap<String, Cell>>,
        #[serde(flatten)]
        pub place: Place,
        pub heap: Option<Heap>,
        #[versioned(added)]
        pub comeback: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Rule)]
    pub struct Rule {
        pub domain: String,
        #[serde(default)]
        pub paths: Vec<Cell>,
        pub weight: Option<i64>,
        #[versioned(added(value = 1))]
        pub order: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Cell, removed(seconds))]
    pub struct Cell {
        #[versioned(renamed_from = name)]
        pub title: String,
        #[versioned(added)]
        pub note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Place)]
    pub struct Place {
        pub country: Option<String>,
        #[serde(default)]
        #[versioned(renamed_from = spots)]
        pub points: Vec<Cell>,
        pub city: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Heap)]
    pub struct Heap {
        #[serde(flatten)]
        pub all: BTreeMap<String, Vec<Cell>>,
    }
}
