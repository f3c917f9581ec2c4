//! Enums with data: names that are keywords, private types, names of one's own, and no prelude.
#![no_implicit_prelude]
#![deny(warnings)]

use ::crd_conv::{
    __private::{Nested, VariantRule},
    UpgradeFrom, Versioned,
};
use ::serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(crate) struct Hidden {
    name: ::std::string::String,
}

type String = ();
type Option = ();

pub mod v1beta1 {
    #![allow(dead_code, reason = "nothing makes them")]
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    pub(crate) struct Private {
        at: ::std::string::String,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
    pub(crate) enum r#Enum {
        r#Type {
            r#type: ::std::string::String,
            of_all: i32,
            #[serde(default)]
            private: ::std::vec::Vec<Private>,
        },
        Hidden(Hidden),
        Private(Private),
        Pair(Hidden, i32),
        None,
        Some {
            a: (),
        },
    }

    #[derive(Versioned, Serialize, Deserialize)]
    pub(crate) enum NoVariants {}
}

pub mod v1 {
    #![allow(dead_code, reason = "nothing makes them")]
    use super::*;

    #[derive(Versioned, Serialize, Deserialize)]
    #[versioned(from = super::v1beta1::Private)]
    pub(crate) struct Private {
        #[versioned(renamed_from = at)]
        place: ::std::string::String,
    }

    #[derive(Versioned, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[versioned(from = super::v1beta1::r#Enum, nullable = false, removed(Some = None))]
    pub(crate) enum r#Enum {
        #[versioned(renamed_from = r#Type, removed(private), map(type <=> (match, ref), with(upgrade = two, downgrade = one)))]
        #[serde(rename_all = "kebab-case")]
        r#Match {
            r#match: ::std::string::String,
            r#ref: ::std::string::String,
            of_all: i32,
            #[versioned(added)]
            #[serde(default)]
            fields: ::std::vec::Vec<Private>,
        },
        Hidden(Hidden),
        Private(Private),
        Pair(Hidden, i32),
        None,
        #[versioned(added(shown_as = None))]
        Ok(::std::boxed::Box<Private>),
    }

    fn two(one: ::std::string::String) -> (::std::string::String, ::std::string::String) {
        (one, <::std::string::String as ::core::default::Default>::default())
    }

    fn one((a, _): (::std::string::String, ::std::string::String)) -> ::std::string::String {
        a
    }
}

#[::core::prelude::v1::test]
fn kept_variants() {
    let Nested::Enum(plan) = <v1::r#Enum as UpgradeFrom<v1beta1::r#Enum>>::plan() else {
        ::std::panic!("an enum")
    };
    let kept = |rule: &VariantRule| ::core::matches!(rule, VariantRule::Kept { .. });
    let count = ::core::iter::Iterator::count(::core::iter::Iterator::filter(
        <[VariantRule]>::iter(plan.rules),
        |rule| kept(rule),
    ));
    ::std::assert_eq!((count, plan.rules.len()), (5, 7));
}
