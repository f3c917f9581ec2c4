//! Enums of values: their names in JSON, and their plans.

use crd_conv::{
    __private::{Nested, Rule, Shape, VariantRule, Variants},
    UpgradeFrom, Versioned,
};
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) enum Phase {
        Pending,
        Active,
        Failed,
        TimedOut,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub(super) enum Policy {
        KeepAll,
        Drop,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) struct Spec {
        phase: Phase,
        history: Vec<Phase>,
        policy: Option<Policy>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::Phase, removed(Failed = Stopped, TimedOut = Stopped))]
    pub(super) enum Phase {
        Pending,
        #[versioned(renamed_from = Active)]
        InProgress,
        #[versioned(added(shown_as = Failed))]
        Stopped,
        #[serde(other)]
        Unknown,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Policy)]
    pub(super) enum Policy {
        #[serde(rename = "keep-all")]
        KeepAll,
        #[serde(rename(serialize = "drop", deserialize = "drop"))]
        Drop,
        #[serde(skip)]
        #[expect(dead_code, reason = "shows that it has no name in JSON")]
        Cached,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Spec)]
    pub(super) struct Spec {
        phase: Phase,
        history: Vec<Phase>,
        policy: Option<Policy>,
    }
}

/// A module with the name of an attribute.
mod resource {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub(super) enum Mode {
        On,
    }
}

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(from = resource::Mode)]
enum Mode {
    On,
}

fn rules(plan: Nested) -> Vec<(char, &'static str, &'static str)> {
    let Nested::Enum(plan) = plan else { panic!("{plan:?}") };
    let rule = |rule: &VariantRule| match *rule {
        VariantRule::Kept { older, newer, .. } => ('=', older.wire, newer.wire),
        VariantRule::Added { newer, shown_as } => ('+', shown_as.wire, newer.wire),
        VariantRule::Removed { older, shown_as } => ('-', older.wire, shown_as.wire),
        ref other => panic!("{other:?}"),
    };
    plan.rules.iter().map(rule).collect()
}

#[test]
fn variants_kept_renamed_added_removed() {
    let mut found = rules(<v1::Phase as UpgradeFrom<v1beta1::Phase>>::plan());
    found.sort_unstable();
    assert_eq!(
        found,
        [
            ('+', "Failed", "stopped"),
            ('-', "Failed", "stopped"),
            ('-', "TimedOut", "stopped"),
            ('=', "Active", "inProgress"),
            ('=', "Pending", "pending"),
        ]
    );
}

#[test]
fn the_same_names_are_kept() {
    let found = rules(<v1::Policy as UpgradeFrom<v1beta1::Policy>>::plan());
    assert_eq!(found, [('=', "keep-all", "keep-all"), ('=', "drop", "drop")]);
    assert_eq!(rules(<Mode as UpgradeFrom<resource::Mode>>::plan()), [('=', "On", "On")]);
}

/// The API server never takes null for an enum.
#[test]
fn no_name_is_null() {
    let nullable: Vec<_> = v1::Spec::FIELDS.iter().map(|facts| facts.field.nullable).collect();
    assert_eq!(nullable, [false, false, false]);
    assert!(v1::Spec::FIELDS[2].field.optional && v1::Spec::FIELDS[2].option);
}

#[test]
fn through_containers() {
    let Nested::Struct(plan) = <v1::Spec as UpgradeFrom<v1beta1::Spec>>::plan() else {
        panic!("a struct")
    };
    let nested: Vec<_> = plan
        .rules
        .iter()
        .filter_map(|rule| match rule {
            Rule::Kept { nested, .. } => nested.get(),
            _ => None,
        })
        .collect();
    let [Nested::Enum(phase), Nested::List(history), Nested::Enum(policy)] = nested[..] else {
        panic!("{nested:?}")
    };
    assert_eq!((phase.older, phase.newer), ("v1beta1::Phase", "v1::Phase"));
    assert!(matches!(history(), Nested::Enum(inside) if std::ptr::eq(inside, phase)));
    assert_eq!(policy.newer, "v1::Policy");
}

/// One enum for each rule, with names that are hard to change.
macro_rules! cases {
    ($($test:ident $rule:literal)*) => {$(
        #[test]
        fn $test() {
            #[derive(Versioned, Serialize, Deserialize, Clone, Copy)]
            #[serde(rename_all = $rule)]
            #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "names that serde must rename all the same")]
            enum Names {
                Plain,
                TwoWords,
                URL,
                HTTPServer,
                with_Underscore,
                lower,
                V2,
                Größe,
                r#Type,
                #[serde(rename = "Another-Name")]
                Renamed,
            }
            let all = [
                Names::Plain, Names::TwoWords, Names::URL, Names::HTTPServer, Names::with_Underscore,
                Names::lower, Names::V2, Names::Größe, Names::Type, Names::Renamed,
            ];
            let ours: Vec<_> = Names::VARIANTS.iter().map(|facts| format!("{:?}", facts.variant.wire)).collect();
            let theirs: Vec<_> =
                all.iter().map(|name| serde_json::to_string(name).expect("a name")).collect();
            assert_eq!(ours, theirs);
        }
    )*};
}

cases! {
    lower "lowercase"
    upper "UPPERCASE"
    pascal "PascalCase"
    camel "camelCase"
    snake "snake_case"
    screaming_snake "SCREAMING_SNAKE_CASE"
    kebab "kebab-case"
    screaming_kebab "SCREAMING-KEBAB-CASE"
}
