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
        with: ::core::option::Option<::std::string::String>,
    }

    #[derive(::serde::Serialize, ::serde::Deserialize)]
    struct Hidden {}

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Struct {
        r#match: ::core::option::Option<::std::vec::Vec<i64>>,
        other: ::core::option::Option<Hidden>,
        r#loop: ::core::option::Option<i64>,
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
    moved(
        with => r#impl.with,
        with = ::crd_conv::with::GoDuration::SECONDS,
        fallback(upgrade = 60),
    ),
    moved(
        struct.loop => sizes.loop,
        with(upgrade = halved, downgrade = doubled),
        refuses(downgrade = "no size is that large"),
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
    r#use: ::core::option::Option<::std::string::String>,
    with: ::core::option::Option<i64>,
}

#[derive(
    ::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize, ::std::default::Default,
)]
struct Sizes {
    size: ::core::option::Option<i64>,
    #[serde(default)]
    r#loop: i64,
}

fn halved(number: ::core::option::Option<i64>) -> i64 {
    number.unwrap_or(0) / 2
}

fn doubled(
    number: i64,
) -> ::core::result::Result<::core::option::Option<i64>, ::std::string::String> {
    let doubled = number.checked_mul(2).ok_or("too large")?;
    ::core::result::Result::Ok(::core::option::Option::Some(doubled))
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
        if let ::crd_conv::__private::Rule::Moved { older, newer, change, .. } = rule {
            let by = match change {
                ::crd_conv::__private::Change::By(by) => by.by,
                _ => "",
            };
            ways.push((
                older[0][0].field.wire,
                newer[0][0].field.wire,
                older[0][0].others.len(),
                by,
            ));
        }
    }
    let unchanged = [("type", "impl", 0, ""), ("size", "sizes", 0, ""), ("struct", "list", 1, "")];
    ::std::assert_eq!(ways[..3], unchanged);
    let converted = [
        ("with", "impl", 0, "crd_conv::with::GoDuration::SECONDS"),
        ("struct", "sizes", 1, "halved / doubled"),
    ];
    ::std::assert_eq!(ways[3..], converted);
}
