//! Normalizes schemas, so that differences without an effect aren't changes: several notations for
//! one thing, and keywords that do nothing.

use std::borrow::Cow;

use crate::schema::{Schema, SchemaType};

/// Returns a schema with the keywords of `allOf` next to it, as far as there is room. The result
/// lacks the `anyOf` that `x-kubernetes-int-or-string` implies.
///
/// Code generators write `allOf` if both a type and a field with that type have validations, and
/// leave it out if only one has: <https://book.kubebuilder.io/reference/markers/crd-validation>.
pub(super) fn plain(schema: &Schema) -> Cow<'_, Schema> {
    let int_or_string = schema.extensions.int_or_string;
    if schema.all_of.is_empty() && !(int_or_string && Schema::are_int_or_string(&schema.any_of)) {
        return Cow::Borrowed(schema);
    }
    let mut plain = schema.clone();
    for mut branch in std::mem::take(&mut plain.all_of) {
        if int_or_string && Schema::are_int_or_string(&branch.any_of) {
            branch.any_of.clear();
        }
        move_out(&mut branch, &mut plain);
        if branch != Schema::default() {
            plain.all_of.push(branch);
        }
    }
    if int_or_string && Schema::are_int_or_string(&plain.any_of) {
        plain.any_of.clear();
    }
    Cow::Owned(plain)
}

/// Moves keywords that mean the same next to `allOf` as in one of its branches. `properties` and
/// similar keywords don't: only those next to `allOf` declare fields.
fn move_out(branch: &mut Schema, plain: &mut Schema) {
    fn one<T: Default + PartialEq>(from: &mut T, to: &mut T) {
        if *to == T::default() || from == to {
            *to = std::mem::take(from);
        }
    }
    let is_exclusive = |schema: &Schema| schema.exclusive_maximum || schema.exclusive_minimum;
    // A bound doesn't mean the same without the keyword that excludes it.
    if !is_exclusive(branch) && !is_exclusive(plain) {
        one(&mut branch.maximum, &mut plain.maximum);
        one(&mut branch.minimum, &mut plain.minimum);
    }
    // For a null value, the server checks no branch, but it checks the enum next to the branches.
    if !plain.nullable {
        one(&mut branch.values, &mut plain.values);
    }
    one(&mut branch.any_of, &mut plain.any_of);
    one(&mut branch.one_of, &mut plain.one_of);
    one(&mut branch.not, &mut plain.not);
    one(&mut branch.format, &mut plain.format);
    one(&mut branch.pattern, &mut plain.pattern);
    one(&mut branch.max_length, &mut plain.max_length);
    one(&mut branch.min_length, &mut plain.min_length);
    one(&mut branch.max_items, &mut plain.max_items);
    one(&mut branch.min_items, &mut plain.min_items);
    one(&mut branch.max_properties, &mut plain.max_properties);
    one(&mut branch.min_properties, &mut plain.min_properties);
    one(&mut branch.multiple_of, &mut plain.multiple_of);
    one(&mut branch.required, &mut plain.required);
}

/// Whether a keyword applies to values of this type. For example, the server ignores `pattern` next
/// to `type: array`.
pub(super) fn applies(name: &str, schema: &Schema) -> bool {
    let types: &[_] = match name {
        "maxLength" | "minLength" | "pattern" => &[SchemaType::Text],
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" | "multipleOf" => {
            &[SchemaType::Integer, SchemaType::Number]
        }
        "maxItems" | "minItems" => &[SchemaType::Array],
        "maxProperties" | "minProperties" => &[SchemaType::Object],
        _ => return true,
    };
    schema.type_name().is_empty() || schema.ty.is_some_and(|ty| types.contains(&ty))
}
