//! Fields that go into a struct and come out of it.

use std::{collections::BTreeSet, rc::Rc};

use super::{Mapped, Written, newer_field};
use crate::{
    attr::structure::Moved,
    check::Claims,
    ctxt::Ctxt,
    model::{Reason, Rule},
};

/// One rule for each struct, in the order of the attribute.
pub(super) fn moves(
    cx: &Ctxt,
    moved: &[Moved],
    written: &[Written],
    claims: &mut Claims,
    mapped: &mut Mapped,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut seen = BTreeSet::new();
    for first in moved {
        if !seen.insert((first.nested, &first.holder.text)) {
            continue;
        }
        let all: Vec<&Moved> = moved
            .iter()
            .filter(|other| other.nested == first.nested && other.holder.text == first.holder.text)
            .collect();
        each_once(cx, &all);
        if first.nested {
            let holder = newer_field(cx, &first.holder, "moved", written, mapped);
            let fields = all
                .iter()
                .map(|moved| {
                    (claims.claim(cx, &moved.outside, Reason::Named), moved.inside.clone())
                })
                .collect();
            rules.extend(holder.map(|holder| Rule::Gathered { holder, moves: fields }));
        } else {
            let holder = claims.claim(cx, &first.holder, Reason::Named);
            let fields = all
                .iter()
                .filter_map(|moved| {
                    let newer = newer_field(cx, &moved.outside, "moved", written, mapped)?;
                    Some((moved.inside.clone(), Rc::clone(&newer)))
                })
                .collect();
            rules.push(Rule::Scattered { holder, moves: fields });
        }
    }
    rules
}

fn each_once(cx: &Ctxt, all: &[&Moved]) {
    let mut seen = BTreeSet::new();
    for Moved { holder, nested, inside, .. } in all {
        if seen.insert(&inside.text) {
            continue;
        }
        let place = format!("{}.{}", holder.text, inside.text);
        cx.error(
            &inside.ident,
            if *nested {
                format!("`{place}` is mapped twice")
            } else {
                format!(
                    "the older `{place}` is claimed twice: a field of the older version goes to one place"
                )
            },
        );
    }
}
