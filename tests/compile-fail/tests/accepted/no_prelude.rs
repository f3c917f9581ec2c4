//! Without the prelude.
#![no_implicit_prelude]
#![deny(warnings)]

mod v1beta1 {
    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub enum Phase {
        Pending,
        Active,
    }

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Item {
        pub name: ::std::string::String,
    }

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    pub struct Spec {
        pub host: ::std::string::String,
        #[serde(default)]
        pub tags: ::std::vec::Vec<::std::string::String>,
        pub owner: ::core::option::Option<::std::string::String>,
        pub phase: ::core::option::Option<Phase>,
        #[versioned(list_map_keys(name), nullable)]
        pub items: ::std::vec::Vec<Item>,
    }
}

mod v1 {
    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    #[versioned(from = super::v1beta1::Phase, removed(Active = Pending))]
    pub enum Phase {
        Pending,
        #[versioned(added(shown_as = Active))]
        Running,
    }

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    #[versioned(from = super::v1beta1::Item)]
    pub struct Item {
        #[versioned(renamed_from = name)]
        pub title: ::std::string::String,
    }

    #[derive(::crd_conv::Versioned, ::serde::Serialize, ::serde::Deserialize)]
    #[versioned(from = super::v1beta1::Spec, nullable = false, map_type = "granular", removed(tags, owner))]
    pub struct Spec {
        #[versioned(with(upgrade = same, downgrade = same))]
        pub host: ::std::string::String,
        #[versioned(added(value = "x"))]
        pub name: ::std::string::String,
        pub phase: ::core::option::Option<Phase>,
        #[versioned(list_map_keys(title))]
        pub items: ::std::vec::Vec<Item>,
        #[serde(default)]
        #[versioned(added)]
        pub labels: ::std::vec::Vec<::std::string::String>,
    }

    fn same(text: ::std::string::String) -> ::std::string::String {
        text
    }
}

/// Schemars' own derive needs the prelude.
macro_rules! schema {
    ($ty:ty) => {
        impl ::schemars::JsonSchema for $ty {
            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed("Spec")
            }
            fn json_schema(_: &mut ::schemars::SchemaGenerator) -> ::schemars::Schema {
                <::schemars::Schema as ::core::convert::From<bool>>::from(true)
            }
        }
    };
}

schema!(v1beta1::Spec);
schema!(v1::Spec);

#[derive(::crd_conv::Versioned)]
#[versioned(resource(
    group = "example.com",
    plural = "crontabs",
    scope = "Namespaced",
    label("a" = "b"),
    annotation("c" = "d"),
    category = "all",
))]
enum CronTab {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::Spec,
    },
}

#[::core::prelude::v1::test]
fn its_kind() {
    let definition = <CronTab as ::crd_conv::VersionedResource>::DEFINITION;
    ::std::assert_eq!(definition.kind, "CronTab");
}
