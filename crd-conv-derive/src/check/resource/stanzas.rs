//! Checks how a version's stanzas came from those of the version before it.

use std::rc::Rc;

use syn::Ident;

use crate::{
    attr::resource,
    check::moved::ways,
    ctxt::Ctxt,
    model::{Moves, Root, Stanza, StanzaRule, Status, Version},
    name::{Name, did_you_mean, dotted, listed, nearest},
};

/// The rule of each stanza.
pub(super) fn rules(
    cx: &Ctxt,
    older: &Version,
    newer: &Version,
    before: &[Rc<Stanza>],
    after: &[Rc<Stanza>],
    attr: &resource::Variant,
    added: &[(String, Ident)],
) -> Vec<StanzaRule> {
    let find = |stanzas: &[Rc<Stanza>], name: &str| {
        stanzas.iter().find(|stanza| stanza.name.text == name).cloned()
    };
    let mut rules = Vec::new();
    let mut misspelt = Vec::new();
    for newer_stanza in after {
        let name = &newer_stanza.name;
        let key = added.iter().find(|(added, _)| *added == name.text).map(|(_, key)| key);
        match (find(before, &name.text), key) {
            (Some(_), Some(key)) => {
                cx.error(
                    key,
                    format!("`{}` already has `{}`: remove `added`", older.name, name.text),
                );
            }
            (Some(older_stanza), None) => {
                rules
                    .push(StanzaRule::Kept { older: older_stanza, newer: Rc::clone(newer_stanza) });
            }
            (None, Some(_)) => rules.push(StanzaRule::Added(Rc::clone(newer_stanza))),
            (None, None) => {
                let names = before.iter().map(|stanza| &*stanza.name.text);
                let near = did_you_mean(&name.text, names.clone());
                // A misspelled stanza isn't also reported as forgotten.
                misspelt.extend(nearest(&name.text, names));
                cx.error(
                    &name.ident,
                    format!(
                        "`{}` has no stanza `{}`: write `#[versioned(added)]` on it if it is new{near}",
                        older.name, name.text
                    ),
                );
            }
        }
    }
    for older_stanza in before {
        let name = &older_stanza.name.text;
        let key = attr.removed.iter().find(|removed| removed.text == *name);
        match (find(after, name), key) {
            (Some(_), Some(key)) => {
                cx.error(&key.ident, format!("`{}` still has `{name}`: remove `removed({name})`", newer.name));
            }
            (None, Some(_)) => rules.push(StanzaRule::Removed(Rc::clone(older_stanza))),
            (None, None) if misspelt.contains(&&**name) => {}
            (None, None) => cx.error(
                &newer.ident,
                format!("`{}` has a stanza `{name}` that this version doesn't have: write `#[versioned(removed({name}))]` on this variant", older.name),
            ),
            (Some(_), None) => {}
        }
    }
    for removed in &attr.removed {
        if find(before, &removed.text).is_none() {
            no_stanza(cx, older, before, removed);
        }
    }
    rules
}

/// Reports an attribute that names a stanza which the version doesn't have.
fn no_stanza(cx: &Ctxt, version: &Version, stanzas: &[Rc<Stanza>], name: &Name) {
    let names = stanzas.iter().map(|stanza| &*stanza.name.text);
    let near = did_you_mean(&name.text, names.clone());
    let rest = if near.is_empty() { format!("; it has {}", listed(names)) } else { near };
    cx.error(&name.ident, format!("`{}` has no stanza `{}`{rest}", version.name, name.text));
}

/// The moves between stanzas. They start at stanzas that have rules of their own.
pub(super) fn moves(
    cx: &Ctxt,
    older: &Version,
    newer: &Version,
    before: &[Rc<Stanza>],
    after: &[Rc<Stanza>],
    attr: &resource::Variant,
) -> Moves {
    ways(cx, &attr.moved);
    let mut moves = Moves { ways: attr.moved.clone(), ..Moves::default() };
    let root = |name: &Name, own: (&Version, &[Rc<Stanza>]), other: &[Rc<Stanza>]| {
        let has =
            |stanzas: &[Rc<Stanza>]| stanzas.iter().any(|stanza| stanza.name.text == name.text);
        if !has(own.1) {
            no_stanza(cx, own.0, own.1, name);
        }
        let status = if has(other) { Status::Kept(name.text.clone()) } else { Status::OneSided };
        Root { name: name.clone(), status }
    };
    for way in &attr.moved {
        // A version has no groups.
        let (Some(from), Some(to)) = (way.single(false), way.single(true)) else { continue };
        let known =
            |roots: &[Root], name: &Name| roots.iter().any(|root| root.name.text == name.text);
        if !known(&moves.older, &from[0]) {
            moves.older.push(root(&from[0], (older, before), after));
        }
        if !known(&moves.newer, &to[0]) {
            moves.newer.push(root(&to[0], (newer, after), before));
        }
        for (path, roots) in [(from, &moves.older), (to, &moves.newer)] {
            let kept = |root: &&Root| {
                root.name.text == path[0].text && matches!(root.status, Status::Kept(_))
            };
            if path.len() == 1 && roots.iter().any(|root| kept(&root)) {
                let name = &path[0];
                let message = format!(
                    "both versions have the stanza `{}`, so it can't move: move its fields instead",
                    name.text
                );
                cx.error(&name.ident, message);
            } else if let ([name], Some(_)) = (&**path, &way.by) {
                cx.error(
                    &name.ident,
                    format!(
                        "a converter can't make a whole stanza, or take one: move the fields of `{}`, each with its converter, such as \
                         `moved({}.field => {}.field, with = …)`",
                        name.text,
                        dotted(from),
                        dotted(to)
                    ),
                );
            }
        }
    }
    moves
}
