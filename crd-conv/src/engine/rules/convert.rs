//! Converted groups of fields: the outputs come from an entry or from the author's code. The inputs
//! are kept if the way back doesn't return them.

use std::borrow::Cow;
use std::collections::HashMap;

use smallvec::SmallVec;

use super::code::{Outputs, Refusal, call};
use crate::complement::{Entry, UnrestoredReason};
use crate::engine::document::Source;
use crate::engine::hop::{Failure, Hop};
use crate::engine::program::{Code, Convert, Group, Slot};
use crate::json::{Fidelity, equal, members_of};
use crate::plan::{Texts, Values};

/// Makes the outputs from the inputs.
pub(super) fn convert<'a>(
    hop: &mut Hop<'a>,
    instance: usize,
    convert: &'a Convert,
) -> Result<(), Failure> {
    let source = hop.source;
    let group = &convert.group;
    let places: SmallVec<[Option<usize>; 4]> =
        convert.members.iter().map(|member| source.member(instance, *member)).collect();
    let inputs: Texts<'a> = places
        .iter()
        .zip(&group.inputs)
        .map(|(named, slot)| source.present(*named, slot))
        .collect();
    let at = |name| field_at(source, instance, &[name]);
    let entry = hop.take_entry(instance, group.restores());
    let given = give(hop, group, &inputs, entry, || source.text_of(instance));
    let Given { outputs, is_lossless } =
        given.map_err(|refusal| explain(refusal, group, &inputs, |slot| at(slot.name)))?;
    if !is_lossless {
        let keep = group.inputs.iter().zip(&inputs);
        let keep = keep.filter_map(|(slot, input)| Some((slot.name, (*input)?)));
        let guard = group.outputs.iter().zip(outputs.texts());
        let guard = guard.filter_map(|(slot, output)| Some((slot.name, slot.as_guarded(output?)?)));
        let guard: Vec<_> = guard.collect();
        hop.keep_of_any(instance, group.keeps(), keep, Some(&guard));
    }
    let members = group.outputs.iter().zip(outputs.texts());
    let members = members.filter_map(|(slot, output)| Some((slot.name, output?)));
    hop.patch.put(instance, places.into_iter().flatten(), members);
    Ok(())
}

/// What a group becomes.
pub(super) struct Given {
    pub(super) outputs: Values,
    /// Whether the way back returns the inputs. If not, they have to be kept.
    pub(super) is_lossless: bool,
}

/// Returns the outputs from the group's entry, or else from the author's code. `around` is the
/// object with the inputs.
pub(super) fn give<'a>(
    hop: &mut Hop<'_>,
    group: &Group,
    inputs: &[Option<&str>],
    entry: Option<Entry>,
    around: impl Fn() -> &'a str,
) -> Result<Given, Refusal> {
    let is_asked = is_complete(inputs, &group.inputs);
    let (mut outputs, from_entry) = match made(hop, group, (inputs, is_asked), entry, around)? {
        Made::Nothing => {
            let made = of_nothing(group.forth, inputs, &group.inputs, &group.outputs);
            let absent = || Values::absent(group.outputs.len());
            (made.map_or_else(absent, |made| made.counted(hop)), false)
        }
        Made::ByCode(outputs) => (outputs, false),
        Made::OfEntry(outputs) => (outputs, true),
    };
    if !from_entry {
        fill(&mut outputs, &group.outputs, inputs, &group.inputs);
    }
    let is_lossless = is_lossless(group, &outputs, inputs, from_entry);
    Ok(Given { outputs, is_lossless })
}

/// The outputs of a group.
pub(super) enum Made {
    OfEntry(Values),
    ByCode(Values),
    /// The code wasn't asked.
    Nothing,
}

/// Returns the outputs from the group's entry, or else from the author's code, if that is asked.
/// `around` is the object with the inputs.
pub(super) fn made<'a>(
    hop: &mut Hop<'_>,
    group: &Group,
    (inputs, is_asked): (&[Option<&str>], bool),
    entry: Option<Entry>,
    around: impl Fn() -> &'a str,
) -> Result<Made, Refusal> {
    let restored = entry.map(|entry| {
        let (restored, reason) = restore(&entry, inputs, group, around);
        if let Some(reason) = reason {
            hop.lose(reason);
        }
        restored
    });
    match restored {
        Some(Restored::Whole(outputs)) => Ok(Made::OfEntry(outputs)),
        restored if is_asked => {
            // A client may have written anything into the entry. That mustn't make the conversion
            // fail.
            let edited = match &restored {
                Some(Restored::Edited(before)) => {
                    group.forth(inputs, Some(&before.texts().collect::<Texts<'_>>())).ok()
                }
                _ => None,
            };
            let made = edited.map_or_else(|| group.forth(inputs, None), Ok)?;
            Ok(Made::ByCode(made.counted(hop)))
        }
        _ => Ok(Made::Nothing),
    }
}

/// Whether the way back returns the inputs, even after the API server has stored the outputs.
fn is_lossless(group: &Group, outputs: &Values, inputs: &[Option<&str>], from_entry: bool) -> bool {
    comes_back(group, outputs, inputs)
        && seen_by_server(group, outputs, from_entry)
            .is_none_or(|seen| comes_back(group, &seen, inputs))
}

/// Returns the failure of a group. `at` returns the path of an input.
pub(super) fn explain(
    Refusal { unreadable, reason, cause }: Refusal,
    group: &Group,
    inputs: &[Option<&str>],
    at: impl Fn(&Slot) -> String,
) -> Failure {
    if let Some(index) = unreadable {
        return Failure { field: at(&group.inputs[index]), reason, cause };
    }
    let present = group.inputs.iter().zip(inputs).filter(|(_, input)| input.is_some());
    let fields: Vec<String> = present.map(|(slot, _)| at(slot)).collect();
    Failure { field: fields.join(", "), reason, cause }
}

/// Returns the path of a field at any depth in an instance.
pub(super) fn field_at(source: Source<'_>, instance: usize, fields: &[&'static str]) -> String {
    let document = source.document;
    let mut path = document.path(document.instances[instance].place, false);
    path.extend(fields);
    path.join(".")
}

/// What an entry has for a converted group.
enum Restored {
    /// The outputs, since the guard holds.
    Whole(Values),
    /// The outputs as they were before a client edited the inputs.
    Edited(Values),
    /// Nothing that can be used.
    Nothing,
}

/// Returns what an entry restores, and the reason if that isn't all of it. `around` is the object
/// with the inputs.
fn restore<'a>(
    entry: &Entry,
    inputs: &[Option<&str>],
    group: &Group,
    around: impl Fn() -> &'a str,
) -> (Restored, Option<UnrestoredReason>) {
    const MISTYPED: (Restored, Option<UnrestoredReason>) =
        (Restored::Nothing, Some(UnrestoredReason::Mistyped));
    let Some(guard) = entry.guard() else { return MISTYPED };
    let mut guard: Vec<(&str, &str)> = guard.collect();
    let shown = !guard.is_empty();
    let mut edited = false;
    for (slot, input) in group.inputs.iter().zip(inputs) {
        let at = guard.iter().position(|(name, _)| *name == slot.name);
        let expected =
            at.map(|at| guard.swap_remove(at).1).and_then(|value| slot.as_guarded(value));
        edited |= expected != input.and_then(|input| slot.as_guarded(input));
    }
    if !guard.is_empty() {
        match others_hold(&guard, around()) {
            Some(hold) => edited |= !hold,
            None => return MISTYPED,
        }
    }
    let mut outputs = Values::absent(group.outputs.len());
    let mut lost = None;
    for (name, value) in entry.keep() {
        let Some(at) = group.outputs.iter().position(|slot| slot.name == name) else {
            lost = Some(UnrestoredReason::Mistyped);
            continue;
        };
        if !group.outputs[at].accepts(value) {
            return MISTYPED;
        }
        outputs.set(at, value);
    }
    if edited {
        return (Restored::Edited(outputs), Some(UnrestoredReason::Edited));
    }
    if lost.is_some() && outputs.texts().all(|output| output.is_none()) {
        return MISTYPED;
    }
    // If the peer showed something, everything was there that the converter of that time needed.
    if shown && !is_complete(&outputs.texts().collect::<Texts<'_>>(), &group.outputs) {
        let Ok(Outputs { values: made, .. }) = group.forth(inputs, None) else { return MISTYPED };
        for (at, (made, slot)) in made.texts().zip(&group.outputs).enumerate() {
            if let (None, Some(made), false) = (outputs.get(at), made, slot.optional) {
                outputs.set(at, made);
            }
        }
    }
    (Restored::Whole(outputs), lost)
}

/// Returns whether fields that only an earlier release's converter wrote are unchanged, or `None`
/// if one is absent.
#[cold]
fn others_hold(guard: &[(&str, &str)], around: &str) -> Option<bool> {
    let members = members_of(around).unwrap_or_default();
    // If several members have the same name, the last one counts.
    let values: HashMap<&str, &str> =
        members.iter().map(|member| (&*member.name, member.value)).collect();
    let mut hold = true;
    for (name, expected) in guard {
        hold &= equal(values.get(name)?, expected, Fidelity::AsServed);
    }
    Some(hold)
}

/// Returns the outputs as the API server returns them, if it changes them. It fills in defaults and
/// rewrites numbers. Results of a converter already have that form, but values from an entry don't.
fn seen_by_server(group: &Group, outputs: &Values, from_entry: bool) -> Option<Values> {
    let slots = || outputs.texts().zip(&group.outputs);
    if !from_entry && slots().all(|(output, slot)| output.is_some() || slot.default.is_none()) {
        return None;
    }
    let seen = slots().map(|(output, slot)| match output {
        Some(output) => Some(slot.served.value(output)),
        None => slot.default.as_deref().map(Cow::Borrowed),
    });
    Some(seen.collect())
}

/// Whether the way back returns the inputs.
fn comes_back(group: &Group, outputs: &Values, inputs: &[Option<&str>]) -> bool {
    let outputs: Texts<'_> = outputs.texts().collect();
    let back = if is_complete(&outputs, &group.outputs) {
        group.back(&outputs).ok().map(|made| made.values)
    } else {
        of_nothing(group.back, &outputs, &group.outputs, &group.inputs)
            .map(|made| made.values)
            .or_else(|| Some(Values::absent(inputs.len())))
    };
    back.is_some_and(|mut back| {
        fill(&mut back, &group.inputs, &outputs, &group.outputs);
        back.texts().zip(inputs).all(|(back, input)| match (back, input) {
            (Some(back), Some(input)) => equal(back, input, Fidelity::AsWritten),
            (back, input) => back.is_none() && input.is_none(),
        })
    })
}

/// Returns what comes back for a complete group of the target.
pub(super) fn back(group: &Group, shown: &[Option<&str>]) -> Option<Values> {
    group.back(shown).ok().map(|made| made.values)
}

/// Whether nothing comes back for what the target shows.
pub(super) fn becomes_nothing(group: &Group, shown: &str) -> bool {
    let back = group.back(&[Some(shown)]);
    back.is_ok_and(|Outputs { values, .. }| values.get(0).is_none())
}

/// Fills in the defaults of outputs that a converter left out: the API server doesn't do that
/// between two hops. A partial object may lack inputs that the converter needs. Then its outputs
/// stay absent.
fn fill(outputs: &mut Values, gives: &[Slot], inputs: &[Option<&str>], takes: &[Slot]) {
    if inputs.iter().all(Option::is_none) || is_complete(inputs, takes) {
        for (at, slot) in gives.iter().enumerate() {
            if let (None, Some(default)) = (outputs.get(at), &slot.default) {
                outputs.set(at, default);
            }
        }
    }
}

/// Whether a converter has at least one input, and each input whose type isn't `Option`.
pub(super) fn is_complete(values: &[Option<&str>], slots: &[Slot]) -> bool {
    values.iter().any(Option::is_some)
        && values.iter().zip(slots).all(|(value, slot)| value.is_some() || slot.optional)
}

/// Returns what a converter or its fallback returns without any input, if an output can't be
/// absent.
fn of_nothing(
    code: Code,
    values: &[Option<&str>],
    takes: &[Slot],
    gives: &[Slot],
) -> Option<Outputs> {
    let needed = values.iter().all(Option::is_none)
        && takes.iter().all(|slot| slot.optional)
        && gives.iter().any(|slot| !slot.optional || slot.default.is_some());
    // The object may be partial, so it isn't a reason to fail.
    needed.then(|| call(code, values, None, gives).ok()).flatten()
}
