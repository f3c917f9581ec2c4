//! Enums: what the other version shows for a variant, and what is kept.

use std::ops::Range;

use crate::complement::UnrestoredReason;
use crate::engine::hop::{Hop, MemberEdit};
use crate::engine::program::{Becomes, Union, quoted};
use crate::json::{Fidelity, equal};
use crate::plan::Tagging;

/// Turns an enum's value into the other version's. A value that no rule knows stays as it is. The
/// content of a variant that both versions have is handled by itself.
pub(super) fn choose(hop: &mut Hop<'_>, instance: usize, union: &Union) {
    let source = hop.source;
    let span = source.instance(instance).span();
    let input = &source.text[span.clone()];
    let known = union.variants.get(source.instance(instance).variant);
    let output = match (restored(hop, instance, union, input), known.map(|known| &known.becomes)) {
        (Some(restored), _) => restored,
        (None, Some(Becomes::Kept { name, .. })) => {
            return rename_variant(hop, instance, union, name, span);
        }
        (None, Some(Becomes::Shown(shown))) => shown.clone(),
        (None, None) => input.to_owned(),
    };
    let comes_back = union.target.way_back(&output);
    if !comes_back.is_some_and(|back| equal(&back, input, Fidelity::AsWritten)) {
        let place = source.instance(instance).place;
        let [own, other] = [false, true].map(|target| source.document.name(place, target));
        let guard = [(other, output.as_str().into())];
        hop.keep_of_any(instance, None, std::iter::once((own, input)), Some(&guard));
    }
    hop.patch.end_inside(source.document, instance);
    if output != input {
        hop.patch.replace(span, &output);
    }
}

/// Returns the value that an entry keeps, if the source still shows what its version showed for
/// that value.
fn restored(hop: &mut Hop<'_>, instance: usize, union: &Union, input: &str) -> Option<String> {
    let entry = hop.take_entry(instance, None)?;
    let guard = entry.guard().and_then(|mut guard| guard.next());
    let known = union.variants.get(hop.source.instance(instance).variant);
    let holds = |guard: &str| {
        equal(guard, input, Fidelity::AsServed)
            || known
                .and_then(|known| known.without_nulls(union.tagging, input))
                .is_some_and(|bare| equal(guard, &bare, Fidelity::AsServed))
    };
    let reason = match (guard, entry.keep().next()) {
        (Some((_, guard)), Some((_, kept))) if union.target.accepts(kept) => {
            if holds(guard) {
                return Some(kept.to_owned());
            }
            UnrestoredReason::Edited
        }
        _ => UnrestoredReason::Mistyped,
    };
    hop.lose(reason);
    None
}

/// Gives a variant its other name if only the value itself says which variant it is.
fn rename_variant(
    hop: &mut Hop<'_>,
    instance: usize,
    union: &Union,
    name: &str,
    span: Range<usize>,
) {
    let variant = hop.source.instance(instance).variant;
    if union.tagging != Tagging::External || union.variants[variant].name == name {
        return;
    }
    if hop.source.text.as_bytes()[span.start] == b'"' {
        return hop.patch.replace(span, &quoted(name));
    }
    let key = hop.patch.push_quoted(name);
    if let Some(named) = hop.source.member(instance, variant) {
        hop.patch.set(named, MemberEdit::Rename(key));
    }
}

/// Gives a variant its other name if the name is in a field.
pub(super) fn retag(
    hop: &mut Hop<'_>,
    instance: usize,
    member: usize,
    key: Option<&str>,
    to: &str,
) {
    let Some(named) = hop.source.member(instance, member) else { return };
    let edit = match key {
        Some(key) => MemberEdit::Replace(hop.patch.push_member(key, &quoted(to))),
        None => MemberEdit::Set(hop.patch.push_quoted(to)),
    };
    hop.patch.set(named, edit);
}
