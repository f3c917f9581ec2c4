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

pub use crate::plan::ValidationRule;

use crate::plan::{Branch, Choice, Declared, ForeignType, Indexed, Nested, Tree};

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

/// One version of a resource.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
    /// Returns the definition of a version that is served, and not stored.
    pub const fn new(name: &'static str, layout: Layout) -> Self {
        Self {
            name,
            served: true,
            storage: false,
            deprecated: false,
            deprecation_warning: None,
            printer_columns: &[],
            status: false,
            scale: None,
            selectable_fields: &[],
            validations: &[],
            layout,
            plan: None,
        }
    }

    /// Sets whether the API server serves it.
    #[must_use]
    pub const fn served(mut self, served: bool) -> Self {
        self.served = served;
        self
    }

    /// Sets whether objects are stored in it.
    #[must_use]
    pub const fn storage(mut self, storage: bool) -> Self {
        self.storage = storage;
        self
    }

    /// Makes the API server warn clients that use it, with its own text or another one.
    #[must_use]
    pub const fn deprecated(mut self, warning: Option<&'static str>) -> Self {
        self.deprecated = true;
        self.deprecation_warning = warning;
        self
    }

    /// Sets the columns of `kubectl get`.
    #[must_use]
    pub const fn printer_columns(mut self, columns: &'static [PrinterColumn]) -> Self {
        self.printer_columns = columns;
        self
    }

    /// Sets whether it has the status subresource.
    #[must_use]
    pub const fn status(mut self, status: bool) -> Self {
        self.status = status;
        self
    }

    /// Gives it the scale subresource.
    #[must_use]
    pub const fn scale(mut self, scale: Scale) -> Self {
        self.scale = Some(scale);
        self
    }

    /// Sets the JSON paths that field selectors may use.
    #[must_use]
    pub const fn selectable_fields(mut self, paths: &'static [&'static str]) -> Self {
        self.selectable_fields = paths;
        self
    }

    /// Sets the CEL rules for the whole object.
    #[must_use]
    pub const fn validations(mut self, rules: &'static [ValidationRule]) -> Self {
        self.validations = rules;
        self
    }

    /// Sets how an object of this version came from the version before it.
    #[doc(hidden)]
    #[must_use]
    pub const fn plan(mut self, plan: fn() -> Option<Nested>) -> Self {
        self.plan = Some(plan);
        self
    }

    /// Returns the rules between the version before this one and this one, or `None` if the versions are the same.
    pub(crate) fn rules(&self) -> Option<Branch> {
        Some(Tree::of(self.plan?()?))
    }
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

/// One column of `kubectl get`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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

impl PrinterColumn {
    /// Returns a column for the standard view.
    pub const fn new(name: &'static str, ty: &'static str, json_path: &'static str) -> Self {
        Self { name, ty, json_path, format: None, description: None, priority: None }
    }

    /// Sets the OpenAPI format.
    #[must_use]
    pub const fn format(mut self, format: &'static str) -> Self {
        self.format = Some(format);
        self
    }

    /// Describes what the column shows.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// Sets the priority: 0 for the standard view, greater for `-o wide`.
    #[must_use]
    pub const fn priority(mut self, priority: i32) -> Self {
        self.priority = Some(priority);
        self
    }
}

/// The scale subresource.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Scale {
    /// A path below `.spec`.
    pub spec_replicas_path: &'static str,
    /// A path below `.status`.
    pub status_replicas_path: &'static str,
    /// A path below `.spec` or `.status`.
    pub label_selector_path: Option<&'static str>,
}

impl Scale {
    /// Returns the subresource with the paths of the desired and the actual number of replicas.
    pub const fn new(spec_replicas_path: &'static str, status_replicas_path: &'static str) -> Self {
        Self { spec_replicas_path, status_replicas_path, label_selector_path: None }
    }

    /// Sets the path of the label selector.
    #[must_use]
    pub const fn label_selector_path(mut self, path: &'static str) -> Self {
        self.label_selector_path = Some(path);
        self
    }
}
