//! Checks values that move between structs.

use std::{collections::BTreeSet, rc::Rc};

use super::written::{Fields, Mapped, Written, newer_field};
use crate::{
    check::{Claims, moved::ways},
    ctxt::Ctxt,
    model::{Field, Moves, Reason, Root, Rule, Status, Way},
    name::Name,
};

/// The moves, and the struct's own fields at which they start and end.
#[derive(Default)]
pub(super) struct Ends {
    moves: Moves,
    /// Newer structs without an attribute of their own.
    open: Vec<Rc<Field>>,
}

/// Claims the fields whose rules follow from the moves alone.
pub(super) fn moves(
    cx: &Ctxt,
    moved: &[Way],
    fields: &Fields,
    claims: &mut Claims,
    mapped: &mut Mapped,
    rules: &mut Vec<Rule>,
) -> Ends {
    let written = &fields.written;
    let mut ends = Ends::default();
    ways(cx, moved);
    ends.moves.ways.extend_from_slice(moved);
    let mut seen = BTreeSet::new();
    let newer = moved.iter().flat_map(|way| way.newer.iter().map(|path| (way.key(), path)));
    for (key, newer) in newer {
        let [first, ..] = &**newer else { continue };
        if !seen.insert(&first.text) {
            continue;
        }
        let kept = written.iter().filter(|_| newer.len() > 1).find_map(
            |Written { field, attr }| match attr.renamed_from.get() {
                _ if field.name.text != first.text => None,
                Some(older) => (attr.converts.with.get().is_none()).then(|| older.text.clone()),
                None => (attr.key().is_none() && is_older_holder(moved, &first.text))
                    .then(|| first.text.clone()),
            },
        );
        let status = if let Some(older) = kept {
            Status::Kept(older)
        } else {
            let Some(field) = newer_field(cx, first, key, fields, mapped) else { continue };
            if newer.len() > 1 {
                ends.open.push(field);
                continue;
            }
            rules.push(Rule::Come(field));
            Status::OneSided
        };
        ends.moves.newer.push(Root { name: first.clone(), status });
    }
    seen.clear();
    for older in moved.iter().flat_map(|way| &way.older) {
        let [first, ..] = &**older else { continue };
        if !seen.insert(&first.text) {
            continue;
        }
        let kept = |written: &&Written| {
            let Written { field, attr } = written;
            match attr.renamed_from.get() {
                Some(older) => attr.converts.with.get().is_none() && older.text == first.text,
                None => {
                    attr.key().is_none()
                        && field.name.text == first.text
                        && !mapped.contains_key(&first.text)
                }
            }
        };
        let status = match written.iter().find(kept) {
            Some(Written { field, .. }) if older.len() > 1 => Status::Kept(field.name.text.clone()),
            _ => {
                rules.push(Rule::Gone(claims.claim(cx, first, Reason::Named)));
                Status::OneSided
            }
        };
        ends.moves.older.push(Root { name: first.clone(), status });
    }
    ends
}

/// Whether an older value moves out of a struct with this name. If so, the older version has that
/// struct.
fn is_older_holder(moved: &[Way], name: &str) -> bool {
    let mut older = moved.iter().flat_map(|way| &way.older);
    older.any(|path| path.len() > 1 && path[0].text == name)
}

/// Adds the rules of the structs that values move into, once all other rules have claimed their
/// fields.
pub(super) fn finish(
    cx: &Ctxt,
    Ends { mut moves, open }: Ends,
    claims: &mut Claims,
    rules: &mut Vec<Rule>,
) -> Moves {
    for newer in open {
        let name: &Name = &newer.name;
        let taken = claims.get(&name.text).is_some();
        moves.newer.push(Root {
            name: name.clone(),
            status: if taken { Status::OneSided } else { Status::Perhaps },
        });
        if taken {
            rules.push(Rule::Come(newer));
        } else {
            let older = claims.claim(cx, name, Reason::SameName);
            rules.push(Rule::KeptOrCome { older, newer });
        }
    }
    moves
}
