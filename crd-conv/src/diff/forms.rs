//! Normalizes schemas, so that differences without an effect aren't changes: several notations for
//! one thing, and keywords that do nothing.

use crate::{
    apiserver::formats,
    json::Number,
    schema::{Schema, SchemaType},
};

/// A format that the API server ignores, though code generators rely on its bound.
pub(super) const UINT32: &str = "uint32";

/// Returns a schema that accepts the same values and does the same, written in one way, without what
/// has no effect.
pub(super) fn normal(schema: &Schema) -> Schema {
    let mut normal = schema.clone();
    normalize(&mut normal, None);
    normal
}

/// `around` is the type of the value that a branch restricts.
fn normalize(schema: &mut Schema, around: Option<SchemaType>) {
    let ty = schema.ty.or(around);
    let branches = [&mut schema.all_of, &mut schema.any_of, &mut schema.one_of];
    let branches = branches.into_iter().flatten().chain(schema.not.as_deref_mut());
    branches.for_each(|branch| normalize(branch, ty));
    let inside = schema.items.as_deref_mut().into_iter();
    let inside = inside.chain(schema.additional_properties.as_deref_mut());
    inside.chain(schema.properties.values_mut()).for_each(|inside| normalize(inside, None));
    // Also before, so that a keyword without an effect doesn't take the place of one in a branch.
    drop_idle(schema, ty);
    take_apart(schema);
    drop_idle(schema, ty);
    junctors(schema);
}

/// Moves the keywords of `allOf` next to it, as far as there is room, and removes the `anyOf` that
/// `x-kubernetes-int-or-string` implies.
///
/// Code generators write `allOf` if both a type and a field with that type have validations, and
/// leave it out if only one has: <https://book.kubebuilder.io/reference/markers/crd-validation>.
fn take_apart(schema: &mut Schema) {
    let int_or_string = schema.extensions.int_or_string;
    for mut branch in std::mem::take(&mut schema.all_of) {
        if int_or_string && Schema::are_int_or_string(&branch.any_of) {
            branch.any_of.clear();
        }
        move_out(&mut branch, schema);
        schema.all_of.push(branch);
    }
    if int_or_string && Schema::are_int_or_string(&schema.any_of) {
        schema.any_of.clear();
    }
}

/// Removes the keywords that do nothing, for values of this type or at all.
fn drop_idle(schema: &mut Schema, ty: Option<SchemaType>) {
    fn unless<T>(keyword: &mut Option<T>, is_idle: impl FnOnce(&T) -> bool) {
        if keyword.as_ref().is_some_and(is_idle) {
            *keyword = None;
        }
    }
    if let Some(ty) = ty {
        schema.remove_idle_keywords(ty);
        if ty != SchemaType::Object {
            schema.properties.clear();
            schema.additional_properties = None;
        }
        if ty != SchemaType::Array {
            schema.items = None;
        }
    }
    // The server looks for the type next to the format, also in a branch, where there is none.
    let format = schema.format.take();
    schema.format = format.and_then(|format| effective(&format, schema.type_name()));
    let is_int32 = schema.format.as_deref() == Some("int32");
    let is_implied =
        |bound: &Number, implied: i32| is_int32 && *bound == Number::Signed(implied.into());
    let Schema { exclusive_maximum, exclusive_minimum, .. } = *schema;
    unless(&mut schema.maximum, |bound| !exclusive_maximum && is_implied(bound, i32::MAX));
    unless(&mut schema.minimum, |bound| !exclusive_minimum && is_implied(bound, i32::MIN));
    unless(&mut schema.min_length, |least| *least <= 0);
    // All three match every string, because a pattern may match any part of it.
    unless(&mut schema.pattern, |pattern| ["", "^", ".*"].contains(&pattern.as_str()));
    let is_integer = ty == Some(SchemaType::Integer);
    unless(&mut schema.multiple_of, |step| is_integer && *step == Number::Signed(1));
    unless(&mut schema.min_items, |least| *least <= 0);
    unless(&mut schema.min_properties, |least| *least <= 0);
    if schema.extensions.embedded_resource {
        schema.required.retain(|name| !["apiVersion", "kind"].contains(&name.as_str()));
    }
    schema.exclusive_maximum &= schema.maximum.is_some();
    schema.exclusive_minimum &= schema.minimum.is_some();
    // They aren't compared, and in a branch they would be.
    schema.description = None;
    schema.title = None;
}

/// Returns the usual name of a format, or `None` if the API server ignores the format. The server
/// ignores dashes in its name.
fn effective(format: &str, ty: &str) -> Option<String> {
    const WITH_DASHES: [&str; 3] = ["date-time", "k8s-long-name", "k8s-short-name"];
    // `bounds` asks for this one.
    if format == UINT32 {
        return Some(format.to_owned());
    }
    let name = format.replace('-', "");
    // The server knows these, and accepts every value: `IsValueValidAgainstRange` of
    // `k8s.io/kube-openapi/pkg/validation/validate`, and `strfmt`.
    let is_idle =
        matches!((ty, &*name), ("integer", "int64") | ("number", "double") | (_, "password"));
    if is_idle || !formats::is_known(ty, format) {
        return None;
    }
    let usual = WITH_DASHES.into_iter().find(|usual| usual.replace('-', "") == name);
    Some(usual.map_or(name, str::to_owned))
}

/// Removes branches that accept everything, and sorts the others: their order has no effect.
fn junctors(schema: &mut Schema) {
    let anything = Schema::default();
    schema.all_of.retain(|branch| *branch != anything);
    if schema.any_of.contains(&anything) {
        schema.any_of.clear();
    }
    if schema.one_of == [anything] {
        schema.one_of.clear();
    }
    for branches in [&mut schema.all_of, &mut schema.any_of, &mut schema.one_of] {
        branches.sort_by_cached_key(|branch| format!("{branch:?}"));
    }
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
