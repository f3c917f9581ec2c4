//! Calls the author's code for a converted group, or the rules of its type.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::hop::{Cause, Failure, Hop};
use crate::engine::program::{Code, Direction, Group, Slot};
use crate::engine::value::convert_value;
use crate::plan::{Conversion, Fault, Nested, Values, panic_text};

/// What the author's code returned.
pub(super) struct Outputs {
    pub(super) values: Values,
    /// Whether these come from the fallback.
    fell_back: bool,
}

impl Outputs {
    pub(super) fn counted(self, hop: &mut Hop<'_>) -> Values {
        hop.tally.fallbacks += u32::from(self.fell_back);
        self.values
    }
}

/// Why the author's code returned nothing.
pub(super) struct Refusal {
    /// The index of an input that its type can't hold.
    pub(super) unreadable: Option<usize>,
    pub(super) reason: String,
    pub(super) cause: Option<Cause>,
}

impl Group {
    pub(super) fn forth(
        &self,
        inputs: &[Option<&str>],
        before: Option<&[Option<&str>]>,
    ) -> Result<Outputs, Refusal> {
        call(self.forth, inputs, before, &self.outputs)
    }

    pub(super) fn back(&self, outputs: &[Option<&str>]) -> Result<Outputs, Refusal> {
        call(self.back, outputs, None, &self.inputs)
    }
}

/// Calls the code of a group. Returns the outputs as the API server would return them.
pub(super) fn call(
    code: Code,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
    gives: &[Slot],
) -> Result<Outputs, Refusal> {
    let mut made = match code {
        Code::Author(conversion) => ask(conversion, inputs, before)?,
        Code::Rules(rules, direction) => by_rules(rules, direction, inputs, before)?,
    };
    for (at, slot) in gives.iter().enumerate() {
        let served = made.values.get(at).map(|text| slot.served.value(text));
        if let Some(Cow::Owned(served)) = served {
            made.values.set(at, &served);
        }
    }
    Ok(made)
}

/// Converts a value by the rules inside it. `before` is the target's value from before an edit:
/// what is kept for it belongs to the edited value, too.
fn by_rules(
    rules: Nested,
    direction: Direction,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
) -> Result<Outputs, Refusal> {
    let nothing = Outputs { values: Values::absent(1), fell_back: false };
    let [Some(value)] = *inputs else { return Ok(nothing) };
    let refusal = |Failure { field, reason, cause }| {
        let reason = if field.is_empty() { reason } else { format!("`{field}`: {reason}") };
        Refusal { unreadable: None, reason, cause }
    };
    let known = match before {
        Some([Some(before)]) => {
            convert_value(rules, direction.opposite(), before, "{}").ok().flatten()
        }
        _ => None,
    };
    let entries = known.as_ref().map_or("{}", |known| &known.entries);
    // A value that is nested too deep isn't shown. It is kept as a whole.
    let made = convert_value(rules, direction, value, entries).map_err(refusal)?;
    Ok(made.map_or(nothing, |made| Outputs {
        values: [Some(made.value)].into_iter().collect(),
        fell_back: made.fell_back,
    }))
}

/// Calls the author's code, or its fallback if it fails. Formatting the author's error is the
/// author's code, too.
fn ask(
    conversion: Conversion,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
) -> Result<Outputs, Refusal> {
    let mut values = Values::default();
    let outcome = attempt(|| (conversion.convert)(inputs, before, &mut values));
    let fell_back = outcome.is_err();
    if let Err(refusal) = outcome {
        let Some(fallback) = conversion.fallback else { return Err(refusal) };
        values = Values::default();
        attempt(|| fallback(&mut values))?;
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
