//! The conditions of one branch, which the schema that all branches share doesn't have.
//!
//! They go into `oneOf` or `anyOf`, where the API server accepts no `type`. There, a type is tested with `not` and with bounds that all
//! values of this type break, and no others.

use super::{
    Schema, SchemaType, bounds,
    error::Problem,
    join::{is_required, maximum, may_be_object, minimum},
};
use crate::json::{Json, Number};

/// Makes a branch accept only its own fields if the whole prunes none.
pub(super) fn close(branch: &Schema, whole: &Schema, constraint: &mut Schema) {
    if whole.preserves() && !branch.preserves() {
        constraint.max_properties = i64::try_from(branch.properties.len()).ok();
    }
}

/// The conditions of a branch that the whole doesn't have, without declarations.
pub(super) fn constraint(
    branch: &Schema,
    whole: &Schema,
    forbidding: bool,
) -> Result<Schema, Problem> {
    let mut more = Schema {
        format: unlike(&branch.format, &whole.format).filter(|format| !is_size(format)),
        max_length: unlike(&branch.max_length, &whole.max_length),
        min_length: unlike(&branch.min_length, &whole.min_length),
        pattern: unlike(&branch.pattern, &whole.pattern),
        max_items: unlike(&branch.max_items, &whole.max_items),
        min_items: unlike(&branch.min_items, &whole.min_items),
        multiple_of: unlike(&branch.multiple_of, &whole.multiple_of),
        max_properties: unlike(&branch.max_properties, &whole.max_properties),
        min_properties: unlike(&branch.min_properties, &whole.min_properties),
        values: unlike(&branch.values, &whole.values),
        all_of: unlike(&branch.all_of, &whole.all_of),
        one_of: unlike(&branch.one_of, &whole.one_of),
        any_of: unlike(&branch.any_of, &whole.any_of),
        ..Schema::default()
    };
    if maximum(branch) != maximum(whole) {
        (more.maximum, more.exclusive_maximum) = maximum(branch);
    }
    if minimum(branch) != minimum(whole) {
        (more.minimum, more.exclusive_minimum) = minimum(branch);
    }
    if branch.format != whole.format {
        // Inside of `oneOf` and `anyOf` the server doesn't check that an integer is an `int32`.
        let mut sized = Schema { format: branch.format.clone(), ..more.clone() };
        bounds::said(&mut sized);
        (more.minimum, more.maximum) = (sized.minimum, sized.maximum);
    }
    let mut denied = Vec::new();
    if branch.not != whole.not {
        denied.extend(branch.not.as_deref().cloned());
    }
    test_type(branch, whole, &mut more, &mut denied);
    if let (Some(inner), Some(items)) = (&branch.items, &whole.items) {
        more.items = said(constraint(inner, items, true)?).map(Box::new);
    }
    more.required = branch
        .required
        .iter()
        .filter(|name| is_required(name, branch, whole) && !whole.required.contains(name))
        .cloned()
        .collect();
    for (name, property) in &branch.properties {
        let Some(declared) = whole.properties.get(name) else { continue };
        let Some(property) = said(constraint(property, declared, true)?) else { continue };
        if name == "metadata" {
            return Err((
                "is an enum whose variants have different fields `metadata`".to_owned(),
                "the API server accepts no property `metadata` inside `oneOf` and `anyOf`",
                "give the field another name in one of them",
            ));
        }
        more.properties.insert(name.clone(), property);
    }
    if branch.closed {
        close(branch, whole, &mut more);
    }
    if forbidding && may_be_object(branch) && !branch.preserves() {
        let others = whole.properties.keys().filter(|name| !branch.properties.contains_key(*name));
        denied.extend(
            others.map(|name| Schema { required: vec![name.clone()], ..Schema::default() }),
        );
    }
    more.not = match denied.len() {
        0 => None,
        1 => denied.pop().map(Box::new),
        _ => Some(Box::new(Schema { any_of: denied, ..Schema::default() })),
    };
    Ok(more)
}

/// Says how large a number may be.
fn is_size(format: &str) -> bool {
    matches!(format, "int32" | "int64" | "float" | "double")
}

fn said(constraint: Schema) -> Option<Schema> {
    (constraint != Schema::default()).then_some(constraint)
}

fn unlike<T: Clone + Default + PartialEq>(branch: &T, whole: &T) -> T {
    if branch == whole { T::default() } else { branch.clone() }
}

/// Adds the condition that the value has the branch's type, if the whole accepts others, too.
fn test_type(branch: &Schema, whole: &Schema, more: &mut Schema, denied: &mut Vec<Schema>) {
    let whole_number = || Some(Number::Signed(1));
    match (branch.ty, whole.ty) {
        (Some(SchemaType::Integer), Some(SchemaType::Number)) => {
            more.multiple_of = more.multiple_of.or_else(whole_number);
        }
        (Some(ty), None) if branch.values.is_empty() => match ty {
            SchemaType::Boolean => more.values = vec![false.into(), true.into()],
            ty => {
                if ty == SchemaType::Integer && !whole.extensions.int_or_string {
                    more.multiple_of = more.multiple_of.or_else(whole_number);
                }
                denied.extend(any_but(ty));
            }
        },
        (None, None) if branch.extensions.int_or_string && !whole.extensions.int_or_string => {
            let either = [SchemaType::Integer, SchemaType::Text].map(|ty| {
                let plain = Schema { ty: Some(ty), ..Schema::default() };
                let (mut more, mut denied) = (Schema::default(), Vec::new());
                test_type(&plain, whole, &mut more, &mut denied);
                more.not = denied.pop().map(Box::new);
                more
            });
            more.all_of.push(Schema { any_of: either.to_vec(), ..Schema::default() });
        }
        _ => {}
    }
}

/// A condition that all values of a type break, and no others: bounds that contradict each other and don't apply to other types.
pub(crate) fn any_but(ty: SchemaType) -> Option<Schema> {
    let mut bounds = Schema::default();
    match ty {
        SchemaType::Boolean => return None,
        SchemaType::Integer | SchemaType::Number => {
            bounds.minimum = Some(Number::Signed(1));
            bounds.maximum = Some(Number::Signed(0));
        }
        SchemaType::Text => (bounds.min_length, bounds.max_length) = (Some(1), Some(0)),
        SchemaType::Array => (bounds.min_items, bounds.max_items) = (Some(1), Some(0)),
        SchemaType::Object => (bounds.min_properties, bounds.max_properties) = (Some(1), Some(0)),
    }
    Some(bounds)
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}
