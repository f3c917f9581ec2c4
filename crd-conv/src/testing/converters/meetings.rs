//! Shows the values of an object to the converters.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::json::{Fidelity, equal, quote};
use crate::plan::{
    Branch, By, Conversion, Fault, Field, FieldRule, Fields, JsonType, Kind, Part, Path, Tagging,
    Values, VariantRule, panic_text,
};
use crate::testing::{ground::Ground, laws::variant, tree::Tree};

/// The text in messages if none of a converter's fields is there.
const NOTHING: &str = "an absent field";

/// A value that was shown to a converter.
pub(in crate::testing) struct Meeting {
    pub(super) field: String,
    pub(super) converter: &'static str,
    pub(super) value: String,
    /// Whether none of its fields is there.
    pub(super) absent: bool,
    pub(super) conversion: Conversion,
    pub(super) outcome: Outcome,
}

pub(super) enum Outcome {
    Taken,
    Refused(String),
    Panicked(String),
}

impl Meeting {
    /// Returns how it breaks the law *total*. `allowed` says whether the schema allows the value.
    pub(in crate::testing) fn breaks_total(&self, allowed: bool) -> Option<String> {
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
    pub(in crate::testing) fn fails(&self) -> bool {
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
pub(in crate::testing) fn meetings(
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
            if let Some([older, newer]) = rule.kept() {
                let field = self.source(older, newer);
                let Some(mapped) = mapped else { continue };
                if !field.is_rest() {
                    if let Some(value) = object.at(&[field.wire]) {
                        self.value(mapped, value, &inside(field.wire));
                    }
                } else if let Some(Tree::Object(rest)) = self.rest(fields, object) {
                    for member in rest.values() {
                        self.value(mapped, member, &format!("{path}.*"));
                    }
                }
                continue;
            }
            let [older, newer] = rule.fields();
            let [takes, gives] = [self.source(older, newer), self.target(older, newer)];
            let [older, newer] = rule.moved();
            let [from, to] = [self.source(older, newer), self.target(older, newer)];
            match (rule.converter(), takes, from) {
                (Some(by), [_, ..], _) => {
                    let inputs = inputs(takes, object);
                    if is_complete(takes, &inputs) || is_asked_of_nothing(takes, &inputs, gives) {
                        self.met(by, [takes, gives], &inputs, &inside);
                    }
                }
                (Some(by), [], [first, ..]) => {
                    let inputs: Vec<_> = from.iter().map(|way| along(way, object)).collect();
                    let [takes, gives] = [from, to].map(|ways| ends(ways).collect::<Vec<_>>());
                    // A converter isn't asked about what doesn't move: an absent value, and values
                    // that are incomplete together, or are only defaults together.
                    let moves = if let ([input], [_]) = (&*inputs, &*gives) {
                        input.is_some()
                    } else {
                        is_complete(&takes, &inputs)
                            && !takes.iter().zip(&inputs).all(is_only_default)
                    };
                    if moves {
                        let at = inside(&wires(first).join("."));
                        self.met(by, [&takes, &gives], &inputs, &|_| at.clone());
                    }
                }
                (None, _, [way]) => {
                    let way = wires(way);
                    if let (Some(value), Some(mapped)) = (object.at(&way), mapped) {
                        self.value(mapped, value, &inside(&way.join(".")));
                    }
                }
                _ => {}
            }
        }
    }

    /// Records how a converter treats its inputs. `at` returns the path of a field.
    fn met(
        &mut self,
        By { by, upgrade, downgrade }: By,
        [takes, gives]: [&[Field]; 2],
        inputs: &[Option<String>],
        at: &dyn Fn(&str) -> String,
    ) {
        let Some(first) = takes.first() else { return };
        let conversion = self.source(upgrade, downgrade);
        let back = self.target(upgrade, downgrade);
        self.meetings.push(Meeting {
            field: at(first.wire),
            converter: by,
            value: as_json(takes, inputs),
            absent: inputs.iter().all(Option::is_none),
            conversion,
            outcome: outcome(&conversion, &back, gives, inputs),
        });
    }

    /// Returns the members of an object that belong to no field.
    fn rest(&self, fields: Fields, object: &Tree) -> Option<Tree> {
        let Tree::Object(members) = object else { return None };
        let mut rest = members.clone();
        for FieldRule { rule, .. } in fields.rules() {
            let [older, newer] = rule.fields();
            let fields = self.source(older, newer);
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

/// Returns the names along a path.
fn wires(way: &[Part]) -> Vec<&'static str> {
    way.iter().map(|part| part.field.wire).collect()
}

/// Returns the fields at the ends of paths.
fn ends(ways: &[Path]) -> impl Iterator<Item = Field> {
    ways.iter().filter_map(|way| way.last()).map(|part| part.field)
}

/// Returns what a converter gets for a path. A null counts only if the field is nullable.
fn along(way: Path, object: &Tree) -> Option<String> {
    let (last, around) = way.split_last()?;
    inputs(slice::from_ref(&last.field), object.at(&wires(around))?).pop()?
}

/// Whether a value is absent, or what its version shows if nothing is known about it.
fn is_only_default((field, value): (&Field, &Option<String>)) -> bool {
    let mut default = String::new();
    let fills = field.default.is_some_and(|fill| fill(&mut default).is_ok());
    let is_it = |value| fills && equal(value, &default, Fidelity::AsServed);
    value.as_deref().is_none_or(is_it)
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
