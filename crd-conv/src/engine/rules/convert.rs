//! Converted groups of fields: the outputs come from an entry or from the author's code. The inputs
//! are kept if the way back doesn't return them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use smallvec::SmallVec;

use crate::complement::{Entry, UnrestoredReason};
use crate::engine::hop::{Cause, Failure, Hop};
use crate::engine::program::{Convert, Slot};
use crate::json::{Fidelity, equal, members_of};
use crate::plan::{Conversion, Fault, Texts, Values, panic_text};

/// Makes the outputs from the inputs.
pub(super) fn convert<'a>(
    hop: &mut Hop<'a>,
    instance: usize,
    convert: &'a Convert,
) -> Result<(), Failure> {
    let source = hop.source;
    let places: SmallVec<[Option<usize>; 4]> =
        convert.inputs.iter().map(|(member, _)| source.member(instance, *member)).collect();
    let inputs: Texts<'a> = places
        .iter()
        .zip(&convert.inputs)
        .map(|(named, (_, slot))| source.present(*named, slot))
        .collect();
    let outputs = outputs(hop, instance, convert, &inputs)?;
    let members = convert.outputs.iter().zip(outputs.texts());
    let members = members.filter_map(|(slot, output)| Some((slot.name, output?)));
    hop.patch.put(instance, places.into_iter().flatten(), members);
    Ok(())
}

/// Returns the outputs from an entry, or else from the author's code. Keeps the inputs if the way
/// back doesn't return them.
fn outputs(
    hop: &mut Hop<'_>,
    instance: usize,
    convert: &Convert,
    inputs: &[Option<&str>],
) -> Result<Values, Failure> {
    let source = hop.source;
    let slots = || convert.inputs.iter().map(|(_, slot)| slot);
    let restored = hop.take_entry(instance, convert.restores()).map(|entry| {
        let (restored, reason) = restore(&entry, inputs, convert, || source.text_of(instance));
        if let Some(reason) = reason {
            hop.lose(reason);
        }
        restored
    });
    let from_entry = matches!(restored, Some(Restored::Whole(_)));
    let mut outputs = match restored {
        Some(Restored::Whole(outputs)) => outputs,
        restored if is_complete(inputs, slots()) => {
            // A client may have written anything into the entry. That mustn't make the conversion
            // fail.
            let edited = match &restored {
                Some(Restored::Edited(before)) => {
                    convert.forth(inputs, Some(&before.texts().collect::<Texts<'_>>())).ok()
                }
                _ => None,
            };
            let outputs = edited.map_or_else(|| convert.forth(inputs, None), Ok);
            outputs
                .map_err(|refusal| explain(hop, refusal, instance, convert, inputs))?
                .counted(hop)
        }
        _ => of_nothing(convert.forth, inputs, slots(), convert.outputs.iter())
            .map_or_else(|| Values::absent(convert.outputs.len()), |made| made.counted(hop)),
    };
    if !from_entry {
        fill(&mut outputs, convert.outputs.iter(), inputs, slots());
    }
    if !is_lossless(convert, &outputs, inputs, from_entry) {
        let keep = slots().zip(inputs).filter_map(|(slot, input)| Some((slot.name, (*input)?)));
        let guard = convert.outputs.iter().zip(outputs.texts());
        let guard = guard.filter_map(|(slot, output)| Some((slot.name, slot.as_guarded(output?)?)));
        let guard: Vec<_> = guard.collect();
        hop.keep_of_any(instance, convert.keeps(), keep, Some(&guard));
    }
    Ok(outputs)
}

/// Whether the way back returns the inputs, even after the API server has stored the outputs.
fn is_lossless(
    convert: &Convert,
    outputs: &Values,
    inputs: &[Option<&str>],
    from_entry: bool,
) -> bool {
    comes_back(convert, outputs, inputs)
        && seen_by_server(convert, outputs, from_entry)
            .is_none_or(|seen| comes_back(convert, &seen, inputs))
}

fn explain(
    hop: &Hop<'_>,
    Refusal { unreadable, reason, cause }: Refusal,
    instance: usize,
    convert: &Convert,
    inputs: &[Option<&str>],
) -> Failure {
    let document = hop.source.document;
    let at = |name: &str| {
        let mut path = document.path(document.instances[instance].place, false);
        path.push(name);
        path.join(".")
    };
    if let Some(index) = unreadable {
        return Failure { field: at(convert.inputs[index].1.name), reason, cause };
    }
    let present = convert.inputs.iter().zip(inputs).filter(|(_, input)| input.is_some());
    let fields: Vec<String> = present.map(|((_, slot), _)| at(slot.name)).collect();
    Failure { field: fields.join(", "), reason, cause }
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
    convert: &Convert,
    around: impl Fn() -> &'a str,
) -> (Restored, Option<UnrestoredReason>) {
    const MISTYPED: (Restored, Option<UnrestoredReason>) =
        (Restored::Nothing, Some(UnrestoredReason::Mistyped));
    let Some(guard) = entry.guard() else { return MISTYPED };
    let mut guard: Vec<(&str, &str)> = guard.collect();
    let shown = !guard.is_empty();
    let mut edited = false;
    for ((_, slot), input) in convert.inputs.iter().zip(inputs) {
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
    let mut outputs = Values::absent(convert.outputs.len());
    let mut lost = None;
    for (name, value) in entry.keep() {
        let Some(at) = convert.outputs.iter().position(|slot| slot.name == name) else {
            lost = Some(UnrestoredReason::Mistyped);
            continue;
        };
        if !convert.outputs[at].accepts(value) {
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
    if shown && !is_complete(&outputs.texts().collect::<Texts<'_>>(), convert.outputs.iter()) {
        let Ok(Outputs { values: made, .. }) = convert.forth(inputs, None) else { return MISTYPED };
        for (at, (made, slot)) in made.texts().zip(&convert.outputs).enumerate() {
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
fn seen_by_server(convert: &Convert, outputs: &Values, from_entry: bool) -> Option<Values> {
    let slots = || outputs.texts().zip(&convert.outputs);
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
fn comes_back(convert: &Convert, outputs: &Values, inputs: &[Option<&str>]) -> bool {
    let slots = || convert.inputs.iter().map(|(_, slot)| slot);
    let outputs: Texts<'_> = outputs.texts().collect();
    let back = if is_complete(&outputs, convert.outputs.iter()) {
        convert.back(&outputs).ok().map(|made| made.values)
    } else {
        of_nothing(convert.back, &outputs, convert.outputs.iter(), slots())
            .map(|made| made.values)
            .or_else(|| Some(Values::absent(inputs.len())))
    };
    back.is_some_and(|mut back| {
        fill(&mut back, slots(), &outputs, convert.outputs.iter());
        back.texts().zip(inputs).all(|(back, input)| match (back, input) {
            (Some(back), Some(input)) => equal(back, input, Fidelity::AsWritten),
            (back, input) => back.is_none() && input.is_none(),
        })
    })
}

/// Fills in the defaults of outputs that a converter left out: the API server doesn't do that
/// between two hops. A partial object may lack inputs that the converter needs. Then its outputs
/// stay absent.
fn fill<'s>(
    outputs: &mut Values,
    gives: impl Iterator<Item = &'s Slot>,
    inputs: &[Option<&str>],
    takes: impl Iterator<Item = &'s Slot>,
) {
    if inputs.iter().all(Option::is_none) || is_complete(inputs, takes) {
        for (at, slot) in gives.enumerate() {
            if let (None, Some(default)) = (outputs.get(at), &slot.default) {
                outputs.set(at, default);
            }
        }
    }
}

/// Whether a converter has at least one input, and each input whose type isn't `Option`.
fn is_complete<'s>(values: &[Option<&str>], slots: impl Iterator<Item = &'s Slot>) -> bool {
    values.iter().any(Option::is_some)
        && values.iter().zip(slots).all(|(value, slot)| value.is_some() || slot.optional)
}

/// Returns what a converter or its fallback returns without any input, if an output can't be
/// absent.
fn of_nothing<'s>(
    conversion: Conversion,
    values: &[Option<&str>],
    mut takes: impl Iterator<Item = &'s Slot>,
    gives: impl Iterator<Item = &'s Slot> + Clone,
) -> Option<Outputs> {
    let needed = values.iter().all(Option::is_none)
        && takes.all(|slot| slot.optional)
        && gives.clone().any(|slot| !slot.optional || slot.default.is_some());
    // The object may be partial, so it isn't a reason to fail.
    needed.then(|| call(conversion, values, None, gives).ok()).flatten()
}

/// What the author's code returned.
struct Outputs {
    values: Values,
    /// Whether these come from the fallback.
    fell_back: bool,
}

impl Outputs {
    fn counted(self, hop: &mut Hop<'_>) -> Values {
        hop.tally.fallbacks += u32::from(self.fell_back);
        self.values
    }
}

/// Why the author's code returned nothing.
struct Refusal {
    /// The index of an input that its type can't hold.
    unreadable: Option<usize>,
    reason: String,
    cause: Option<Cause>,
}

impl Convert {
    fn forth(
        &self,
        inputs: &[Option<&str>],
        before: Option<&[Option<&str>]>,
    ) -> Result<Outputs, Refusal> {
        call(self.forth, inputs, before, self.outputs.iter())
    }

    fn back(&self, outputs: &[Option<&str>]) -> Result<Outputs, Refusal> {
        call(self.back, outputs, None, self.inputs.iter().map(|(_, slot)| slot))
    }
}

/// Calls the author's code, or its fallback if it fails. Returns the outputs as the API server
/// would return them. Formatting the author's error is the author's code, too.
fn call<'s>(
    conversion: Conversion,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
    gives: impl Iterator<Item = &'s Slot>,
) -> Result<Outputs, Refusal> {
    let mut values = Values::default();
    let outcome = attempt(|| (conversion.convert)(inputs, before, &mut values));
    let fell_back = outcome.is_err();
    if let Err(refusal) = outcome {
        let Some(fallback) = conversion.fallback else { return Err(refusal) };
        values = Values::default();
        attempt(|| fallback(&mut values))?;
    }
    for (at, slot) in gives.enumerate() {
        let served = values.get(at).map(|text| slot.served.value(text));
        if let Some(Cow::Owned(served)) = served {
            values.set(at, &served);
        }
    }
    Ok(Outputs { values, fell_back })
}

fn attempt(code: impl FnOnce() -> Result<(), Fault>) -> Result<(), Refusal> {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        code().map_err(|fault| {
            let (unreadable, error) = match fault {
                Fault::Unreadable(index, error) => (Some(index), error),
                Fault::Refused(error) => (None, error),
            };
            Refusal { unreadable, reason: error.to_string(), cause: Some(error.into()) }
        })
    }));
    outcome.unwrap_or_else(|panic| {
        let reason = format!("panicked: {}", panic_text(&*panic));
        Err(Refusal { unreadable: None, reason, cause: None })
    })
}
