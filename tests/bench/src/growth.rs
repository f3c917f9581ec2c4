//! Resources in which one thing at a time can be made larger. The cost of a conversion should grow
//! with it, and no faster.

use serde_json::{Value, json};

use crate::reviews::request;

mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct ShelfSpec {
        #[versioned(list_map_keys(name))]
        keyed: Vec<Item>,
        plain: Vec<Item>,
        chain: Option<Box<Link>>,
        few: Option<Few>,
        many: Option<Many>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Item {
        name: String,
        level: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Link {
        host: String,
        next: Option<Box<Link>>,
    }

    macro_rules! older {
        ($name:ident: $($field:ident)*) => {
            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            pub struct $name {
                $($field: Option<String>,)*
            }
        };
    }

    older!(Few: a0 a1 a2 a3 a4 a5 a6 a7);
    older!(Many: a0 a1 a2 a3 a4 a5 a6 a7 b0 b1 b2 b3 b4 b5 b6 b7 c0 c1 c2 c3 c4 c5 c6 c7 d0 d1 d2 d3 d4 d5 d6 d7);
}

mod v2 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::ShelfSpec)]
    pub struct ShelfSpec {
        #[versioned(list_map_keys(name))]
        keyed: Vec<Item>,
        plain: Vec<Item>,
        chain: Option<Box<Link>>,
        few: Option<Few>,
        many: Option<Many>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Item, removed(level))]
    pub struct Item {
        name: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Link)]
    pub struct Link {
        #[versioned(renamed_from = host)]
        server: String,
        next: Option<Box<Link>>,
    }

    macro_rules! newer {
        ($name:ident: $($older:ident $newer:ident)*) => {
            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            #[versioned(from = super::v1::$name)]
            pub struct $name {
                $(#[versioned(renamed_from = $older)] $newer: Option<String>,)*
            }
        };
    }

    newer!(Few: a0 e0 a1 e1 a2 e2 a3 e3 a4 e4 a5 e5 a6 e6 a7 e7);
    newer!(Many: a0 e0 a1 e1 a2 e2 a3 e3 a4 e4 a5 e5 a6 e6 a7 e7 b0 f0 b1 f1 b2 f2 b3 f3 b4 f4 b5 f5 b6 f6 b7 f7
        c0 g0 c1 g1 c2 g2 c3 g3 c4 g4 c5 g5 c6 g6 c7 g7 d0 h0 d1 h1 d2 h2 d3 h3 d4 h4 d5 h5 d6 h6 d7 h7);
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "shelves", scope = "Namespaced"))]
pub enum Shelf {
    V1 {
        spec: v1::ShelfSpec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::ShelfSpec,
    },
}

/// A review of objects at v1.
fn review(objects: usize, spec: &Value) -> String {
    let object = |index: usize| {
        let metadata = json!({ "name": format!("shelf-{index}"), "namespace": "default" });
        json!({ "apiVersion": "example.com/v1", "kind": "Shelf", "metadata": metadata, "spec": spec })
    };
    request("v2", (0..objects).map(object))
}

/// A review of this number of objects.
pub fn objects(count: usize) -> String {
    review(count, &json!({ "plain": [], "keyed": [], "chain": { "host": "a" } }))
}

/// One object with this number of items, for which nothing is kept.
pub fn items(count: usize) -> String {
    let items: Vec<_> = (0..count).map(|n| json!({ "name": format!("item-{n}") })).collect();
    review(1, &json!({ "plain": items, "keyed": [] }))
}

/// One object with this number of items in a list with keys. Each item has an entry.
pub fn keyed_entries(count: usize) -> String {
    review(1, &json!({ "plain": [], "keyed": with_levels(count) }))
}

/// The same in a list without keys.
pub fn plain_entries(count: usize) -> String {
    review(1, &json!({ "plain": with_levels(count), "keyed": [] }))
}

fn with_levels(count: usize) -> Value {
    (0..count).map(|n| json!({ "name": format!("item-{n}"), "level": n })).collect()
}

/// One object with objects inside each other, this deep.
pub fn depth(depth: usize) -> String {
    let link = |next: Value, n: usize| json!({ "host": format!("host-{n}"), "next": next });
    let chain = (0..depth).fold(Value::Null, link);
    review(1, &json!({ "plain": [], "keyed": [], "chain": chain }))
}

/// 50 objects with a struct of 8 or 32 renamed fields, all of which are there.
pub fn rules(fields: usize) -> String {
    let name = |n: usize| format!("{}{}", ["a", "b", "c", "d"][n / 8], n % 8);
    let of_struct: serde_json::Map<_, _> =
        (0..fields).map(|n| (name(n), json!(format!("value {n}")))).collect();
    let field = if fields <= 8 { "few" } else { "many" };
    review(50, &json!({ "plain": [], "keyed": [], field: of_struct }))
}
