//! How many of the drawn values each converter takes.
//!
//! A law has nothing to say of a value that a converter refuses, so one that refuses all of them would break none.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{
    choices::{Choices, random_choices},
    ground::Ground,
    laws::variant,
    pair::Pair,
    stray::Stray,
    tree::Tree,
};
use crate::plan::{
    Conversion, Fault, Field, Indexed, Nested, Rule, StructPlan, Values, VariantRule,
};

/// What a converter made of the values that were drawn for its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConverterUse {
    /// The versions between which it converts, in this direction.
    pub pair: Pair,
    /// The field that it takes, or the first of them, by its path in the object, with `[]` for the items of a list and
    /// `*` for the keys of a map.
    pub field: String,
    /// The converter as the author named it.
    pub converter: &'static str,
    /// How many values it took.
    pub taken: u32,
    /// How many values it refused, or its types couldn't read.
    pub refused: u32,
    /// Why it refused the first of them.
    pub refusal: Option<String>,
}

impl ConverterUse {
    /// Whether there were values for it, and it took none.
    pub fn refuses_all(&self) -> bool {
        self.taken == 0 && self.refused > 0
    }
}

/// Says what it took, in a sentence without a stop.
impl fmt::Display for ConverterUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pair, field, converter, taken, refused, refusal } = self;
        let all = taken + refused;
        write!(f, "`{field}`, {pair}: the converter `{converter}` ")?;
        match refusal {
            Some(why) if self.refuses_all() => {
                write!(f, "refuses all of {all} values, with: {why}")
            }
            _ => write!(f, "takes {taken} of {all} values"),
        }
    }
}

/// Draws objects of a version and shows their values to the converters of the hop to its neighbour.
pub(super) fn on_hop(
    ground: &Ground<'_>,
    (from, to): (usize, usize),
    cases: u32,
    seed: u64,
) -> Vec<ConverterUse> {
    let versions = ground.resource.definition().versions;
    let pair = Pair { from: versions[from].name, to: versions[to].name };
    let mut shown = Shown { pair, upgrade: from < to, uses: Vec::new() };
    let Some(plan) = versions[from.max(to)].rules() else { return Vec::new() };
    let mut random = fastrand::Rng::with_seed(seed);
    for _ in 0..cases {
        let choices = random_choices(&mut random);
        let mut choices = Choices::new(&choices);
        let object = ground.object(from, Stray::Valid, ground.learned(), &mut choices);
        shown.object(plan, &Tree::read(&object), "");
    }
    shown.uses
}

struct Shown {
    pair: Pair,
    upgrade: bool,
    uses: Vec<ConverterUse>,
}

impl Shown {
    /// Of what the older and the newer version have, what the source has.
    fn source<'p, T: ?Sized>(&self, older: &'p T, newer: &'p T) -> &'p T {
        if self.upgrade { older } else { newer }
    }

    fn object(&mut self, plan: &StructPlan, object: &Tree, path: &str) {
        let inside = |name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        for rule in plan.rules_in_json() {
            match rule {
                Rule::Kept { older, newer, nested } => {
                    let wire = self.source(&older, &newer).wire;
                    if let (Some(value), Some(nested)) = (object.at(&[wire]), nested.get()) {
                        self.value(nested, value, &inside(wire));
                    }
                }
                Rule::Converted { older, newer, by, upgrade, downgrade } => {
                    let fields = self.source(older, newer);
                    let conversion = *self.source(&upgrade, &downgrade);
                    if let (Some(first), Some(inputs)) = (fields.first(), inputs(fields, object)) {
                        self.converted(&inside(first.wire), by, conversion, &inputs);
                    }
                }
                Rule::Added { .. } | Rule::Removed { .. } | Rule::Moved { .. } => {}
            }
        }
    }

    fn value(&mut self, nested: Nested, value: &Tree, path: &str) {
        match (nested, value) {
            (Nested::Struct(plan), Tree::Object(_)) => self.object(plan, value, path),
            (Nested::List(inner), Tree::List(items)) => {
                for item in items {
                    self.value(inner(), item, &format!("{path}[]"));
                }
            }
            (Nested::Map(inner), Tree::Object(members)) => {
                for member in members.values() {
                    self.value(inner(), member, &format!("{path}.*"));
                }
            }
            (Nested::Enum(plan), _) => {
                let tagging = *self.source(&plan.older_tagging, &plan.newer_tagging);
                let Some((name, Some(held))) = variant(value, tagging) else { return };
                let kept = plan.rules.iter().find_map(|rule| match rule {
                    VariantRule::Kept { older, newer, nested } => {
                        (self.source(older, newer).wire == name).then_some(*nested)
                    }
                    _ => None,
                });
                if let Some(nested) = kept.and_then(Indexed::get) {
                    self.value(nested, held, &format!("{path}.{name}"));
                }
            }
            _ => {}
        }
    }

    fn converted(
        &mut self,
        field: &str,
        converter: &'static str,
        conversion: Conversion,
        inputs: &[Option<String>],
    ) {
        let inputs: Vec<Option<&str>> = inputs.iter().map(Option::as_deref).collect();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            (conversion.convert)(&inputs, None, &mut Values::default())
                .map_err(|fault| match fault {
                    Fault::Unreadable(_, error) | Fault::Refused(error) => error.to_string(),
                })
        }));
        let outcome = outcome.unwrap_or_else(|_| Err("it panicked".to_owned()));
        let known = self.uses.iter().position(|known| known.field == field);
        let known = known.unwrap_or_else(|| {
            let (pair, field) = (self.pair, field.to_owned());
            self.uses.push(ConverterUse {
                pair,
                field,
                converter,
                taken: 0,
                refused: 0,
                refusal: None,
            });
            self.uses.len() - 1
        });
        let known = &mut self.uses[known];
        match outcome {
            Ok(()) => known.taken += 1,
            Err(why) => {
                known.refused += 1;
                known.refusal.get_or_insert(why);
            }
        }
    }
}

/// What a converter gets of an object; nothing if something is missing that its types can't do without, or if there are
/// only nulls, which it may never see.
fn inputs(fields: &[Field], object: &Tree) -> Option<Vec<Option<String>>> {
    let value = |field: &Field| {
        let value = object.at(&[field.wire])?.write();
        (field.nullable || value != "null").then_some(value)
    };
    let inputs: Vec<_> = fields.iter().map(value).collect();
    let has_all =
        fields.iter().zip(&inputs).all(|(field, input)| input.is_some() || field.optional);
    let says_any = inputs.iter().flatten().any(|input| input != "null");
    (has_all && says_any).then_some(inputs)
}
