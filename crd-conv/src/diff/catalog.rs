//! All kinds of change: their levels, what they mean, and what to do. Reports, the guide's page and
//! `diff --explain` have their texts from here.

use std::fmt::Display;

use super::change::{Change, Level};

/// Kinds of change in one part of a document.
#[cfg(any(feature = "cli", test))]
pub(crate) struct Section {
    #[cfg(test)]
    pub(crate) title: &'static str,
    pub(crate) kinds: &'static [Kind],
}

/// A kind of change.
#[cfg(any(feature = "cli", test))]
pub(crate) struct Kind {
    /// The word in [`Change::kind`].
    pub(crate) id: &'static str,
    pub(crate) cases: &'static [Case],
}

/// What one kind of change means in one of several cases.
#[cfg(any(feature = "cli", test))]
pub(crate) struct Case {
    pub(crate) level: Level,
    /// The change and its consequence, with a name in braces for each part that differs.
    pub(crate) what: &'static str,
    /// Empty for a safe change.
    pub(crate) remedy: &'static str,
}

/// Declares a function for each case, which returns the change without its place, and `CATALOG` for
/// those who want to know all of them. The list calls none of the functions, so the compiler finds a
/// case that no comparison reports.
macro_rules! catalog {
    ($($title:literal { $($kind:literal { $(
        $(#[$meta:meta])*
        $case:ident($($part:ident),*) $level:ident: $what:literal $(=> $remedy:literal)?;
    )* })* })*) => {
        $($($(
            $(#[$meta])*
            pub(crate) fn $case($($part: &dyn Display),*) -> Change {
                Change {
                    level: Level::$level,
                    kind: $kind,
                    version: String::new(),
                    path: String::new(),
                    what: format_args!($what).to_string(),
                    accepted: None,
                    remedy: String::new() $(+ &format_args!($remedy).to_string())?,
                }
            }
        )*)*)*

        #[cfg(any(feature = "cli", test))]
        pub(crate) static CATALOG: &[Section] = &[$(Section { #[cfg(test)] title: $title, kinds: &[$(
            Kind { id: $kind, cases: &[$(
                Case { level: Level::$level, what: $what, remedy: concat!("" $(, $remedy)?) }
            ),*] }
        ),*] }),*];
    };
}

catalog! {
    "The resource" {
        "resource-removed" {
            #[cfg(feature = "cli")]
            resource_removed() Breaking: "the resource is gone: whoever deletes its CustomResourceDefinition deletes all of its objects"
                => "keep it until no cluster has such objects";
            resource_renamed(old, new) Breaking: "`{old}` is gone, and `{new}` is another resource"
                => "compare documents with the same name";
        }
        "resource-added" {
            #[cfg(feature = "cli")]
            resource_added() Safe: "the resource is new";
        }
        "scope-changed" {
            scope_changed(old, new) Breaking: "the scope was `{old}` and is `{new}`, which the API server refuses"
                => "keep the scope, or declare a resource with another name";
        }
        "kind-changed" {
            kind_changed(old, new) Breaking: "the kind was `{old}` and is `{new}`: manifests and clients use the old name"
                => "keep it, or declare another resource";
            list_kind_changed(old, new) Breaking: "the kind of lists was `{old}` and is `{new}`: manifests and clients use the old name"
                => "keep it, or declare another resource";
        }
        "singular-changed" {
            singular_changed(old, new) Risky: "the singular was `{old}` and is `{new}`: commands may use the old name"
                => "keep the old name as a short name";
        }
        "short-name-removed" {
            short_name_removed(name) Risky: "the short name `{name}` is gone: commands may use it" => "keep it";
        }
        "short-names-changed" {
            short_name_added(name) Safe: "the short name `{name}` is new";
        }
        "category-removed" {
            category_removed(name) Risky: "the category `{name}` is gone: commands may use it" => "keep it";
        }
        "categories-changed" {
            category_added(name) Safe: "the category `{name}` is new";
        }
        "conversion-added" {
            conversion_added(old, new) Risky: "the conversion was `{old}` and is `{new}`: while the webhook doesn't answer, requests that need a conversion fail"
                => "start the webhook before you apply the document";
        }
        "conversion-removed" {
            conversion_removed(old, new) Breaking: "the conversion was `{old}` and is `{new}`: values that the other version has no field for are dropped"
                => "keep the webhook as long as there is more than one version";
            conversion_of_one_version_removed(old, new) Safe: "the conversion was `{old}` and is `{new}`";
        }
    }
    "Versions" {
        "version-removed" {
            stored_version_removed() Breaking: "objects are stored in this version, and it is gone: they can no longer be read"
                => "store another version first, migrate the objects, and remove this version in a later release";
            served_version_removed() Breaking: "this version was served and is gone: clients and manifests that use it fail"
                => "serve it, with `deprecated`, until nobody uses it; then keep it, with `served: false`, for one release";
            unserved_version_removed() Safe: "this version wasn't served and is gone; in each cluster, `status.storedVersions` must no longer name it";
        }
        "version-added" {
            version_added() Safe: "this version is new";
        }
        "version-not-served" {
            version_not_served() Breaking: "this version is no longer served: clients and manifests that use it fail"
                => "serve it, with `deprecated`, until nobody uses it";
        }
        "version-served" {
            version_served() Safe: "this version is now served";
        }
        "version-deprecated" {
            version_deprecated() Safe: "clients of this version now get a warning";
        }
        "storage-version-changed" {
            unknown_version_stored(new) Risky: "objects are now stored in `{new}`, which the previous release doesn't know: after a rollback, it can't read them"
                => "serve `{new}` for one release before you store it";
            known_version_stored(old, new) Safe: "objects were stored in `{old}` and are now stored in `{new}`, which the previous release has, too";
        }
    }
    "How a version is served" {
        "status-subresource-removed" {
            status_removed() Breaking: "`/status` is gone: controllers that write there fail, and all other writers may change `.status`"
                => "keep it";
        }
        "status-subresource-added" {
            status_added() Breaking: "`.status` can now be written only at `/status`: the API server silently ignores it in other writes"
                => "make controllers write there; a release that writes in both ways is safe";
        }
        "scale-subresource-removed" {
            scale_removed() Breaking: "`/scale` is gone: autoscalers and `kubectl scale` fail" => "keep it";
        }
        "scale-subresource-added" {
            scale_added() Safe: "`/scale` is new";
        }
        "scale-subresource-changed" {
            scale_changed(name, old, new) Risky: "`{name}` of `/scale` was `{old}` and is `{new}`"
                => "make sure that both fields mean the same";
        }
        "selectable-field-removed" {
            selectable_fields_removed(gone) Breaking: "field selectors can no longer use {gone}: requests with such a selector are refused"
                => "keep it";
        }
        "selectable-field-added" {
            selectable_fields_added(added) Safe: "field selectors can now use {added}";
        }
        "columns-changed" {
            columns_changed() Safe: "`kubectl get` prints other columns";
        }
    }
    "Fields" {
        "field-removed" {
            field_removed() Breaking: "it is gone: the API server drops its value, with at most a warning"
                => "keep it in this version, and remove it in a new one";
            field_undeclared() Risky: "it is no longer declared: any value is kept, and none is checked"
                => "declare it";
        }
        "field-added" {
            field_declared() Risky: "it is declared, and objects may already have another value with this name"
                => "make sure that none does";
            field_added() Safe: "it is new";
        }
        "required-added" {
            required_added() Breaking: "it is required: objects without it are refused, even if only something else in them changes"
                => "leave it optional, or give it a default";
            required_added_with_default() Safe: "it is required, and the API server fills in its default where it is missing";
        }
        "required-removed" {
            required_removed() Safe: "it is optional: readers may find no value";
        }
        "map-removed" {
            map_removed() Breaking: "it was a map, and the API server now drops its content"
                => "keep it, and put the new fields in another place";
            map_became_struct(left) Breaking: "it was a map with any keys, and the API server now drops all keys but {left}"
                => "keep it, and put the new fields in another place";
        }
        "map-added" {
            map_added() Safe: "it accepts any keys";
        }
        "additional-properties-refused" {
            undeclared_refused() Breaking: "undeclared fields are refused, and were dropped or kept before"
                => "leave out `additionalProperties: false`";
        }
        "additional-properties-no-longer-refused" {
            undeclared_no_longer_refused() Safe: "undeclared fields are no longer refused";
        }
        "preserve-unknown-fields-removed" {
            unknown_fields_dropped() Breaking: "undeclared fields were kept here, and are now dropped"
                => "declare them, or keep it";
            all_unknown_fields_dropped() Breaking: "fields that no schema declares were kept, and are now dropped"
                => "declare them first";
        }
        "preserve-unknown-fields-added" {
            unknown_fields_kept() Safe: "undeclared fields are kept here";
        }
        "embedded-resource-removed" {
            resource_no_longer_embedded() Breaking: "it is no longer a Kubernetes object: undeclared parts of `apiVersion`, `kind` and `metadata` are dropped"
                => "keep `x-kubernetes-embedded-resource`, or declare them";
        }
        "embedded-resource-added" {
            resource_embedded() Breaking: "it must be a complete Kubernetes object: without `apiVersion`, `kind` and valid metadata, it is refused"
                => "leave out `x-kubernetes-embedded-resource`";
        }
    }
    "Types and values" {
        "type-changed" {
            type_changed(old, new) Breaking: "it was {old} and is {new}: objects with a value of the old type are refused"
                => "keep the type, and use the new type in another field or version";
        }
        "type-widened" {
            type_widened(old, new) Risky: "it was {old} and is {new}: readers may get a value that doesn't fit their type"
                => "make all readers accept both types before anyone writes the new one";
        }
        "enum-added" {
            enum_added(all) Breaking: "it accepts only {all}: other values are refused"
                => "leave out the enum in this version";
        }
        "enum-removed" {
            enum_removed() Risky: "it accepts more values than the listed ones: readers may not know them"
                => "make all readers accept any value first";
        }
        "enum-value-removed" {
            enum_values_removed(gone) Breaking: "the enum no longer has {gone}: objects with such a value are refused"
                => "keep it in this version";
        }
        "enum-value-added" {
            enum_values_added(added) Risky: "the enum now has {added}: readers may not know such a value"
                => "make all readers accept unknown values before anyone writes it";
        }
        "default-added" {
            default_added(new) Risky: "its default is `{new}`: objects that don't set it show the default, and the next write stores it"
                => "make sure that it means the same as no value";
        }
        "default-removed" {
            default_removed(old) Breaking: "its default was `{old}` and is gone: objects that don't set it have no value now"
                => "keep the default";
        }
        "default-changed" {
            default_changed(old, new) Breaking: "its default was `{old}` and is `{new}`: objects that don't set it change their meaning"
                => "keep the default in this version";
        }
        "nullable-removed" {
            null_defaulted() Breaking: "it may no longer be null: objects with null get the default"
                => "keep `nullable`, or make sure that no object has null there";
            null_of_required_dropped() Breaking: "it may no longer be null: the API server drops a null, and refuses objects without the field"
                => "keep `nullable`, or make sure that no object has null there";
            null_of_map_dropped() Breaking: "it may no longer be null: the API server drops entries that are null"
                => "keep `nullable`, or make sure that no object has null there";
            null_of_list_refused() Breaking: "it may no longer be null: lists with nulls are refused"
                => "keep `nullable`, or make sure that no object has null there";
            null_dropped() Safe: "it may no longer be null: the API server drops a null, and the field is absent";
        }
        "nullable-added" {
            null_of_enum_refused() Breaking: "null is never a value of an enum: with `nullable`, the API server refuses a null that it dropped before"
                => "leave out `nullable`, and the API server still drops it";
            null_accepted() Risky: "it may be null: readers may not expect that"
                => "make all readers accept null before anyone writes it";
        }
    }
    "Conditions for values" {
        "bound-tightened" {
            bound_added(name, new) Breaking: "`{name}` is {new} and was absent: objects beyond it are refused when the value changes, and before Kubernetes 1.30 on every write"
                => "keep the bound, and let the controller refuse new values beyond it";
            bound_tightened(name, old, new) Breaking: "`{name}` was {old} and is {new}: objects beyond it are refused when the value changes, and before Kubernetes 1.30 on every write"
                => "keep the bound, and let the controller refuse new values beyond it";
            multiple_tightened(new) Breaking: "`multipleOf` is {new}: other numbers are refused"
                => "leave it out, and let the controller refuse new values that don't match";
            uint32_bound_added() Risky: "`maximum` is 4294967295; the format `uint32` implied it, but the API server ignores that format"
                => "make sure that no object has a greater value";
        }
        "bound-loosened" {
            bound_removed(name) Safe: "`{name}` is gone";
            bound_loosened(name, old, new) Safe: "`{name}` was {old} and is {new}";
            multiple_loosened(new) Safe: "`multipleOf` is {new}, and the old number is a multiple of it";
        }
        "pattern-added" {
            pattern_added(new) Breaking: "its pattern is `{new}`: other values are refused"
                => "leave it out, and let the controller refuse new values that don't match";
        }
        "pattern-changed" {
            pattern_changed(old, new) Risky: "its pattern was `{old}` and is `{new}`, and this comparison can't tell whether it accepts all values that the former one accepts"
                => "make sure that it does";
        }
        "pattern-removed" {
            pattern_removed() Safe: "its pattern is gone";
        }
        "format-added" {
            format_added(new) Breaking: "its format is `{new}`: other values are refused"
                => "leave it out, and let the controller refuse new values that don't match";
        }
        "format-changed" {
            format_changed(old, new) Risky: "its format was `{old}` and is `{new}`, and this comparison can't tell whether it accepts all values that the former one accepts"
                => "make sure that it does";
            format_widened() Safe: "its format accepts larger numbers";
        }
        "format-removed" {
            format_removed() Safe: "its format is gone";
        }
        "logic-added" {
            logic_added(name) Breaking: "`{name}` is new: values that don't match it are refused"
                => "leave it out, and let the controller refuse new values that don't match";
        }
        "logic-changed" {
            logic_changed(name) Risky: "`{name}` has changed, and this comparison can't tell whether it accepts all values that the former one accepts"
                => "make sure that it does";
        }
        "logic-removed" {
            logic_removed(name) Safe: "`{name}` is gone";
        }
        "rule-added" {
            rules_added(added) Breaking: "the rule {added} is new: objects that break it are refused when they change"
                => "restrict it to new values with `optionalOldSelf`, or write it only in a new version";
        }
        "rule-changed" {
            rules_for_new_values(rules) Breaking: "the rule {rules} now has `optionalOldSelf`: new values that break it are refused, too"
                => "leave `optionalOldSelf` out";
            rules_not_for_new_values(rules) Safe: "the rule {rules} no longer has `optionalOldSelf`: it applies only to values that change";
            rules_changed(old, new) Risky: "the rule {old} is now {new}, and this comparison can't tell whether it accepts all values that the former one accepts"
                => "make sure that it does";
        }
        "rule-removed" {
            rules_removed(gone) Safe: "the rule {gone} is gone";
        }
    }
    "Lists and maps" {
        "list-type-changed" {
            list_made_unique(old, new) Breaking: "its list type was `{old}` and is `{new}`: lists in which two items count as the same are refused"
                => "keep it in this version";
            list_never_applied(old, new) Breaking: "its list type was `{old}` and is `{new}`: server-side apply refuses objects with items here, because the items aren't plain values"
                => "keep it in this version";
            list_made_atomic(old, new) Risky: "its list type was `{old}` and is `{new}`: with server-side apply, an applier now owns the whole list, including the items of others"
                => "keep it while several appliers have their own items";
            list_now_applied(old, new) Risky: "its list type was `{old}` and is `{new}`: server-side apply refused its items and now accepts them, and the API server now accepts the same item twice"
                => "make sure that readers accept it twice, too";
        }
        "list-map-keys-changed" {
            list_keys_changed(keys) Breaking: "its items are identified {keys} now: other items count as the same, and appliers lose theirs"
                => "keep the keys in this version";
        }
        "map-type-changed" {
            map_type_changed(old, new) Risky: "its map type was `{old}` and is `{new}`: with server-side apply, an applier of a part owns another part than before"
                => "find out who applies it";
        }
    }
}
