//! One version of a resource, its columns, and its scale subresource.

use super::{Layout, ValidationRule};
use crate::plan::{Branch, Nested, Tree};

/// One version of a resource.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "they are the switches of the API object")]
pub struct VersionDefinition {
    /// The version's name, such as `v1beta1`.
    pub name: &'static str,
    /// Describes the version's objects in `kubectl explain`. With [`Layout::Root`], it replaces the description of the type.
    pub description: Option<&'static str>,
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
            description: None,
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

    /// Says what its objects are.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
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
