//! A resource as its author declared it: its names and its versions.
//!
//! `#[derive(Versioned)]` on the resource's enum writes a [`Definition`]. Call
//! [`Resource::definition`](crate::Resource::definition) to get it and inspect the names, versions
//! and types:
//!
//! ```
//! mod v1 {
//!     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
//!     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
//!     pub struct BoxSpec { pub size: i64 }
//! }
//!
//! #[derive(crd_conv::Versioned)]
//! #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
//! enum Box { #[versioned(storage)] V1 { spec: v1::BoxSpec } }
//!
//! use crd_conv::{Resource, definition::{Layout, Scope}};
//!
//! let boxes = Resource::of::<Box>().definition();
//! assert_eq!((boxes.kind, boxes.scope), ("Box", Scope::Namespaced));
//! let [v1] = boxes.versions else { panic!("it has one version") };
//! assert!(v1.storage && v1.served);
//! let Layout::Stanzas([spec]) = v1.layout else { panic!("it has one stanza") };
//! assert_eq!((spec.wire, spec.ty.name), ("spec", "v1::BoxSpec"));
//! ```
//!
//! The mapping between the versions isn't part of it. [`Resource::explanation`](crate::Resource::explanation)
//! returns that.

pub use crate::plan::ValidationRule;

use crate::plan::{Branch, Choice, Declared, ForeignType, Indexed, Nested, Tree};

/// A resource: one kind in one group, served in several versions.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The API group, such as `example.com`.
    pub group: &'static str,
    /// The kind, such as `CronTab`.
    pub kind: &'static str,
    /// The name in URLs, such as `crontabs`.
    pub plural: &'static str,
    /// The singular name. The server's default is the kind in lower case.
    pub singular: Option<&'static str>,
    /// The kind of a list of these objects. The server's default is the kind followed by `List`.
    pub list_kind: Option<&'static str>,
    /// Short names for the command line.
    pub short_names: &'static [&'static str],
    /// Categories such as `all`.
    pub categories: &'static [&'static str],
    /// Whether objects belong to a namespace.
    pub scope: Scope,
    /// Labels of the CustomResourceDefinition.
    pub labels: &'static [(&'static str, &'static str)],
    /// Annotations of the CustomResourceDefinition.
    pub annotations: &'static [(&'static str, &'static str)],
    /// Which part of the types' doc comments the schemas contain.
    pub descriptions: Descriptions,
    /// The versions, oldest first.
    pub versions: &'static [VersionDefinition],
}

#[cfg(feature = "schema")]
impl Definition {
    /// The name of the CustomResourceDefinition.
    pub(crate) fn crd_name(&self) -> String {
        format!("{}.{}", self.plural, self.group)
    }
}

/// Which part of the types' doc comments the schemas contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Descriptions {
    /// The whole doc comments.
    #[default]
    Full,
    /// The first paragraph of each doc comment.
    Summary,
    /// No descriptions, which makes the smallest document.
    None,
}

/// Whether objects belong to a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One set of objects for the whole cluster.
    Cluster,
    /// A set of objects in each namespace.
    Namespaced,
}

/// One version of a resource.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the API object")]
pub struct VersionDefinition {
    /// The version's name, such as `v1beta1`.
    pub name: &'static str,
    /// Whether the API server serves it.
    pub served: bool,
    /// Whether objects are stored in it. This is true for exactly one version.
    pub storage: bool,
    /// Whether the API server warns clients that use it.
    pub deprecated: bool,
    /// The text of that warning. Without it, the API server uses its own.
    pub deprecation_warning: Option<&'static str>,
    /// The columns of `kubectl get`.
    pub printer_columns: &'static [PrinterColumn],
    /// Whether it has the status subresource.
    pub status: bool,
    /// The scale subresource.
    pub scale: Option<Scale>,
    /// JSON paths that field selectors may use.
    pub selectable_fields: &'static [&'static str],
    /// CEL rules for the whole object.
    pub validations: &'static [ValidationRule],
    /// The position of its types in the object.
    pub layout: Layout,
    /// How an object of this version came from the version before it; `None` for the oldest. The function
    /// gives `None` if the two versions are the same.
    #[doc(hidden)]
    pub plan: Option<fn() -> Option<Nested>>,
}

impl VersionDefinition {
    /// Returns the rules between the version before this one and this one, or `None` if the versions are the same.
    pub(crate) fn rules(&self) -> Option<Branch> {
        Some(Tree::of(self.plan?()?))
    }
}

/// The position of a version's types in the object.
#[derive(Clone, Copy, Debug)]
pub enum Layout {
    /// The type's fields are at the object's root, next to `metadata`.
    Root(TypeRef),
    /// Each type has a stanza of its own.
    Stanzas(&'static [Stanza]),
}

#[cfg(feature = "schema")]
impl Layout {
    /// Whether all types have a schema.
    pub(crate) fn has_schema(&self) -> bool {
        match self {
            Self::Root(ty) => ty.schema.is_some(),
            Self::Stanzas(stanzas) => stanzas.iter().all(|stanza| stanza.ty.schema.is_some()),
        }
    }
}

/// One stanza of an object, such as `spec`.
#[derive(Clone, Copy, Debug)]
pub struct Stanza {
    /// The name in JSON.
    pub wire: &'static str,
    /// Whether an object may omit it.
    pub optional: bool,
    /// The type.
    pub ty: TypeRef,
}

/// Any type with a schema, for the compiler's message about a type that has none.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema",
    label = "`schemars::JsonSchema` isn't implemented for it",
    note = "the CustomResourceDefinition contains the schema of each version: derive `schemars::JsonSchema` on the type, together with \
            `Versioned`",
    note = "use the derive of schemars 1: the derive of another version implements another trait",
    note = "for a resource without schemas, whose CustomResourceDefinition comes from elsewhere, write \
            `#[versioned(resource(…, schema = \"disabled\"))]`"
)]
pub trait HasSchema: schemars::JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: schemars::JsonSchema> HasSchema for T {}

/// A Rust type of a version.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TypeRef {
    /// The type as the author wrote it.
    pub name: &'static str,
    /// `None` for a resource with `schema = "disabled"`.
    #[cfg_attr(not(feature = "schema"), expect(dead_code, reason = "for schemas"))]
    pub(crate) schema: Option<ForeignType>,
    pub(crate) declared: Indexed<Declared>,
}

impl TypeRef {
    #[doc(hidden)]
    pub const fn of<T: HasSchema>(name: &'static str) -> Self {
        let schema: ForeignType = schemars::SchemaGenerator::subschema_for::<T>;
        Self { name, schema: Some(schema), declared: Indexed::NOTHING }
    }

    #[doc(hidden)]
    pub const fn without_schema(name: &'static str) -> Self {
        Self { name, schema: None, declared: Indexed::NOTHING }
    }

    /// Adds what the authors of the type and of the types inside declare in addition to them.
    #[doc(hidden)]
    #[must_use]
    pub const fn declaring(mut self, declared: Choice<Declared>) -> Self {
        self.declared = Indexed::new(declared, 0);
        self
    }
}

/// One column of `kubectl get`.
#[derive(Clone, Copy, Debug)]
pub struct PrinterColumn {
    /// The header.
    pub name: &'static str,
    /// `integer`, `number`, `string`, `boolean` or `date`.
    pub ty: &'static str,
    /// The path of the value, such as `.spec.schedule`.
    pub json_path: &'static str,
    /// An OpenAPI format.
    pub format: Option<&'static str>,
    /// What the column shows.
    pub description: Option<&'static str>,
    /// 0 for the standard view, greater for `-o wide`.
    pub priority: Option<i32>,
}

/// The scale subresource.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// A path below `.spec`.
    pub spec_replicas_path: &'static str,
    /// A path below `.status`.
    pub status_replicas_path: &'static str,
    /// A path below `.spec` or `.status`.
    pub label_selector_path: Option<&'static str>,
}
