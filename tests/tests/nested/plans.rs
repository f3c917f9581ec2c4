//! Plans of nested types, through every container.

use std::collections::{BTreeMap, HashMap};

use crd_conv::{
    __private::{Nested, Rule, StructPlan},
    UpgradeFrom, Versioned,
};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) struct Container {
        image: String,
        labels: BTreeMap<String, String>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) struct Tree {
        weight: i32,
        children: Vec<Tree>,
        left: Option<Box<Tree>>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) struct Spec {
        container: Container,
        containers: Vec<Container>,
        pools: BTreeMap<String, Vec<Option<Container>>>,
        by_name: HashMap<String, Box<Container>>,
        ordered: IndexMap<String, Vec<Container>>,
        tree: Option<Box<Tree>>,
        matrix: Option<Vec<Vec<i32>>>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Container)]
    pub(super) struct Container {
        #[versioned(renamed_from = image)]
        picture: String,
        labels: BTreeMap<String, String>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Tree)]
    pub(super) struct Tree {
        #[versioned(renamed_from = weight)]
        mass: i32,
        children: Vec<Tree>,
        left: Option<Box<Tree>>,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        container: Container,
        containers: Vec<Container>,
        pools: BTreeMap<String, Vec<Option<Container>>>,
        by_name: HashMap<String, Box<Container>>,
        ordered: IndexMap<String, Vec<Container>>,
        tree: Option<Box<Tree>>,
        matrix: Option<Vec<Vec<i32>>>,
    }
}

/// Where the plan is, with a mark for each list and map on the way.
fn inside(mut nested: Nested) -> (String, &'static StructPlan) {
    let mut way = String::new();
    loop {
        match nested {
            Nested::Struct(plan) => return (way, plan),
            Nested::List(inner) => {
                way += "[]";
                nested = inner();
            }
            Nested::Map(inner) => {
                way += ".*";
                nested = inner();
            }
            other => panic!("{other:?}"),
        }
    }
}

fn kept(plan: &StructPlan) -> Vec<(&'static str, Option<(String, &'static StructPlan)>)> {
    let kept = |rule: &Rule| match rule {
        Rule::Kept { newer, nested, .. } => (newer.rust, nested.get().map(inside)),
        other => panic!("{other:?}"),
    };
    plan.rules.iter().map(kept).collect()
}

#[test]
fn every_container() {
    let (_, spec) = inside(<v1::Spec as UpgradeFrom<v1beta1::Spec>>::plan());
    let (_, container) = inside(<v1::Container as UpgradeFrom<v1beta1::Container>>::plan());
    let found = kept(spec);
    let way = |name: &str| {
        let (_, nested) = found.iter().find(|(field, _)| *field == name).expect("a field");
        nested.as_ref().map(|(way, plan)| (way.as_str(), plan.newer))
    };
    assert_eq!(way("container"), Some(("", "v1::Container")));
    assert_eq!(way("containers"), Some(("[]", "v1::Container")));
    assert_eq!(way("pools"), Some((".*[]", "v1::Container")));
    assert_eq!(way("by_name"), Some((".*", "v1::Container")));
    assert_eq!(way("ordered"), Some((".*[]", "v1::Container")));
    assert_eq!(way("tree"), Some(("", "v1::Tree")));
    // The same type is the identity, whatever is in it.
    assert_eq!(way("matrix"), None);
    assert_eq!(kept(container).iter().filter(|(_, nested)| nested.is_some()).count(), 0);
    // Wherever the struct stands, the engine sees one plan.
    let plans: Vec<_> = found.iter().filter_map(|(_, nested)| nested.as_ref()).collect();
    let same = plans.iter().filter(|(_, plan)| std::ptr::eq(*plan, container)).count();
    assert_eq!(same, 5);
}

#[test]
fn types_that_hold_themselves() {
    let (_, tree) = inside(<v1::Tree as UpgradeFrom<v1beta1::Tree>>::plan());
    let found = kept(tree);
    let way = |place: usize| {
        let (way, plan) = found[place].1.as_ref().expect("nested");
        assert!(std::ptr::eq(*plan, tree));
        way.as_str()
    };
    let names: Vec<_> = found.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["mass", "children", "left"]);
    assert_eq!((way(1), way(2)), ("[]", ""));
}
