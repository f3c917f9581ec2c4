//! The fields as the author wrote them, before the rules between two versions are known.

use std::{collections::BTreeMap, rc::Rc};

use crate::{
    attr::structure,
    ctxt::Ctxt,
    model::Field,
    name::{Name, did_you_mean, listed},
};

/// The newer fields that an attribute on the struct names, each with that attribute.
pub(super) type Mapped = BTreeMap<String, &'static str>;

/// A field with its own attributes.
pub(super) struct Written {
    pub(super) field: Rc<Field>,
    pub(super) attr: structure::Field,
}

/// The fields of a struct.
pub(super) struct Fields {
    /// The fields that are in JSON.
    pub(super) written: Vec<Written>,
    /// The names of the fields that serde skips.
    pub(super) skipped: Vec<String>,
}

/// The newer field with this name, which the attribute `by` on the struct names.
pub(super) fn newer_field(
    cx: &Ctxt,
    name: &Name,
    by: &'static str,
    Fields { written, skipped }: &Fields,
    mapped: &mut Mapped,
) -> Option<Rc<Field>> {
    let Some(found) = written.iter().find(|written| written.field.name.text == name.text) else {
        if skipped.contains(&name.text) {
            cx.error(
                &name.ident,
                format!(
                    "serde skips `{}` in this struct, so no object has it: remove it from `{by}(…)`, or remove `#[serde(skip)]` from the \
                     field",
                    name.text
                ),
            );
            return None;
        }
        let names = written.iter().map(|written| &*written.field.name.text);
        let near = did_you_mean(&name.text, names.clone());
        let rest = if near.is_empty() { format!("; it has {}", listed(names)) } else { near };
        cx.error(&name.ident, format!("this struct has no field `{}`{rest}", name.text));
        return None;
    };
    if mapped.insert(name.text.clone(), by).is_some() {
        cx.error(
            &name.ident,
            format!(
                "`{}` is mapped twice, but a field can have only one rule: remove one of the two",
                name.text
            ),
        );
    }
    // An alias next to another attribute was reported already.
    if found.field.aliased && found.attr.key().is_none() {
        cx.error(
            &name.ident,
            format!(
                "`{}` has `#[serde(alias = …)]`, which is only supported on a field that keeps its name: remove the alias",
                name.text
            ),
        );
    }
    Some(Rc::clone(&found.field))
}
