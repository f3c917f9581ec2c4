//! A resource with flattened structs and maps, inside each other and in lists, over four versions.
//! Within a version, each name means one thing, as in [`nest`](crate::nest).

use crd_conv::Versioned;

pub mod v1alpha1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct FlatSpec {
        own: String,
        #[serde(flatten)]
        common: Common,
        #[serde(flatten)]
        extra: Option<Extra>,
        timeout: Option<i64>,
        retries: Option<i64>,
        items: Vec<Item>,
        spare: Option<Item>,
        bag: Option<Bag>,
        heap: BTreeMap<String, Heap>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Common {
        title: String,
        host_port: String,
        #[serde(flatten)]
        inner: Inner,
        part: Option<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Inner {
        zone: Option<String>,
        deep: String,
        leaves: Vec<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Extra {
        unit: Option<String>,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Item {
        key: String,
        #[serde(flatten)]
        common: Common,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Leaf {
        text: String,
        remark: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Bag {
        label: String,
        plain: String,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        rest: BTreeMap<String, Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Heap {
        #[serde(flatten)]
        all: Option<BTreeMap<String, Vec<Leaf>>>,
    }
}

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use crate::nest::converters::Split;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::FlatSpec,
        moved(timeout => checks.timeout, retries => checks.max_retries),
    )]
    pub struct FlatSpec {
        own: String,
        #[serde(flatten)]
        #[versioned(renamed_from = common)]
        shared: Common,
        #[serde(flatten)]
        extra: Option<Extra>,
        #[serde(flatten)]
        checks: Checks,
        items: Vec<Item>,
        spare: Option<Item>,
        bag: Option<Bag>,
        heap: BTreeMap<String, Heap>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::Common,
        map(host_port <=> (host, port), with = Split),
    )]
    pub struct Common {
        #[versioned(renamed_from = title)]
        name: String,
        host: String,
        port: String,
        #[serde(flatten)]
        inner: Inner,
        part: Option<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Inner, removed(zone))]
    pub struct Inner {
        deep: String,
        leaves: Vec<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Extra, removed(unit))]
    pub struct Extra {
        size: Option<i64>,
        #[versioned(added(value = 1))]
        grade: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Checks {
        timeout: Option<i64>,
        max_retries: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Item)]
    pub struct Item {
        key: String,
        #[serde(flatten)]
        common: Common,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Leaf)]
    pub struct Leaf {
        text: String,
        remark: Option<String>,
        #[versioned(added(value = 0))]
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Bag)]
    pub struct Bag {
        #[versioned(renamed_from = label)]
        caption: String,
        plain: String,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        rest: BTreeMap<String, Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Heap)]
    pub struct Heap {
        #[serde(flatten)]
        all: Option<BTreeMap<String, Vec<Leaf>>>,
    }
}

pub mod v1beta2 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1beta1::Checks;
    use crate::gadget::converters::Forgetful;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::FlatSpec, removed(extra))]
    pub struct FlatSpec {
        own: String,
        #[serde(flatten)]
        shared: Common,
        #[serde(flatten)]
        checks: Checks,
        #[serde(flatten)]
        #[versioned(added)]
        more: More,
        items: Vec<Item>,
        spare: Option<Item>,
        bag: Option<Bag>,
        heap: BTreeMap<String, Heap>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct More {
        note: Option<String>,
        #[versioned(default = 2)]
        level: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::Common)]
    pub struct Common {
        name: String,
        host: String,
        port: String,
        #[serde(flatten)]
        inner: Inner,
        part: Option<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Inner)]
    pub struct Inner {
        #[versioned(renamed_from = deep)]
        depth: String,
        leaves: Vec<Leaf>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Item)]
    pub struct Item {
        key: String,
        #[serde(flatten)]
        common: Common,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Leaf)]
    pub struct Leaf {
        text: String,
        #[versioned(with = Forgetful)]
        remark: Option<String>,
        weight: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Bag)]
    pub struct Bag {
        caption: String,
        plain: String,
        #[serde(flatten)]
        #[versioned(preserve_unknown_fields)]
        rest: BTreeMap<String, Leaf>,
        #[versioned(added)]
        count: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Heap)]
    pub struct Heap {
        #[serde(flatten)]
        all: Option<BTreeMap<String, Vec<Leaf>>>,
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1beta2::{Bag, Heap, Item, Leaf};
    use crate::nest::converters::{join, part};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta2::FlatSpec,
        moved(checks.timeout => timeout, checks.max_retries => attempts),
    )]
    pub struct FlatSpec {
        own: String,
        #[serde(flatten)]
        shared: Common,
        #[serde(flatten)]
        more: More,
        timeout: Option<i64>,
        attempts: Option<i64>,
        items: Vec<Item>,
        spare: Option<Item>,
        bag: Option<Bag>,
        heap: BTreeMap<String, Heap>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::More)]
    pub struct More {
        #[versioned(renamed_from = note)]
        notice: Option<String>,
        #[versioned(default = 2)]
        level: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta2::Common,
        map((host, port) <=> address, with(upgrade = join, downgrade = part)),
    )]
    pub struct Common {
        name: String,
        address: String,
        #[serde(flatten)]
        inner: super::v1beta2::Inner,
        part: Option<Leaf>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "flats", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
pub enum Flat {
    V1alpha1 {
        spec: v1alpha1::FlatSpec,
    },
    V1beta1 {
        spec: v1beta1::FlatSpec,
    },
    V1beta2 {
        spec: v1beta2::FlatSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::FlatSpec,
    },
}
