//! The rules for what contains versioned types: an object with its stanzas, an `Option`, a `Box`, a
//! list or a map.

use std::collections::{BTreeMap, HashMap};

use super::Unknown;
use crate::plan::{Nested, Rule, StructPlan};
use crate::versioned::UpgradeFrom;

/// Returns the plan of an object's stanzas, or `None` if every stanza stays as it is.
pub fn stanzas(plan: &'static StructPlan) -> Option<Nested> {
    let same = |rule: &Rule| match rule {
        Rule::Kept { older, newer, nested } => older.wire == newer.wire && nested.get().is_none(),
        _ => false,
    };
    if plan.rules.iter().all(same) { None } else { Some(Nested::Struct(plan)) }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Option<O>> for Option<N> {
    fn plan() -> Nested {
        N::plan()
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Box<O>> for Box<N> {
    fn plan() -> Nested {
        N::plan()
    }
}

impl<O, N: UpgradeFrom<O>> UpgradeFrom<Vec<O>> for Vec<N> {
    fn plan() -> Nested {
        Nested::List(N::plan)
    }
}

impl<K, O, N: UpgradeFrom<O>> UpgradeFrom<BTreeMap<K, O>> for BTreeMap<K, N> {
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

impl<K, O, N: UpgradeFrom<O>, S> UpgradeFrom<HashMap<K, O, S>> for HashMap<K, N, S> {
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

#[cfg(feature = "indexmap")]
impl<K, O, N: UpgradeFrom<O>, S> UpgradeFrom<indexmap::IndexMap<K, O, S>>
    for indexmap::IndexMap<K, N, S>
{
    fn plan() -> Nested {
        Nested::Map(N::plan)
    }
}

/// Accepts any type as the newer version of a type whose own derive failed, because that error is
/// enough.
impl<N> UpgradeFrom<Unknown> for N {
    fn plan() -> Nested {
        static NOTHING: StructPlan = StructPlan::new("", "", &[]);
        Nested::Struct(&NOTHING)
    }
}
