//! A resource as its author declared it: its names and its versions.
//!
//! `#[derive(Versioned)]` on the resource's enum writes a [`Definition`]. Call
//! [`ResourceType::definition`](crate::ResourceType::definition) to get it and inspect the names, versions
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
//! use crd_conv::{ResourceType, definition::{Layout, Scope}};
//!
//! let boxes = ResourceType::of::<Box>().definition();
//! assert_eq!((boxes.kind, boxes.scope), ("Box", Scope::Namespaced));
//! let [v1] = boxes.versions else { panic!("it has one version") };
//! assert!(v1.storage && v1.served);
//! let Layout::Stanzas([spec]) = v1.layout else { panic!("it has one stanza") };
//! assert_eq!((spec.wire, spec.ty.name), ("spec", "v1::BoxSpec"));
//! ```
//!
//! The mapping between the versions isn't part of it. [`ResourceType::explanation`](crate::ResourceType::explanation)
//! returns that.

mod version;

pub use crate::plan::ValidationRule;
pub use version::{PrinterColumn, Scale, VersionDefinition};

use crate::plan::{Choice, Declared, ForeignType, Indexed};

/// A resource: one kind in one group, served in several versions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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

impl Definition {
    /// Returns the definition of a resource with these versions, oldest first. All else has the API
    /// server's defaults.
    pub const fn new(
        group: &'static str,
        kind: &'static str,
        plural: &'static str,
        scope: Scope,
        versions: &'static [VersionDefinition],
    ) -> Self {
        Self {
            group,
            kind,
            plural,
            singular: None,
            list_kind: None,
            short_names: &[],
            categories: &[],
            scope,
            labels: &[],
            annotations: &[],
            descriptions: Descriptions::Full,
            versions,
        }
    }

    /// Sets the singular name.
    #[must_use]
    pub const fn singular(mut self, singular: &'static str) -> Self {
        self.singular = Some(singular);
        self
    }

    /// Sets the kind of a list of these objects.
    #[must_use]
    pub const fn list_kind(mut self, list_kind: &'static str) -> Self {
        self.list_kind = Some(list_kind);
        self
    }

    /// Sets the short names for the command line.
    #[must_use]
    pub const fn short_names(mut self, short_names: &'static [&'static str]) -> Self {
        self.short_names = short_names;
        self
    }

    /// Sets the categories.
    #[must_use]
    pub const fn categories(mut self, categories: &'static [&'static str]) -> Self {
        self.categories = categories;
        self
    }

    /// Sets the labels of the CustomResourceDefinition.
    #[must_use]
    pub const fn labels(mut self, labels: &'static [(&'static str, &'static str)]) -> Self {
        self.labels = labels;
        self
    }

    /// Sets the annotations of the CustomResourceDefinition.
    #[must_use]
    pub const fn annotations(
        mut self,
        annotations: &'static [(&'static str, &'static str)],
    ) -> Self {
        self.annotations = annotations;
        self
    }

    /// Sets which part of the types' doc comments the schemas contain.
    #[must_use]
    pub const fn descriptions(mut self, descriptions: Descriptions) -> Self {
        self.descriptions = descriptions;
        self
    }
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
#[non_exhaustive]
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
#[non_exhaustive]
pub enum Scope {
    /// One set of objects for the whole cluster.
    Cluster,
    /// A set of objects in each namespace.
    Namespaced,
}

/// The position of a version's types in the object.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Stanza {
    /// The name in JSON.
    pub wire: &'static str,
    /// Whether an object may omit it.
    pub optional: bool,
    /// The type.
    pub ty: TypeRef,
}

impl Stanza {
    /// Returns a stanza. `optional` says whether an object may omit it.
    pub const fn new(wire: &'static str, optional: bool, ty: TypeRef) -> Self {
        Self { wire, optional, ty }
    }
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
