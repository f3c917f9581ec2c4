//! Fields that are keywords, private fields, and private types in a public struct.
#![deny(warnings)]

use crd_conv::{
    __private::{Nested, Rule},
    ConvertError, Converter, UpgradeFrom, Versioned,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Hidden {
    name: String,
}

pub mod v1beta1 {
    use super::*;

    /// Removed later, so that nobody else needs to name it.
    #[derive(Serialize, Deserialize)]
    struct OfThisModuleOnly {
        name: String,
    }

    #[derive(Versioned)]
    pub struct Spec {
        r#type: String,
        r#ref: String,
        hidden: Hidden,
        list: Vec<Hidden>,
        only: Option<OfThisModuleOnly>,
    }

    impl Spec {
        pub fn names(&self) -> [&str; 5] {
            let only = self.only.as_ref().map_or("", |only| &only.name);
            [&self.r#type, &self.r#ref, &self.hidden.name, &self.list[0].name, only]
        }
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::Spec, removed(only))]
pub struct Spec {
    r#type: String,
    #[versioned(renamed_from = ref)]
    r#match: String,
    hidden: Hidden,
    #[versioned(renamed_from = list, with = First)]
    first: Option<Hidden>,
}

struct First;

impl Converter<Vec<Hidden>, Option<Hidden>> for First {
    fn upgrade(&self, older: Vec<Hidden>) -> Result<Option<Hidden>, ConvertError> {
        Ok(older.into_iter().next())
    }
    fn downgrade(&self, newer: Option<Hidden>) -> Result<Vec<Hidden>, ConvertError> {
        Ok(newer.into_iter().collect())
    }
}

impl Spec {
    pub fn names(&self) -> [&str; 4] {
        let first = self.first.as_ref().map_or("", |first| &first.name);
        [&self.r#type, &self.r#match, &self.hidden.name, first]
    }
}

#[test]
fn names_as_in_json() {
    let Nested::Struct(plan) = <Spec as UpgradeFrom<v1beta1::Spec>>::plan() else {
        panic!("structs")
    };
    let kept: Vec<_> = plan
        .rules
        .iter()
        .filter_map(|rule| match rule {
            Rule::Kept { older, newer, nested } => {
                assert!(nested.get().is_none());
                Some([older.rust, older.wire, newer.rust, newer.wire])
            }
            _ => None,
        })
        .collect();
    assert!(kept.contains(&["type", "type", "type", "type"]));
    assert!(kept.contains(&["ref", "ref", "match", "match"]));
    assert_eq!(plan.rules.len(), 5);
}
