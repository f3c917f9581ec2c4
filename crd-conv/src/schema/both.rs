//! Merges conditions that a value has to fit at once.

use super::{Schema, SchemaType, error::Problem};

/// Makes one schema of two that both hold.
pub(super) fn both(whole: &mut Schema, mut other: Schema) -> Result<(), Problem> {
    let description = join_texts(whole.description.take(), other.description.take());
    whole.extensions.validations.append(&mut other.extensions.validations);
    let bare = Schema {
        extensions: whole.extensions.clone(),
        title: whole.title.clone(),
        ..Schema::default()
    };
    if *whole == bare {
        let Schema { extensions, title, .. } = std::mem::take(whole);
        *whole = other;
        whole.extensions.add(extensions);
        whole.title = title.or(whole.title.take());
        whole.description = description;
        return Ok(());
    }
    let refuse = |what: String| {
        (
            what,
            "each field may be declared only once",
            "give the enum its own field instead of flattening it",
        )
    };
    let fields = |schema: &Schema| {
        schema.ty == Some(SchemaType::Object) && schema.additional_properties.is_none()
    };
    if !fields(whole) || !fields(&other) {
        return Err(refuse("combines types that don't all have named fields".to_owned()));
    }
    for (name, property) in other.properties {
        if whole.properties.contains_key(&name) {
            return Err(refuse(format!("has the field `{name}` twice")));
        }
        whole.properties.insert(name, property);
    }
    whole.description = description;
    whole.required.append(&mut other.required);
    whole.required.sort();
    whole.extensions.add(other.extensions);
    let Schema { all_of, one_of, any_of, not, .. } = other;
    require(whole, Schema { all_of, one_of, any_of, not, ..Schema::default() });
    Ok(())
}

/// Adds further conditions.
pub(super) fn require(whole: &mut Schema, more: Schema) {
    if whole.one_of.is_empty() && whole.any_of.is_empty() && whole.not.is_none() {
        (whole.one_of, whole.any_of, whole.not) = (more.one_of, more.any_of, more.not);
        whole.all_of.extend(more.all_of);
    } else if more != Schema::default() {
        whole.all_of.push(more);
    }
}

pub(super) fn join_texts(text: Option<String>, more: Option<String>) -> Option<String> {
    match (text, more) {
        (Some(text), Some(more)) => Some(format!("{text}\n\n{more}")),
        (text, more) => text.or(more),
    }
}
