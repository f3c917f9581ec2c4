//! Checks moved values, on a struct or on a version.

use std::collections::BTreeSet;

use super::refusals;
use crate::{
    ctxt::Ctxt,
    model::{Path, Way},
    name::dotted,
};

/// Checks that each value goes to one place, that each place gets one value, and that no part of a
/// moved value moves by itself. Also checks what happens to values that a converter refuses.
pub(super) fn ways(cx: &Ctxt, moved: &[Way]) {
    let (mut older_seen, mut newer_seen) = (BTreeSet::new(), BTreeSet::new());
    for Way { older, newer, by } in moved {
        if let Some(by) = by {
            refusals(cx, by, older.len(), newer.len());
        }
        for older in older {
            if let [.., last] = &**older
                && !older_seen.insert(dotted(older))
            {
                cx.error(
                    &last.ident,
                    format!(
                        "the older `{}` is mapped twice, but a field of the older version can have only one rule: remove one of the two",
                        dotted(older)
                    ),
                );
            }
        }
        for newer in newer {
            if let [.., last] = &**newer
                && !newer_seen.insert(dotted(newer))
            {
                cx.error(
                    &last.ident,
                    format!("`{}` is mapped twice, but a field can have only one rule: remove one of the two", dotted(newer)),
                );
            }
        }
    }
    for (is_newer, version) in [(false, "older"), (true, "newer")] {
        let paths = || moved.iter().flat_map(|way| way.paths(is_newer));
        for whole in paths() {
            let is_part = |part: &&Path| {
                part.len() > whole.len() && part.iter().zip(whole).all(|(a, b)| a.text == b.text)
            };
            if let Some(part) = paths().find(is_part)
                && let Some(last) = part.last()
            {
                cx.error(
                    &last.ident,
                    format!(
                        "`{}` of the {version} version moves as a whole, so `{}` can't move by itself: remove one of the two",
                        dotted(whole),
                        dotted(part)
                    ),
                );
            }
        }
    }
}
