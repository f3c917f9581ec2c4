//! Checks rules that need more than one attribute, field or version. Turns attributes into the
//! model.

pub(crate) mod moved;
pub(crate) mod resource;
pub(crate) mod structure;
mod validation;
pub(crate) mod values;

use std::collections::BTreeMap;

use syn::{Ident, LitStr, Path};

use crate::{
    ctxt::Ctxt,
    model::{Conversion, OlderField, Reason},
    name::Name,
};

/// The older type, or the remedy if attributes need an older type. There is no remedy if a mistake
/// in `from` was already reported.
fn older<'a>(
    cx: &Ctxt,
    ident: &Ident,
    from: Option<&'a Path>,
    broken: bool,
    remedy: &'static str,
) -> Result<&'a Path, Option<&'static str>> {
    match from {
        Some(path) if is_itself(path, ident) => {
            cx.error(
                path,
                format!(
                    "`from` names the type itself instead of its older version: write the path of the older type, such as `from = \
                     v1beta1::{ident}`, or remove `from` if this is the oldest version"
                ),
            );
            Err(None)
        }
        Some(path) => Ok(path),
        None if broken => Err(None),
        None => Err(Some(remedy)),
    }
}

/// Whether a path names the type that it is written on.
pub(crate) fn is_itself(path: &Path, ident: &Ident) -> bool {
    let mut segments = path.segments.iter().map(|segment| &segment.ident).peekable();
    segments.next_if(|first| path.segments.len() == 2 && *first == "self");
    let only = segments.next().filter(|_| segments.peek().is_none());
    only.is_some_and(|only| only == "Self" || only == ident)
}

/// The older fields or variants that rules have claimed so far.
struct Claims {
    what: &'static str,
    claimed: BTreeMap<String, Ident>,
}

impl Claims {
    fn of(what: &'static str) -> Self {
        Self { what, claimed: BTreeMap::new() }
    }

    fn claim(&mut self, cx: &Ctxt, name: &Name, reason: Reason) -> OlderField {
        self.claim_or(cx, name, reason, "remove one of the two")
    }

    /// Claims a field or variant that the newer version doesn't have.
    fn claim_removed(&mut self, cx: &Ctxt, name: &Name) -> OlderField {
        self.claim_or(
            cx,
            name,
            Reason::Named,
            "remove it from `removed(…)`, since another rule names it",
        )
    }

    fn claim_or(&mut self, cx: &Ctxt, name: &Name, reason: Reason, remedy: &str) -> OlderField {
        if self.claimed.insert(name.text.clone(), name.ident.clone()).is_some() {
            cx.error(
                &name.ident,
                format!(
                    "the older `{}` is mapped twice, but a {} of the older version can have only one rule: {remedy}",
                    name.text, self.what
                ),
            );
        }
        OlderField { name: name.clone(), reason }
    }

    /// The name that claimed an older field or variant, to point at.
    fn get(&self, name: &str) -> Option<&Ident> {
        self.claimed.get(name)
    }
}

/// Reports that schemars uses another name than serde. No object would fit such a schema.
fn same_schema_name(cx: &Ctxt, schema: Option<(&LitStr, String)>, name: &Name, wire: &str) {
    let Some((tokens, schema)) = schema else { return };
    if schema != wire {
        cx.error(
            tokens,
            format!("the schema would name `{}` `{schema}`, but serde names it `{wire}`: rename with `#[serde(…)]` only", name.text),
        );
    }
}

/// Checks that a fallback has a value for each field, and that `refuses` isn't set for the same
/// direction.
fn refusals(cx: &Ctxt, by: &Conversion, older: usize, newer: usize) {
    let Conversion { fallback, refuses, .. } = by;
    let sides = [
        (&fallback.upgrade, &refuses.upgrade, newer, "newer"),
        (&fallback.downgrade, &refuses.downgrade, older, "older"),
    ];
    for (values, why, fields, version) in sides {
        let Some((direction, values)) = values else { continue };
        if values.len() != fields {
            let plural = if fields == 1 { "" } else { "s" };
            let count = values.len();
            cx.error(
                direction,
                format!(
                    "the {version} version has {fields} field{plural} in this mapping, but the number of values is {count}: write a value \
                     for each field, in the order of the mapping, or `_` to leave a field out"
                ),
            );
        }
        if let Some((refused, _)) = why {
            cx.error(
                refused,
                format!(
                    "with `fallback({direction} = …)` no {direction} fails: remove `{refused}` from `refuses`, or from `fallback`"
                ),
            );
        }
    }
}
