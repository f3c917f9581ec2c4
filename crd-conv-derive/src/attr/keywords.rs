//! The lists of keywords inside `#[versioned(…)]`, including those inside another keyword's
//! parentheses.

use syn::Ident;

use super::known::Place;

/// A keyword whose parentheses contain keywords, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    Added,
    /// `added(…)` on a variant.
    AddedVariant,
    /// `with(…)`, `fallback(…)` and `refuses(…)`.
    Directions,
    /// `map(…)` and `moved(…)`.
    Mapping,
    PrinterColumn,
    Scale,
    Validation,
}

impl Inside {
    pub(super) fn items(self) -> &'static [&'static str] {
        match self {
            Self::Added => &["value", "moved"],
            Self::AddedVariant => &["shown_as"],
            Self::Directions => &["upgrade", "downgrade"],
            Self::Mapping => &["with", "fallback", "refuses"],
            Self::PrinterColumn => {
                &["name", "type", "json_path", "format", "description", "priority"]
            }
            Self::Scale => &["spec_replicas_path", "status_replicas_path", "label_selector_path"],
            Self::Validation => {
                &["message", "message_expression", "reason", "field_path", "optional_old_self"]
            }
        }
    }
}

/// A list of keywords.
#[derive(Clone, Copy)]
pub(crate) enum Level {
    At(Place),
    In(Inside),
}

impl Level {
    /// The module of `crd_conv::__private::complete` that has an item for each of these keywords.
    pub(crate) fn module(self) -> &'static str {
        match self {
            Self::At(Place::Struct) => "on_struct",
            Self::At(Place::Field) => "on_field",
            Self::At(Place::Enum) => "on_enum",
            Self::At(Place::Variant) => "on_variant",
            Self::At(Place::VariantWithFields) => "on_variant_with_fields",
            Self::At(Place::ResourceEnum) => "on_resource_enum",
            Self::At(Place::Resource) => "in_resource",
            Self::At(Place::Version) => "on_version",
            Self::At(Place::Stanza) => "on_stanza",
            Self::In(Inside::Added) => "in_added",
            Self::In(Inside::AddedVariant) => "in_added_variant",
            Self::In(Inside::Directions) => "in_directions",
            Self::In(Inside::Mapping) => "in_mapping",
            Self::In(Inside::PrinterColumn) => "in_printer_column",
            Self::In(Inside::Scale) => "in_scale",
            Self::In(Inside::Validation) => "in_validation",
        }
    }

    /// Whether something else comes before the first keyword.
    pub(crate) fn starts_with_value(self) -> bool {
        matches!(self, Self::In(Inside::Mapping | Inside::Validation))
    }

    /// The list inside the parentheses of one of these keywords, if it has one.
    pub(crate) fn inside(self, keyword: &Ident) -> Option<Self> {
        let inside = match (self, keyword.to_string().as_str()) {
            (Self::At(Place::ResourceEnum), "resource") => return Some(Self::At(Place::Resource)),
            (Self::At(Place::Variant | Place::VariantWithFields), "added") => Inside::AddedVariant,
            (Self::At(_), "added") => Inside::Added,
            (_, "with" | "fallback" | "refuses") => Inside::Directions,
            (Self::At(_), "map" | "moved") => Inside::Mapping,
            (Self::At(_), "printer_column") => Inside::PrinterColumn,
            (Self::At(_), "scale") => Inside::Scale,
            (Self::At(_), "validation") => Inside::Validation,
            _ => return None,
        };
        Some(Self::In(inside))
    }

    #[cfg(test)]
    pub(crate) fn all() -> impl Iterator<Item = (Self, Vec<&'static str>)> {
        let inside = [
            Inside::Added,
            Inside::AddedVariant,
            Inside::Directions,
            Inside::Mapping,
            Inside::PrinterColumn,
            Inside::Scale,
            Inside::Validation,
        ];
        let places = Place::ALL.into_iter().chain([Place::Variant]);
        let places = places.map(|place| (Self::At(place), place.items()));
        places.chain(inside.map(|inside| (Self::In(inside), inside.items().to_vec())))
    }
}
