//! The law *total* and converters that refuse values, or panic.
#![allow(unreachable_pub, reason = "the resources read like an author's")]

use std::collections::BTreeMap;
use std::path::Path;

use crd_conv::testing::{ConverterUse, Law, Trial, assert_holds_with};
use crd_conv::with::{Each, Inverse, KeyedBy, OneOf, Quantity, Wrapped};
use crd_conv::{ConvertError, Converter, ResourceType, Versioned, VersionedResource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A resource of two versions with these fields of the spec, and what else they need.
macro_rules! two_versions {
    ($resource:ident { $($older:tt)* } { $($newer:tt)* } $([$($said:tt)*])?) => {
        #[allow(non_snake_case, reason = "named as the resource in it")]
        mod $resource {
            #[allow(unused_imports, reason = "not every resource needs what the others do")]
            use super::*;

            pub mod v1 {
                #[allow(unused_imports, reason = "not every resource needs what the others do")]
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                pub struct Spec { $($older)* }
            }

            pub mod v2 {
                #[allow(unused_imports, reason = "not every resource needs what the others do")]
                use super::*;

                #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
                #[versioned(from = super::v1::Spec $(, $($said)*)?)]
                pub struct Spec { $($newer)* }
            }

            #[derive(Versioned)]
            #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
            pub enum Thing {
                V1 { spec: v1::Spec },
                #[versioned(storage)]
                V2 { spec: v2::Spec },
            }
        }
    };
}

/// What breaks the law *total*.
fn broken<T: VersionedResource>() -> String {
    let resource = ResourceType::of::<T>();
    let trial = Trial::of(&resource).unwrap();
    let in_table = trial.converters().iter().any(ConverterUse::breaks_total);
    let broken = trial.run(Law::Total).expect_err("it is broken").to_string();
    assert!(in_table, "the table says so, too: {broken}");
    broken
}

#[track_caller]
fn says(broken: &str, parts: &[&str]) {
    for part in parts {
        assert!(broken.contains(part), "{part}\n{broken}");
    }
}

fn holds<T: VersionedResource>() {
    let resource = ResourceType::of::<T>();
    let trial = Trial::of(&resource).unwrap();
    let verdict = trial.run(Law::Total).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(verdict.cases > 0);
    let broken: Vec<_> =
        trial.converters().into_iter().filter(ConverterUse::breaks_total).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Port {
    number: i32,
    name: Option<String>,
}

two_versions!(Misspelt
    { pub ports: Vec<i32> }
    { #[versioned(with = Each(Wrapped("nubmer")))] pub ports: Vec<Port> });

#[test]
fn a_misspelt_field_in_items() {
    let broken = broken::<Misspelt::Thing>();
    says(
        &broken,
        &[
            "the law \"total\" is broken from v1 to v2",
            "`spec.ports`: the converter `Each(Wrapped(\"nubmer\"))` refuses [0]: ",
            "nubmer",
            "in the conversion from v1 to v2 of\n{",
            "`refuses(…)`",
        ],
    );
}

mod rekeyed {
    use super::*;

    pub mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub struct Spec {
            dbs: Vec<Db>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub struct Db {
            name: String,
            owner: String,
        }
    }

    pub mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec)]
        pub struct Spec {
            #[versioned(with = KeyedBy("name"))]
            dbs: BTreeMap<String, Db>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Db, removed(name = ""))]
        pub struct Db {
            #[versioned(renamed_from = owner)]
            owner_role: String,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub enum Thing {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
        },
    }
}

#[test]
fn a_renamed_field_in_items_by_key() {
    let broken = broken::<rekeyed::Thing>();
    says(&broken, &["`spec.dbs`: the converter `KeyedBy(\"name\")` refuses [{", "owner_role"]);
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    Git(String),
    Path(String),
}

two_versions!(Either
    { pub git: Option<String>, pub path: Option<String> }
    { pub source: Option<Source> }
    [map((git, path) <=> source, with = OneOf::new(["git", "path"]))]);

#[test]
fn two_of_the_fields_of_which_one_counts() {
    let broken = broken::<Either::Thing>();
    says(
        &broken,
        &[
            "`spec.git`: the converter `OneOf::new([\"git\", \"path\"])` refuses {\"git\":\"a\",\"path\":\"a\"}: ",
        ],
    );
}

/// Refuses what is large, and panics at what is larger.
pub struct Small<const LARGE: i32, const LARGER: i32>;

impl<const LARGE: i32, const LARGER: i32> Converter<i32, i32> for Small<LARGE, LARGER> {
    fn upgrade(&self, older: i32) -> Result<i32, ConvertError> {
        assert!(older <= LARGER, "boom");
        if older > LARGE { Err(format!("{older} is large").into()) } else { Ok(older) }
    }

    fn downgrade(&self, newer: i32) -> Result<i32, ConvertError> {
        Ok(newer)
    }
}

const MAX: i32 = i32::MAX;

two_versions!(Panics
    { pub size: i32 }
    { #[versioned(with = Small::<MAX, 5>)] pub size: i32 });
two_versions!(PanicsWithFallback
    { pub size: i32 }
    { #[versioned(with = Small::<MAX, 5>, fallback(upgrade = 0))] pub size: i32 });
two_versions!(PanicsWithReason
    { pub size: i32 }
    { #[versioned(with = Small::<3, 5>, refuses(upgrade = "nobody has more than 3"))] pub size: i32 });
two_versions!(PanicsOutsideOfTheSchema
    { #[schemars(range(max = 5))] pub size: i32 }
    { #[versioned(with = Small::<MAX, 5>)] #[schemars(range(max = 5))] pub size: i32 });

#[test]
fn a_panic_whatever_is_said_of_refusals() {
    for broken in [
        broken::<Panics::Thing>(),
        broken::<PanicsWithFallback::Thing>(),
        broken::<PanicsWithReason::Thing>(),
    ] {
        says(&broken, &["`spec.size`: the converter `Small::<", "` panics on 7: boom\n"]);
    }
    // No value beyond the bound is drawn.
    holds::<PanicsOutsideOfTheSchema::Thing>();
}

/// Panics on the way back of what it made.
pub struct OneWay;

impl Converter<i32, String> for OneWay {
    fn upgrade(&self, older: i32) -> Result<String, ConvertError> {
        Ok(format!("size {older}"))
    }

    fn downgrade(&self, newer: String) -> Result<i32, ConvertError> {
        let number = newer.strip_prefix("size ").ok_or("not a size")?;
        if number == "7" { panic!("unlucky") } else { Ok(number.parse()?) }
    }
}

two_versions!(PanicsOnTheWayBack
    { pub size: i32 }
    { #[versioned(with = OneWay, fallback(downgrade = 0))] pub size: String });

/// The engine keeps a value that the way back doesn't make, and passes over the panic.
#[test]
fn a_panic_on_the_way_back() {
    says(&broken::<PanicsOnTheWayBack::Thing>(), &["the converter `OneWay` panics on", "unlucky"]);
}

two_versions!(Refuses
    { pub size: i32 }
    { #[versioned(with = Small::<5, MAX>)] pub size: i32 });
two_versions!(RefusesWithReason
    { pub size: i32 }
    { #[versioned(with = Small::<5, MAX>, refuses(upgrade = "nobody has more than 5"))] pub size: i32 });
two_versions!(RefusesTheOtherWay
    { pub size: i32 }
    { #[versioned(with = Small::<5, MAX>, refuses(downgrade = "nobody has more than 5"))] pub size: i32 });
two_versions!(RefusesWithFallback
    { pub size: i32 }
    { #[versioned(with = Small::<{ i32::MIN }, MAX>, fallback(upgrade = 0))] pub size: i32 });
two_versions!(RefusesInGroup
    { pub size: i32, pub owner: String }
    { pub height: i32 }
    [map(size <=> height, with = Small::<5, MAX>, refuses(upgrade = "nobody has more than 5")), removed(owner = "")]);

#[test]
fn a_refusal_has_a_reason_or_a_fallback() {
    says(
        &broken::<Refuses::Thing>(),
        &["from v1 to v2", "the converter `Small::<5, MAX>` refuses ", " is large\n"],
    );
    says(&broken::<RefusesTheOtherWay::Thing>(), &["from v1 to v2", " is large\n"]);
    holds::<RefusesWithReason::Thing>();
    holds::<RefusesInGroup::Thing>();
    // It takes no value at all.
    holds::<RefusesWithFallback::Thing>();
    assert_holds_with::<RefusesWithFallback::Thing>(Law::Total, [""; 0]);
}

/// A number that must be there, from a text that may be absent.
pub struct Needed;

impl Converter<Option<String>, i64> for Needed {
    fn upgrade(&self, older: Option<String>) -> Result<i64, ConvertError> {
        Ok(older.map_or(Err("there must be a size"), |text| Ok(text.parse().unwrap_or(0)))?)
    }

    fn downgrade(&self, newer: i64) -> Result<Option<String>, ConvertError> {
        Ok(Some(newer.to_string()))
    }
}

two_versions!(RefusesNothing
    { pub size: Option<String> }
    { #[versioned(with = Needed)] pub size: i64 });
two_versions!(NothingFallsBack
    { pub size: Option<String> }
    { #[versioned(with = Needed, fallback(upgrade = 3))] pub size: i64 });
two_versions!(NothingIsSet
    { pub git: Option<String>, pub path: Option<String> }
    { pub source: Source }
    [map((git, path) <=> source, with = OneOf::new(["git", "path"]))]);
two_versions!(QuantityOrNot
    { pub size: Option<String> }
    { #[versioned(with = Quantity::BYTES, fallback(upgrade = 0))] pub size: i64 });

/// What the other version needs would lack in it.
#[test]
fn a_refusal_of_nothing() {
    let says_absent = "` refuses an absent field: ";
    says(&broken::<RefusesNothing::Thing>(), &["`spec.size`: ", says_absent, "must be a size\n"]);
    says(&broken::<NothingIsSet::Thing>(), &["`spec.git`: ", "` refuses "]);
}

/// Then the fallback stands there, as in the place of any value that is refused.
#[test]
fn a_fallback_in_the_place_of_nothing() {
    holds::<NothingFallsBack::Thing>();
    let things = ResourceType::of::<NothingFallsBack::Thing>();
    let object = |version: &str, spec: &str| {
        format!(
            r#"{{"apiVersion":"example.com/{version}","kind":"Thing","metadata":{{"name":"a"}},"spec":{spec}}}"#
        )
    };
    let older = object("v1", "{}");
    let newer = things.convert(older.as_bytes(), "v2").unwrap();
    assert!(newer.json.ends_with(r#""spec":{"size":3}}"#), "{}", newer.json);
    assert_eq!(things.convert(newer.json.as_bytes(), "v1").unwrap().json, older);
}

mod nothing_falls_back {
    crd_conv::laws!(super::NothingFallsBack::Thing);
}

mod quantity_or_not {
    crd_conv::laws!(super::QuantityOrNot::Thing);
}

two_versions!(Useless
    { pub ports: Vec<i32> }
    { #[versioned(with = Each(Wrapped("nubmer")), refuses(upgrade = "some ports", downgrade = "some ports"))]
      pub ports: Vec<Port> });

/// It takes empty lists, which says nothing.
#[test]
fn a_reason_is_none_for_every_value() {
    let resource = ResourceType::of::<Useless::Thing>();
    let trial = Trial::of(&resource).unwrap();
    trial.run(Law::Total).unwrap();
    let uses = trial.converters();
    let faults: Vec<_> = uses.iter().filter(|used| used.breaks_total()).collect();
    assert_eq!(faults.len(), 2, "{uses:?}");
    let said = faults[0].to_string();
    says(&said, &["`spec.ports`, v1 to v2: the converter ", " values, such as [0]: "]);
}

mod inside {
    use super::*;

    pub mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub struct Spec {
            size: Size,
            #[serde(flatten)]
            #[versioned(preserve_unknown_fields)]
            others: BTreeMap<String, Part>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(untagged)]
        pub enum Size {
            Name(String),
            Parts(Part),
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub struct Part {
            size: i32,
        }
    }

    pub mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec)]
        pub struct Spec {
            size: Size,
            #[serde(flatten)]
            #[versioned(preserve_unknown_fields)]
            others: BTreeMap<String, Part>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[serde(untagged)]
        #[versioned(from = super::v1::Size)]
        pub enum Size {
            Name(String),
            Parts(Part),
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Part)]
        pub struct Part {
            #[versioned(
                with = Small::<5, MAX>,
                refuses(upgrade = "nobody has more than 5, or anything else", downgrade = "it is a number"),
            )]
            size: i32,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub enum Thing {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
        },
    }
}

/// In a variant that nothing names and in a map that has no name, the reason counts, too.
#[test]
fn in_variants_and_flattened_maps() {
    holds::<inside::Thing>();
    let resource = ResourceType::of::<inside::Thing>();
    // Nobody draws an object for a field that the schema doesn't name.
    let example = r#"{"apiVersion":"example.com/v2","kind":"Thing","metadata":{"name":"a"},
        "spec":{"size":"a","x":{"size":3}}}"#;
    let uses = Trial::of(&resource).unwrap().examples([example]).unwrap().converters();
    let fields: Vec<&str> = uses.iter().map(|used| used.field.as_str()).collect();
    assert!(fields.contains(&"spec.size.Parts.size"), "{fields:?}");
    assert!(fields.contains(&"spec.*.size"), "{fields:?}");
}

/// Texts but for one that nobody draws.
pub struct Known;

impl Converter<String, String> for Known {
    fn upgrade(&self, older: String) -> Result<String, ConvertError> {
        if older == "c0ffee" { Err("it is cold".into()) } else { Ok(older) }
    }

    fn downgrade(&self, newer: String) -> Result<String, ConvertError> {
        Ok(newer)
    }
}

two_versions!(Kitchen
    { pub drink: String, pub cups: Option<i32> }
    { #[versioned(with = Known)] pub drink: String, pub cups: Option<i32> });

const COFFEE: &str =
    "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {drink: c0ffee}\n";

#[test]
fn examples_are_tried() {
    holds::<Kitchen::Thing>();
    let resource = ResourceType::of::<Kitchen::Thing>();
    let trial = || Trial::of(&resource).unwrap().cases(1);
    let tea = r#"{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":{"drink":"tea"}}"#;
    let trial = trial().examples([tea, tea, COFFEE]).unwrap();
    let broken = trial.run(Law::Total).unwrap_err();
    assert_eq!(broken.case, 2);
    says(
        &broken.to_string(),
        &["`spec.drink`: the converter `Known` refuses \"c0ffee\": it is cold"],
    );
    // Other objects have their values, too.
    let has_value = |object: &String| object.contains("c0ffee");
    assert!(trial.objects("v2").take(200).any(|object| has_value(&object)));
}

#[test]
fn examples_are_files_and_lists() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples_are_files_and_lists");
    std::fs::create_dir_all(&folder).unwrap();
    let list =
        format!("apiVersion: v1\nkind: List\nitems:\n- {}", COFFEE.trim().replace('\n', "\n  "));
    std::fs::write(folder.join("list.yaml"), list).unwrap();
    let resource = ResourceType::of::<Kitchen::Thing>();
    for path in [folder.join("list.yaml"), folder] {
        let trial = Trial::of(&resource).unwrap().examples([path.as_path()]).unwrap();
        says(&trial.run(Law::Total).unwrap_err().to_string(), &["it is cold"]);
    }
}

#[test]
fn what_is_no_example_says_why() {
    let resource = ResourceType::of::<Kitchen::Thing>();
    for (example, why) in [
        ("apiVersion: v1\nkind: Pod", "an example: kind: `Pod`, must be Thing"),
        ("apiVersion: example.com/v3\nkind: Thing", "an example: apiVersion"),
        ("{", "an example: "),
        ("", "an example: the text has no object"),
        (
            "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {drnk: tea}}",
            "the API server refuses or prunes the object:\nspec.drink: Required value",
        ),
        (
            "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {drink: tea, sugar: 1}}",
            "pruned: spec.sugar",
        ),
    ] {
        let error = Trial::of(&resource).unwrap().examples([example]).unwrap_err().to_string();
        assert!(error.contains(why), "{why}\n{error}");
    }
    let error = Trial::of(&resource).unwrap().examples([Path::new("nowhere.yaml")]).unwrap_err();
    says(&error.to_string(), &["can't read `nowhere.yaml`: "]);
}

/// The tests that `laws!` makes start from them.
mod kitchen {
    crd_conv::laws!(
        super::Kitchen::Thing,
        examples =
            ["{apiVersion: example.com/v2, kind: Thing, metadata: {name: a}, spec: {drink: tea}}"]
    );
}

mod chain {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct V1 {
        size: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = V1)]
    pub struct V2 {
        #[versioned(with = Inverse(Tenfold))]
        size: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = V2)]
    pub struct V3 {
        #[versioned(with = Small::<5, MAX>, refuses(upgrade = "nobody has more than 5"))]
        size: i32,
    }

    /// Loses digits on the way up.
    pub struct Tenfold;

    impl Converter<i32, i32> for Tenfold {
        fn upgrade(&self, older: i32) -> Result<i32, ConvertError> {
            Ok(older.saturating_mul(10))
        }

        fn downgrade(&self, newer: i32) -> Result<i32, ConvertError> {
            Ok(newer / 10)
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub enum Thing {
        V1 {
            spec: V1,
        },
        V2 {
            spec: V2,
        },
        #[versioned(storage)]
        V3 {
            spec: V3,
        },
    }
}

/// A reason on the second hop counts from the first version to the last.
#[test]
fn a_reason_on_a_later_hop() {
    holds::<chain::Thing>();
}
