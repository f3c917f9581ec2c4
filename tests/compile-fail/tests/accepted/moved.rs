//! Moved fields without the prelude: keywords, private types, and values with an `Option` on one side only.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

struct core;
struct Option;

mod older {
    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Spec {
        r#type: ::core::option::Option<::std::string::String>,
        #[serde(default)]
        size: i64,
        only: ::core::option::Option<Hidden>,
        r#struct: ::core::option::Option<Struct>,
    }

    #[derive(::serde::Serialize, ::serde::Deserialize)]
    struct Hidden {}

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Struct {
        r#match: ::core::option::Option<::std::vec::Vec<i64>>,
        other: ::core::option::Option<Hidden>,
    }
}

#[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
#[versioned(
    from = older::Spec,
    removed(only),
    moved(
        r#type => r#impl.r#use,
        size => sizes.size,
        struct.match => list,
    ),
)]
pub struct Spec {
    r#impl: ::core::option::Option<Impl>,
    #[serde(default)]
    sizes: Sizes,
    #[serde(default)]
    list: ::std::vec::Vec<i64>,
}

#[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
struct Impl {
    r#use: ::std::string::String,
}

#[derive(
    ::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize, ::std::default::Default,
)]
struct Sizes {
    size: ::core::option::Option<i64>,
}

#[::core::prelude::v1::test]
fn ways_of_moved_fields() {
    let ::crd_conv::__private::Nested::Struct(plan) =
        <Spec as ::crd_conv::UpgradeFrom<older::Spec>>::plan()
    else {
        ::std::panic!("a struct")
    };
    let mut ways = ::std::vec::Vec::new();
    for rule in plan.rules {
        if let ::crd_conv::__private::Rule::Moved { older, newer, .. } = rule {
            ways.push((older[0].field.wire, newer[0].field.wire, older[0].others.len()));
        }
    }
    ::std::assert_eq!(ways, [("type", "impl", 0), ("size", "sizes", 0), ("struct", "list", 1)]);
}
