//! Rules that need more than one attribute, field or version: from what was read to what is right.

pub(crate) mod moved;
pub(crate) mod resource;
pub(crate) mod structure;
mod validation;
pub(crate) mod values;

use std::collections::BTreeMap;

use syn::{Ident, LitStr};

use crate::{
    ctxt::Ctxt,
    model::{OlderField, Reason},
    name::Name,
};

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
        self.claim_or(cx, name, reason, "")
    }

    /// Claims what goes nowhere.
    fn claim_removed(&mut self, cx: &Ctxt, name: &Name) -> OlderField {
        self.claim_or(
            cx,
            name,
            Reason::Named,
            ", and what goes somewhere isn't removed: take it out of `removed(…)`",
        )
    }

    fn claim_or(&mut self, cx: &Ctxt, name: &Name, reason: Reason, remedy: &str) -> OlderField {
        if self.claimed.insert(name.text.clone(), name.ident.clone()).is_some() {
            cx.error(
                &name.ident,
                format!(
                    "the older `{}` is claimed twice: a {} of the older version goes to one place{remedy}",
                    name.text, self.what
                ),
            );
        }
        OlderField { name: name.clone(), reason }
    }

    /// Where an older name was claimed.
    fn get(&self, name: &str) -> Option<&Ident> {
        self.claimed.get(name)
    }
}

/// Schemars may use another name than serde, but then no object fits its schema.
fn same_schema_name(cx: &Ctxt, schema: Option<(&LitStr, String)>, name: &Name, wire: &str) {
    let Some((tokens, schema)) = schema else { return };
    if schema != wire {
        cx.error(
            tokens,
            format!("the schema would name `{}` `{schema}`, but serde names it `{wire}`: rename with `#[serde(…)]` only", name.text),
        );
    }
}
