//! The keywords of `#[versioned(…)]`, for completion in editors. Only rust-analyzer and the unit
//! tests compile this module.
//!
//! There is a module for each list of keywords. `crd-conv-derive/src/complete.rs` explains how the
//! derive refers to them, and its tests compare the names with those that the derive knows. A
//! keyword that always has parentheses is a function, so that rust-analyzer inserts the
//! parentheses, with the parameter as the text to replace. All others are constants, and their type
//! says what to write after `=`. `crate` and `type` can't be names of items.

#![allow(
    non_upper_case_globals,
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    reason = "the items are documentation and are never used"
)]
#![allow(unused_variables, reason = "a parameter's name is the text to replace")]

/// The keyword alone, `= true` or `= false`.
pub struct Flag;

/// The keyword alone, or items in parentheses.
pub struct Items;

/// A literal, or the path of a constant.
pub struct Value;

/// A literal without quotes around it.
pub struct Number;

/// A string literal.
pub struct Text;

/// A path, without quotes.
pub struct Path;

/// A constant of a type that implements `crd_conv::Converter`.
pub struct Converter;

/// The Rust name of a field, without quotes.
pub struct FieldName;

/// The Rust name of a variant, without quotes and without its enum.
pub struct VariantName;

pub mod on_struct {
    use super::{Flag, Path, Text};

    /// The version before this one: `from = super::v1beta1::CronTabSpec`. Without it, the type is the oldest version.
    pub const from: Path = Path;

    /// Fields that only the older version has: `removed(owner, zone = "eu")`. The value is what the older version shows
    /// for an object that never had the field. An `Option` and a field with a default need none.
    pub fn removed(fields: Text) {}

    /// Converts a group of older fields to a group of newer ones: `map(host_port <=> (host, port), with = HostPort)`. A
    /// field may be a path into another struct.
    pub fn map(older_to_newer: Text) {}

    /// Fields that move into a nested struct, out of one, or from one to another: `moved(timeout => checks.timeout)`. The
    /// place in the older version is on the left. One move can have a converter: `moved(timeout => checks.timeout, with = …)`.
    pub fn moved(older_to_newer: Text) {}

    /// `nullable = false`: no `Option` field of this type is nullable, unless the field has `nullable`.
    pub const nullable: Flag = Flag;

    /// `"atomic"` or `"granular"`: `x-kubernetes-map-type` wherever the type is used.
    pub const map_type: Text = Text;

    /// A rule in CEL that the API server checks wherever the type is used:
    /// `validation("self.min <= self.max", message = "min is at most max")`.
    pub fn validation(rule: Text) {}
}

pub mod on_field {
    use super::{Converter, FieldName, Flag, Items, Number, Text, Value};

    pub use super::on_struct::validation;

    /// The field maps to the older field with this Rust name: `renamed_from = cron_spec`.
    pub const renamed_from: FieldName = FieldName;

    /// Only the newer version has the field. `added(value = 3)` declares what upgraded objects
    /// show. Without a value, the field is an `Option` or has a default.
    pub const added: Items = Items;

    /// Converts the value: `with = GoDuration::SECONDS`, or `with(upgrade = path, downgrade = path)` with two functions.
    pub const with: Converter = Converter;

    /// The value that a version shows if the converter refuses the other version's value:
    /// `fallback(upgrade = 80, downgrade = "80")`, either or both. `_` leaves the field out.
    pub fn fallback(direction: Text) {}

    /// The reason why the converter may refuse a value that the schema allows:
    /// `refuses(upgrade = "why")`. One such object makes the list of all objects fail.
    pub fn refuses(direction: Text) {}

    /// The fields that identify each item of the list: `list_map_keys(name, protocol)`. This sets
    /// `x-kubernetes-list-type: map`.
    pub fn list_map_keys(fields: Text) {}

    /// `"set"` or `"atomic"`: `x-kubernetes-list-type`.
    pub const list_type: Text = Text;

    /// `"granular"` or `"atomic"`: `x-kubernetes-map-type` of a map or a struct.
    pub const map_type: Text = Text;

    /// Whether an explicit `null` is a value of its own. Without it, only an `Option` is nullable.
    pub const nullable: Flag = Flag;

    /// The value that the API server fills in if the field is absent.
    pub const default: Value = Value;

    /// The field is an integer or a string: `x-kubernetes-int-or-string`.
    pub const int_or_string: Flag = Flag;

    /// The API server keeps the parts of this field that the schema doesn't declare:
    /// `x-kubernetes-preserve-unknown-fields`.
    pub const preserve_unknown_fields: Flag = Flag;

    /// The field is a complete Kubernetes object, or a list of them: `x-kubernetes-embedded-resource`.
    pub const embedded_resource: Flag = Flag;

    /// How many times the schema repeats a type inside itself, from 1 to 8.
    pub const recursion_depth: Number = Number;
}

pub mod on_enum {
    use super::Text;

    pub use super::on_resource_enum::resource;
    pub use super::on_struct::{from, map_type, nullable, validation};

    /// Variants that only the older version has, each with the variant that this version shows
    /// instead: `removed(Old = New)`.
    pub fn removed(older_to_newer: Text) {}
}

pub mod on_variant {
    use super::{Text, VariantName};

    /// The variant maps to the older variant with this Rust name: `renamed_from = Active`.
    pub const renamed_from: VariantName = VariantName;

    /// Only the newer version has the variant: `added(shown_as = Failed)`, with the variant that
    /// the older version shows instead.
    pub fn added(shown_as: Text) {}
}

pub mod on_variant_with_fields {
    pub use super::on_struct::{map, moved, removed};
    pub use super::on_variant::{added, renamed_from};
}

pub mod on_resource_enum {
    use super::Text;

    /// Declares a custom resource, with a variant for each version:
    /// `resource(group = "example.com", plural = "crontabs", scope = "Namespaced")`.
    pub fn resource(items: Text) {}
}

pub mod in_resource {
    use super::Text;

    /// The API group: `group = "example.com"`. Required.
    pub const group: Text = Text;

    /// The kind. The default is the enum's name.
    pub const kind: Text = Text;

    /// The name in URLs: `plural = "crontabs"`. Required.
    pub const plural: Text = Text;

    /// The singular name. By default, the API server derives it from the kind.
    pub const singular: Text = Text;

    /// The kind of a list. By default, the API server derives it from the kind.
    pub const list_kind: Text = Text;

    /// A short name for `kubectl`: `short_name = "ct"`. Repeatable.
    pub const short_name: Text = Text;

    /// A group of resources for `kubectl get`: `category = "all"`. Repeatable.
    pub const category: Text = Text;

    /// `"Namespaced"` or `"Cluster"`. Required.
    pub const scope: Text = Text;

    /// A label of the `CustomResourceDefinition`: `label("key" = "value")`. Repeatable.
    pub fn label(key_and_value: Text) {}

    /// An annotation of the `CustomResourceDefinition`: `annotation("key" = "value")`. Repeatable.
    pub fn annotation(key_and_value: Text) {}

    /// How much of the types' doc comments is in the schemas: `"full"`, `"summary"` or `"none"`.
    pub const descriptions: Text = Text;

    /// `schema = "disabled"`: the types need no `JsonSchema`, and the resource has no `CustomResourceDefinition`.
    pub const schema: Text = Text;
}

pub mod on_version {
    use super::{Flag, Text};

    /// The version's name. The default is the variant's name in lower case.
    pub const name: Text = Text;

    /// `served = false`: the API server doesn't offer this version.
    pub const served: Flag = Flag;

    /// Objects are stored in this version. Exactly one variant must have it.
    pub const storage: Flag = Flag;

    /// The API server warns users of this version, with its own text or with this one: `deprecated = "use v1"`.
    pub const deprecated: Text = Text;

    /// A column of `kubectl get`: `printer_column(name = "Age", type = "date", json_path = ".metadata.creationTimestamp")`.
    /// Repeatable.
    pub fn printer_column(items: Text) {}

    /// The status subresource. By default, a version has it if it has a stanza `status`.
    pub const status: Flag = Flag;

    /// The scale subresource:
    /// `scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas")`.
    pub fn scale(items: Text) {}

    /// A field that field selectors may name: `selectable_field = ".spec.color"`. Repeatable, at most 8 times.
    pub const selectable_field: Text = Text;

    /// A rule in CEL for the whole object: `validation("self.metadata.name.size() < 53")`. Repeatable.
    pub fn validation(rule: Text) {}

    /// Stanzas that only the previous version has: `removed(status)`.
    pub fn removed(stanzas: Text) {}

    /// Fields that the previous version has in another stanza: `moved(spec.a => status.b)`.
    pub fn moved(older_to_newer: Text) {}
}

pub mod on_stanza {
    use super::Items;

    /// Only this version has the stanza.
    pub const added: Items = Items;
}

pub mod in_added {
    use super::{Flag, Value};

    /// The value that upgraded objects show: `value = 3`. Not for an `Option`.
    pub const value: Value = Value;

    /// `moved = false`: no field that the older version has elsewhere moves here, so there is no hint to move one.
    pub const moved: Flag = Flag;
}

pub mod in_added_variant {
    use super::VariantName;

    /// The older variant that the older version shows instead of this one.
    pub const shown_as: VariantName = VariantName;
}

pub mod in_directions {
    use super::Value;

    /// The direction from the older version to the newer one.
    pub const upgrade: Value = Value;

    /// The direction from the newer version to the older one.
    pub const downgrade: Value = Value;
}

pub mod in_mapping {
    use super::Converter;

    pub use super::on_field::{fallback, refuses};

    /// Converts the field, or several fields as a tuple: `with = HostPort`, or
    /// `with(upgrade = path, downgrade = path)` with two functions.
    pub const with: Converter = Converter;
}

pub mod in_printer_column {
    use super::{Number, Text};

    /// The column's header. Required.
    pub const name: Text = Text;

    /// The path of the value in the object: `json_path = ".spec.schedule"`. Required.
    pub const json_path: Text = Text;

    /// The format of the type, such as `"int32"`.
    pub const format: Text = Text;

    /// A description of the column.
    pub const description: Text = Text;

    /// `kubectl get` shows columns with a priority above 0 only with `-o wide`.
    pub const priority: Number = Number;
}

pub mod in_scale {
    use super::Text;

    /// The path of the desired number: `spec_replicas_path = ".spec.replicas"`. Required.
    pub const spec_replicas_path: Text = Text;

    /// The path of the current number: `status_replicas_path = ".status.replicas"`. Required.
    pub const status_replicas_path: Text = Text;

    /// The path of the label selector, which is a string.
    pub const label_selector_path: Text = Text;
}

pub mod in_validation {
    use super::{Flag, Text};

    /// The API server's message, on one line. Without it, the message is the rule.
    pub const message: Text = Text;

    /// An expression in CEL that returns the message.
    pub const message_expression: Text = Text;

    /// `"FieldValueInvalid"` (the default), `"FieldValueForbidden"`, `"FieldValueRequired"` or `"FieldValueDuplicate"`.
    pub const reason: Text = Text;

    /// The path from the value to the field that the error names: `field_path = ".min"`.
    pub const field_path: Text = Text;

    /// The API server also evaluates the rule if there was no value before. `oldSelf` is then an optional.
    pub const optional_old_self: Flag = Flag;
}
