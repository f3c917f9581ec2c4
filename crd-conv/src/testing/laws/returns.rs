//! The laws about round trips and equal results.

use super::differences::differences;
use crate::testing::{
    choices::Choices,
    stop::{Stop, ensure},
    stray::Stray,
    subject::{Case, Subject},
    tree::{Tree, members},
};

pub(super) fn exact_return(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Unknown, choices);
    let there = subject.convert(&object, to)?;
    let back = subject.convert(&there, from)?;
    same(subject, &object, &back, || format!("after it was converted to\n{there}"))?;
    ensure(subject.carrier(&back).is_empty(), || format!("entries remain in\n{back}"))
}

pub(super) fn exact_return_through_server(
    subject: &Subject<'_>,
    choices: &mut Choices<'_>,
) -> Result<(), Stop> {
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    // The server writes a float's -0 as an integer's, which it reads as 0.
    let object = subject.decoded(&subject.decoded(&object, from)?, from)?;
    let there = subject.served(&subject.convert(&object, to)?, to)?;
    let read = subject.decoded(&there, to)?;
    let back = subject.served(&subject.convert(&read, from)?, from)?;
    same(subject, &object, &back, || format!("after it was stored as\n{there}"))
}

pub(super) fn path_independence(
    subject: &Subject<'_>,
    choices: &mut Choices<'_>,
) -> Result<(), Stop> {
    let via = choices.below(subject.versions());
    let Case { object, to, .. } = subject.case(Stray::Unknown, choices);
    let direct = subject.convert(&object, to)?;
    let around = subject.convert(&subject.convert(&object, via)?, to)?;
    let whole = |object: &str| (subject.essence(object), subject.carrier(object));
    ensure(whole(&direct) == whole(&around), || {
        let via = subject.version(via);
        let differences = differences(&Tree::read(&direct), &Tree::read(&around));
        format!("{object}\nbecomes\n{direct}\nbut by way of {via}\n{around}\n{differences}")
    })
}

pub(super) fn idempotent_store(
    subject: &Subject<'_>,
    choices: &mut Choices<'_>,
) -> Result<(), Stop> {
    let storage = subject.storage();
    let Case { object, from, to, .. } = subject.case(Stray::Valid, choices);
    // Who wrote the object may be who reads it.
    let to = choices.one_of(&[to, from]);
    let created = subject.decoded(&object, from)?;
    let stored = subject.served(&subject.convert(&created, storage)?, storage)?;
    let stored = subject.decoded(&stored, storage)?;
    let read = subject.served(&subject.convert(&stored, to)?, to)?;
    let written = subject.convert(&subject.decoded(&read, to)?, storage)?;
    let written = subject.decoded(&subject.served(&written, storage)?, storage)?;
    ensure(Tree::read(&written) == Tree::read(&stored), || {
        let to = subject.version(to);
        let differences = differences(&Tree::read(&stored), &Tree::read(&written));
        format!(
            "stored as\n{stored}\nread in {to} as\n{read}\nand written back as\n{written}\n{differences}"
        )
    })
}

pub(super) fn deterministic(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, to, .. } = subject.case(Stray::Anywhere, choices);
    let first = subject.try_convert(&object, to)?;
    // What was converted before must not matter.
    let other = choices.below(subject.versions());
    let other_object = subject.object(other, Stray::Anywhere, choices);
    let _ = subject.try_convert(&other_object, choices.below(subject.versions()));
    let second = subject.try_convert(&object, to)?;
    ensure(first.json == second.json && first.unrestored == second.unrestored, || {
        let (first, second) = (first.json, second.json);
        let differences = differences(&Tree::read(&first), &Tree::read(&second));
        format!("{object}\nbecomes\n{first}\nand then\n{second}\n{differences}")
    })
}

pub(super) fn hands_off(subject: &Subject<'_>, choices: &mut Choices<'_>) -> Result<(), Stop> {
    let Case { object, to, .. } = subject.case(Stray::Unknown, choices);
    let there = subject.convert(&object, to)?;
    let of = |text: &str, name: &str| subject.essence(text).at(&[name]).cloned();
    for name in ["metadata", "kind"] {
        ensure(of(&object, name) == of(&there, name), || {
            let differences = differences(&subject.essence(&object), &subject.essence(&there));
            format!("`{name}` isn't the same in\n{there}\nas in\n{object}\n{differences}")
        })?;
    }
    ensure(members(&there).contains_key("metadata"), || {
        format!("there is no `metadata` in\n{there}")
    })?;
    let api_version = format!("{}/{}", subject.resource.definition().group, subject.version(to));
    ensure(of(&there, "apiVersion") == Some(Tree::Text(api_version)), || {
        format!("the `apiVersion` is wrong in\n{there}")
    })
}

/// Checks that two objects are the same, except for the annotations of conversions.
pub(super) fn same(
    subject: &Subject<'_>,
    object: &str,
    back: &str,
    way: impl FnOnce() -> String,
) -> Result<(), Stop> {
    let (before, after) = (subject.essence(object), subject.essence(back));
    ensure(before == after, || {
        format!(
            "{object}\nwas converted back to\n{back}\n{}\n{}",
            way(),
            differences(&before, &after)
        )
    })
}
