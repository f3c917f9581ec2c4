//! How converters treat the values in objects.
//!
//! Most laws can't judge an object that a converter refuses, so a converter that refuses all of
//! them would break none. The law *total* and the table of converters look at each value.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use super::{ground::Ground, laws::variant, pair::Pair, tree::Tree};
use crate::json::quote;
use crate::plan::{
    Branch, Conversion, Fault, Field, FieldRule, Fields, JsonType, Kind, Rule, Tagging, Values,
    VariantRule, panic_text,
};
use crate::table::Table;

/// How a converter treated the values that were drawn for its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConverterUse {
    /// The versions between which it converts, in this direction.
    pub pair: Pair,
    /// The field that it takes, or the first of several. This is the path in the object, with `[]`
    /// for the items of a list and `*` for the keys of a map.
    pub field: String,
    /// The converter as the author named it.
    pub converter: &'static str,
    /// The number of values that it accepted. Null, `[]` and `{}` aren't counted, because
    /// converters that accept nothing else accept these.
    pub taken: u32,
    /// The number of values that it refused, or that its types couldn't read.
    pub refused: u32,
    /// The number of these at which it panicked.
    pub panicked: u32,
    /// The shortest value that it refused or panicked at, as JSON. If there are several fields, it
    /// is an object of them.
    pub refused_value: Option<String>,
    /// The reason why it refused that value.
    pub refusal: Option<String>,
    /// Whether the mapping has a `fallback` in this direction.
    pub fallback: bool,
    /// The reason why it may refuse values, if its author gives one with `refuses`.
    pub refuses: Option<&'static str>,
}

impl ConverterUse {
    /// Returns whether it breaks the law *total*.
    ///
    /// It does so in these cases:
    ///
    /// - It panics.
    /// - It refuses a value without a `fallback`, unless its author allows that with `refuses`.
    /// - There were values for it and it accepted none, whatever its author declares.
    pub fn breaks_total(&self) -> bool {
        let excused = self.refuses.is_some() && self.taken > 0;
        self.panicked > 0 || (self.refused > 0 && !self.fallback && !excused)
    }
}

/// Writes what the converter accepted or refused, in a sentence without a full stop.
impl fmt::Display for ConverterUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pair, field, converter, taken, refused, panicked, .. } = self;
        let all = taken + refused;
        write!(f, "`{field}`, {pair}: the converter `{converter}` ")?;
        let (Some(value), Some(why)) = (&self.refused_value, &self.refusal) else {
            return write!(f, "accepts {taken} of {all} values");
        };
        let how = if *panicked > 0 { "panics on" } else { "refuses" };
        let count = if *panicked > 0 { panicked } else { refused };
        write!(f, "{how} {count} of {all} values, such as {value}: {why}")
    }
}

/// Returns a table of how many values each converter accepted and refused, and what a refusal leads
/// to.
pub(crate) fn table(uses: &[ConverterUse]) -> String {
    if uses.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    table.push(["converter", "field", "versions", "values", "refused", "if refused"]);
    for used in uses {
        let ConverterUse { pair, field, converter, taken, refused, fallback, refuses, .. } = used;
        let counts = [taken + refused, *refused].map(|count| count.to_string());
        let then = match refuses {
            Some(why) => why,
            None if *fallback => "fallback",
            None => "",
        };
        let texts = [(*converter).to_owned(), field.clone(), pair.to_string()];
        table.push(texts.into_iter().chain(counts).chain([then.to_owned()]));
    }
    table.lines().into_iter().fold(String::new(), |text, line| text + &line + "\n")
}

/// Counts how converters treat the values in an object.
pub(super) fn count(meetings: Vec<Meeting>, pair: Pair, uses: &mut Vec<ConverterUse>) {
    for Meeting { field, converter, value, absent, conversion, outcome } in meetings {
        let known = uses.iter().position(|known| (known.pair, &known.field) == (pair, &field));
        let known = known.unwrap_or_else(|| {
            uses.push(ConverterUse {
                pair,
                field,
                converter,
                taken: 0,
                refused: 0,
                panicked: 0,
                refused_value: None,
                refusal: None,
                fallback: conversion.fallback.is_some(),
                refuses: conversion.refuses,
            });
            uses.len() - 1
        });
        let known = &mut uses[known];
        let panics = matches!(outcome, Outcome::Panicked(_));
        let (Outcome::Refused(why) | Outcome::Panicked(why)) = outcome else {
            let says_little = absent || matches!(value.as_str(), "null" | "[]" | "{}");
            known.taken += u32::from(!says_little);
            continue;
        };
        let shorter = known.refused_value.as_ref().is_none_or(|known| value.len() < known.len());
        // A panic says more than a refusal.
        if (panics && known.panicked == 0) || (shorter && (panics || known.panicked == 0)) {
            (known.refused_value, known.refusal) = (Some(value), Some(why));
        }
        known.refused += 1;
        known.panicked += u32::from(panics);
    }
}

/// The text in messages if none of a converter's fields is there.
const NOTHING: &str = "an absent field";

/// A value that was shown to a converter.
pub(super) struct Meeting {
    field: String,
    converter: &'static str,
    value: String,
    /// Whether none of its fields is there.
    absent: bool,
    conversion: Conversion,
    outcome: Outcome,
}

enum Outcome {
    Taken,
    Refused(String),
    Panicked(String),
}

impl Meeting {
    /// Returns how it breaks the law *total*. `allowed` says whether the schema allows the value.
    pub(super) fn breaks_total(&self, allowed: bool) -> Option<String> {
        let Self { field, converter, value, .. } = self;
        match &self.outcome {
            Outcome::Panicked(why) => {
                Some(format!("`{field}`: the converter `{converter}` panics on {value}: {why}"))
            }
            Outcome::Refused(why) if allowed && self.is_refused() && !self.is_excused() => {
                Some(format!("`{field}`: the converter `{converter}` refuses {value}: {why}"))
            }
            _ => None,
        }
    }

    /// Whether the conversion of the object fails.
    pub(super) fn fails(&self) -> bool {
        // A partial object may lack the fields. Then the other version lacks what it needs, and the
        // conversion doesn't fail.
        self.is_refused() && !self.absent
    }

    fn is_refused(&self) -> bool {
        matches!(self.outcome, Outcome::Refused(_)) && self.conversion.fallback.is_none()
    }

    /// Whether the author says why the converter may refuse values.
    fn is_excused(&self) -> bool {
        self.conversion.refuses.is_some()
    }
}

/// Shows the values of an object to the converters of the hop to a neighboring version.
pub(super) fn meetings(
    ground: &Ground<'_>,
    (from, to): (usize, usize),
    object: &Tree,
) -> Vec<Meeting> {
    let versions = ground.resource.definition().versions;
    let mut shown = Shown { upgrade: from < to, meetings: Vec::new() };
    if let Some(plan) = versions[from.max(to)].rules() {
        shown.value(plan, object, "");
    }
    shown.meetings
}

struct Shown {
    upgrade: bool,
    meetings: Vec<Meeting>,
}

impl Shown {
    /// Returns what the source has, of what the older and the newer version have.
    fn source<T>(&self, older: T, newer: T) -> T {
        if self.upgrade { older } else { newer }
    }

    /// Returns what the target has, of what the older and the newer version have.
    fn target<T>(&self, older: T, newer: T) -> T {
        self.source(newer, older)
    }

    fn object(&mut self, fields: Fields, object: &Tree, path: &str) {
        let inside = |name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        for FieldRule { rule, inside: mapped, .. } in fields.rules() {
            match *rule {
                Rule::Kept { older, newer, .. } if self.source(&older, &newer).is_rest() => {
                    if let (Some(Tree::Object(rest)), Some(mapped)) =
                        (self.rest(fields, object), mapped)
                    {
                        for member in rest.values() {
                            self.value(mapped, member, &format!("{path}.*"));
                        }
                    }
                }
                Rule::Kept { older, newer, .. } => {
                    let wire = self.source(&older, &newer).wire;
                    if let (Some(value), Some(mapped)) = (object.at(&[wire]), mapped) {
                        self.value(mapped, value, &inside(wire));
                    }
                }
                Rule::Converted { older, newer, by, upgrade, downgrade } => {
                    let fields = self.source(older, newer);
                    let inputs = inputs(fields, object);
                    let shown = is_complete(fields, &inputs)
                        || is_asked_of_nothing(fields, &inputs, self.target(older, newer));
                    if let (Some(first), true) = (fields.first(), shown) {
                        let conversion = self.source(upgrade, downgrade);
                        let back = self.target(upgrade, downgrade);
                        self.meetings.push(Meeting {
                            field: inside(first.wire),
                            converter: by,
                            value: as_json(fields, &inputs),
                            absent: inputs.iter().all(Option::is_none),
                            conversion,
                            outcome: outcome(
                                &conversion,
                                &back,
                                self.target(older, newer),
                                &inputs,
                            ),
                        });
                    }
                }
                Rule::Added { .. } | Rule::Removed { .. } | Rule::Moved { .. } => {}
            }
        }
    }

    /// Returns the members of an object that belong to no field.
    fn rest(&self, fields: Fields, object: &Tree) -> Option<Tree> {
        let Tree::Object(members) = object else { return None };
        let mut rest = members.clone();
        for FieldRule { rule, .. } in fields.rules() {
            let fields = match rule {
                Rule::Kept { older, newer, .. } => slice::from_ref(self.source(older, newer)),
                Rule::Converted { older, newer, .. } => *self.source(older, newer),
                Rule::Added { newer, .. } if !self.upgrade => slice::from_ref(newer),
                Rule::Removed { older, .. } if self.upgrade => slice::from_ref(older),
                Rule::Added { .. } | Rule::Removed { .. } | Rule::Moved { .. } => &[],
            };
            rest.retain(|name, _| fields.iter().all(|field| field.wire != name));
        }
        Some(Tree::Object(rest))
    }

    fn value(&mut self, mapped: Branch, value: &Tree, path: &str) {
        match (mapped.kind(), value) {
            (Kind::Struct(fields), Tree::Object(_)) => self.object(fields, value, path),
            (Kind::List(inner, _), Tree::List(items)) => {
                for item in items {
                    self.value(inner, item, &format!("{path}[]"));
                }
            }
            (Kind::Map(inner), Tree::Object(members)) => {
                for member in members.values() {
                    self.value(inner, member, &format!("{path}.*"));
                }
            }
            (Kind::Enum(variants), _) => {
                let plan = variants.plan;
                let tagging = *self.source(&plan.older_tagging, &plan.newer_tagging);
                let tagged = variant(value, tagging);
                let kind = JsonType::of(&value.write());
                let kept = variants.rules().find_map(|(rule, inside)| match rule {
                    VariantRule::Kept { older, newer, .. } => {
                        let known = self.source(older, newer);
                        let held = match (tagging, tagged) {
                            (Tagging::Untagged, _) => known.kind.contains(kind).then_some(value)?,
                            (_, Some((name, held))) => held.filter(|_| name == known.wire)?,
                            _ => return None,
                        };
                        Some((known.wire, held, inside?))
                    }
                    VariantRule::Added { .. } | VariantRule::Removed { .. } => None,
                });
                if let Some((name, held, mapped)) = kept {
                    self.value(mapped, held, &format!("{path}.{name}"));
                }
            }
            (Kind::Struct(_) | Kind::List(..) | Kind::Map(_), _) => {}
        }
    }
}

/// Returns what a converter gets from an object. A null counts only if the field is nullable.
fn inputs(fields: &[Field], object: &Tree) -> Vec<Option<String>> {
    let value = |field: &Field| {
        let value = object.at(&[field.wire])?.write();
        (field.nullable || value != "null").then_some(value)
    };
    fields.iter().map(value).collect()
}

/// Whether there is a value, and each value whose type isn't optional.
fn is_complete(fields: &[Field], values: &[Option<String>]) -> bool {
    values.iter().any(Option::is_some)
        && fields.iter().zip(values).all(|(field, value)| value.is_some() || field.optional)
}

/// Whether all fields are absent, their types allow that, and the other version requires a field.
fn is_asked_of_nothing(takes: &[Field], values: &[Option<String>], gives: &[Field]) -> bool {
    values.iter().all(Option::is_none)
        && takes.iter().all(|field| field.optional)
        && gives.iter().any(|field| !field.optional)
}

fn as_json(fields: &[Field], inputs: &[Option<String>]) -> String {
    if let [Some(input)] = inputs {
        return input.clone();
    }
    if inputs.iter().all(Option::is_none) {
        return NOTHING.to_owned();
    }
    let mut text = "{".to_owned();
    for (field, input) in fields.iter().zip(inputs) {
        if let Some(input) = input {
            if text.len() > 1 {
                text.push(',');
            }
            quote(field.wire, &mut text);
            text.push(':');
            text += input;
        }
    }
    text + "}"
}

/// Returns how the author's code treats the inputs. It mustn't panic on its own results, neither on
/// the way back nor after an edit: the engine treats both as a refusal.
fn outcome(
    conversion: &Conversion,
    back: &Conversion,
    gives: &[Field],
    inputs: &[Option<String>],
) -> Outcome {
    let inputs: Vec<Option<&str>> = inputs.iter().map(Option::as_deref).collect();
    let made = match call(conversion, &inputs, None) {
        Ok(made) => made,
        Err(outcome) => return outcome,
    };
    let texts: Vec<Option<String>> = made.texts().map(|text| text.map(str::to_owned)).collect();
    let again: Vec<Option<&str>> = made.texts().collect();
    let mut more = vec![call(conversion, &inputs, Some(&again))];
    if is_complete(gives, &texts) {
        more.push(call(back, &again, None));
        more.push(call(back, &again, Some(&inputs)));
    }
    let panics = |outcome| match outcome {
        Err(panic @ Outcome::Panicked(_)) => Some(panic),
        _ => None,
    };
    more.into_iter().find_map(panics).unwrap_or(Outcome::Taken)
}

fn call(
    conversion: &Conversion,
    inputs: &[Option<&str>],
    before: Option<&[Option<&str>]>,
) -> Result<Values, Outcome> {
    let mut values = Values::default();
    // Formatting the author's error is the author's code, too.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        (conversion.convert)(inputs, before, &mut values).map_err(|fault| match fault {
            Fault::Unreadable(_, error) | Fault::Refused(error) => error.to_string(),
        })
    }));
    match outcome {
        Ok(Ok(())) => Ok(values),
        Ok(Err(why)) => Err(Outcome::Refused(why)),
        Err(panic) => Err(Outcome::Panicked(panic_text(&*panic).to_owned())),
    }
}
