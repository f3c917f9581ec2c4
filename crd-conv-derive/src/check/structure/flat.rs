//! Checks flattened fields, which have no name in JSON.

use quote::ToTokens;

use crate::{
    attr::{serde, structure},
    ctxt::Ctxt,
};

/// Reports attributes on a flattened field that need a field with a value of its own.
pub(super) fn check(cx: &Ctxt, serde: &serde::Field, attr: &structure::Field) {
    for named in &serde.named {
        let name = named.to_token_stream();
        cx.error(
            named,
            format!(
                "a flattened field has neither a name nor a value of its own in JSON, so serde ignores `{name}` here: remove it"
            ),
        );
    }
    if let Some(key) = attr.converts.with.key() {
        no_converter(cx, key);
    }
    if let Some(value) = attr.added.get().and_then(|added| added.value.as_ref()) {
        cx.error(
            value,
            "a flattened field takes no value of its own: write `default = …` on the fields inside it",
        );
    }
    let preserves = attr.declared.preserve_unknown_fields.key();
    if let Some(key) = attr.declared.key().filter(|key| preserves != Some(*key)) {
        cx.error(
            key,
            format!("`{key}` is for a single value, and a flattened field has several: write it on the fields inside this one"),
        );
    }
}

/// Reports that only the fields inside a flattened field can be converted.
pub(super) fn no_converter(cx: &Ctxt, tokens: &impl ToTokens) {
    cx.error(
        tokens,
        "a flattened field has no value of its own in JSON to convert: name the converter on the fields inside it, or remove \
         `#[serde(flatten)]`",
    );
}
