//! The generated code doesn't depend on what names mean where the derive stands.
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

use crd_conv::VersionedResource;

pub struct Option;
pub struct Some;
pub struct None;
pub struct Ok;
pub struct Err;
pub struct Result;
pub struct String;
pub struct Vec;
pub struct Box;
pub struct Default;
pub struct core;
pub struct std;
pub struct str;
pub struct bool;
pub struct usize;

type Text = ::std::string::String;
type Maybe<T> = ::core::option::Option<T>;

type Many<T> = ::std::vec::Vec<T>;

#[derive(crd_conv::Versioned)]
pub struct Item {
    name: Text,
}

#[derive(crd_conv::Versioned)]
pub enum OlderPhase {
    None,
    Some,
    Gone,
}

#[derive(crd_conv::Versioned)]
#[versioned(from = OlderPhase, removed(Gone = Option))]
pub enum NewerPhase {
    #[versioned(renamed_from = None)]
    Option,
    Some,
    #[versioned(added(shown_as = Some))]
    Ok,
}

#[derive(crd_conv::Versioned)]
pub struct Older {
    #[versioned(list_map_keys(name))]
    items: Maybe<Many<Item>>,
    phases: Many<OlderPhase>,
    host: Text,
    port: i32,
    owner: Maybe<Text>,
}

#[derive(crd_conv::Versioned)]
#[versioned(
    from = Older,
    removed(owner),
    map((host, port) <=> address, with(upgrade = join, downgrade = split)),
    nullable = false,
    map_type = "atomic",
)]
pub struct Newer {
    #[versioned(list_map_keys("name"))]
    items: Maybe<Many<Item>>,
    phases: Many<NewerPhase>,
    address: Text,
    #[versioned(added(value = -3))]
    limit: i32,
    #[versioned(added)]
    note: Maybe<Text>,
}

fn join((host, port): (Text, i32)) -> Text {
    ::std::format!("{host}:{port}")
}

#[allow(clippy::needless_pass_by_value, reason = "it is given values")]
fn split(
    address: Text,
) -> ::core::result::Result<(Text, i32), ::std::boxed::Box<dyn ::std::error::Error + Send + Sync>> {
    let (host, port) = address.rsplit_once(':').ok_or("no port")?;
    ::core::result::Result::Ok((host.into(), port.parse()?))
}

/// Serde's own derives depend on what `str` means.
mod serde_by_hand {
    macro_rules! impls {
        ($($ty:ident)*) => {$(
            impl ::serde::Serialize for super::$ty {
                fn serialize<S: ::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                    to.serialize_unit()
                }
            }
            impl<'de> ::serde::Deserialize<'de> for super::$ty {
                fn deserialize<D: ::serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
                    Err(::serde::de::Error::custom("no value"))
                }
            }
        )*};
    }

    impls!(Item OlderPhase NewerPhase);
}

mod schema {
    impl ::schemars::JsonSchema for super::Older {
        fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
            "Older".into()
        }
        fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
            ::schemars::json_schema!({})
        }
    }
    impl ::schemars::JsonSchema for super::Newer {
        fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
            "Newer".into()
        }
        fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
            ::schemars::json_schema!({})
        }
    }
}

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Cluster"))]
enum CronTab {
    #[versioned(name = "v1beta1", served = false)]
    Old(Older),
    #[versioned(
        name = "v1",
        storage,
        scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"),
        selectable_field = ".host"
    )]
    New(Newer),
}

#[test]
fn its_versions() {
    assert_eq!(CronTab::DEFINITION.versions.len(), 2);
    assert!(CronTab::DEFINITION.versions[1].plan.unwrap()().is_some());
}
