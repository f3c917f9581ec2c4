//! Keywords that restrict only values of certain types.
//!
//! Source: the API server applies the validators of `k8s.io/kube-openapi/pkg/validation/validate`
//! by the type of the value.

use super::{Schema, SchemaType};

/// A keyword that the API server ignores for values of other types.
pub(crate) struct TypedKeyword {
    pub(crate) name: &'static str,
    /// What it restricts.
    pub(crate) restricts: &'static str,
    types: &'static [SchemaType],
    is_set: fn(&Schema) -> bool,
    remove: fn(&mut Schema),
}

const NUMBERS: (&str, &[SchemaType]) = ("numbers", &[SchemaType::Integer, SchemaType::Number]);
const STRINGS: (&str, &[SchemaType]) = ("strings", &[SchemaType::Text]);
const LISTS: (&str, &[SchemaType]) = ("lists", &[SchemaType::Array]);
const OBJECTS: (&str, &[SchemaType]) = ("objects", &[SchemaType::Object]);

macro_rules! keywords {
    ($($name:literal $of:ident $field:ident;)*) => {
        [$(TypedKeyword {
            name: $name,
            restricts: $of.0,
            types: $of.1,
            is_set: |schema| schema.$field != Schema::default().$field,
            remove: |schema| schema.$field = Schema::default().$field,
        }),*]
    };
}

static KEYWORDS: [TypedKeyword; 11] = keywords! {
    "maximum" NUMBERS maximum;
    "minimum" NUMBERS minimum;
    "multipleOf" NUMBERS multiple_of;
    "maxLength" STRINGS max_length;
    "minLength" STRINGS min_length;
    "pattern" STRINGS pattern;
    "maxItems" LISTS max_items;
    "minItems" LISTS min_items;
    "maxProperties" OBJECTS max_properties;
    "minProperties" OBJECTS min_properties;
    "required" OBJECTS required;
};

impl Schema {
    /// Returns the keywords that do nothing, because all values are of another type.
    pub(crate) fn idle_keywords(
        &self,
        ty: SchemaType,
    ) -> impl Iterator<Item = &'static TypedKeyword> {
        KEYWORDS
            .iter()
            .filter(move |keyword| !keyword.types.contains(&ty) && (keyword.is_set)(self))
    }

    /// Removes these keywords.
    pub(crate) fn remove_idle_keywords(&mut self, ty: SchemaType) {
        for keyword in KEYWORDS.iter().filter(|keyword| !keyword.types.contains(&ty)) {
            (keyword.remove)(self);
        }
    }
}
