//! The types and the estimated costs of rules.
//!
//! Source: `getExpressionCost` and `TotalCost` of `pkg/apis/apiextensions/validation`.

use std::collections::BTreeSet;

use crate::apiserver::{
    cel::{Checked, Outcome, check_types, most_in_request},
    finding::Kind,
    place::Place,
    schema::{Additional, Schema, SchemaType, VALIDATIONS, ValidationRule},
};

/// The limits for the estimate of one expression, and for the sum of all estimates of a schema.
const PER_EXPRESSION: u64 = 10_000_000;
const PER_SCHEMA: u64 = 100_000_000;
/// How many of the most expensive rules an error names.
const MAX_NAMED: usize = 4;

/// The API server's estimate for a rule or its message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleCost {
    /// The place of the expression in the schema.
    pub path: String,
    /// The estimate in the server's units. `None` if the expression isn't known to have types.
    pub cost: Option<u64>,
}

/// Estimates the costs of the rules in a version's schema, as the API server does.
///
/// An estimate is the highest cost of one evaluation, times the number of values that the rule is
/// about in the largest object. The server refuses a CustomResourceDefinition in which one
/// expression costs more than 10 million, or all of a schema cost more than 100 million.
///
/// The schema is that of a CustomResourceDefinition that [`verify`](super::verify) finds no fault in.
///
/// ```
/// use crd_conv::{schema::{Schema, SchemaType, ValidationRule}, verify::rule_costs};
///
/// let mut rule = ValidationRule::default();
/// rule.rule = "self.matches('^[a-z]+$')".to_owned();
/// let mut name = Schema::default();
/// name.ty = Some(SchemaType::Text);
/// name.max_length = Some(63);
/// name.extensions.validations.push(rule);
/// let mut root = Schema::default();
/// root.ty = Some(SchemaType::Object);
/// root.properties.insert("name".to_owned(), name);
///
/// let costs = rule_costs(&root);
/// assert_eq!(costs[0].path, "properties[name].x-kubernetes-validations[0].rule");
/// // 1 for `self`, and 26 for 63 characters of four bytes, times 2 for the eight of the pattern.
/// assert_eq!(costs[0].cost, Some(53));
/// ```
///
/// Source: `checker/cost.go` of `cel-go`, and `getExpressionCost` of
/// `pkg/apis/apiextensions/validation`.
#[must_use]
pub fn rule_costs(schema: &Schema) -> Vec<RuleCost> {
    let mut all = Costs::default();
    all.walk(schema, Around::Nothing, Some(1), &mut Place::default());
    all.rules
}

/// Checks the rules of a whole schema. The rest of the schema is checked already.
pub(super) fn check(schema: &Schema, place: &mut Place) {
    let broken = place.report.violations.iter().map(|violation| violation.path.clone()).collect();
    let mut all = Costs { broken, ..Costs::default() };
    all.walk(schema, Around::Nothing, Some(1), place);
    if all.total <= PER_SCHEMA {
        return;
    }
    all.rules.sort_by_key(|rule| std::cmp::Reverse(rule.cost));
    let named = all.rules.iter().filter(|rule| {
        rule.cost.is_some_and(|cost| (PER_SCHEMA / 100..=PER_EXPRESSION).contains(&cost))
    });
    let named: Vec<_> = named.take(MAX_NAMED).map(|rule| format!("`{}`", rule.path)).collect();
    place.refuse(
        Kind::Forbidden,
        format!(
            "the API server estimates that all its rules together cost {}; {REMEDY}. The most expensive ones are {}",
            times(all.total, PER_SCHEMA),
            named.join(", "),
        ),
    );
}

const REMEDY: &str = "set `maxItems`, `maxProperties` and `maxLength` on the lists, maps and strings that are read and on the lists and maps around them, or simplify the expression";

/// The schema around a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// There is none, because this is the schema of the whole object.
    Nothing,
    /// A schema of the type that has such a part.
    Type,
    /// A schema of another type, such as `items` of a string. The server takes the type of the part
    /// from that of the whole.
    OtherType,
}

#[derive(Default)]
struct Costs {
    /// The paths of violations. If a schema is wrong, so may be the types of its fields.
    broken: BTreeSet<String>,
    total: u64,
    rules: Vec<RuleCost>,
}

impl Costs {
    /// Whether there is a violation at a path or below.
    fn is_broken(&self, path: &str) -> bool {
        let mut after = self.broken.range(path.to_owned()..);
        after.next().is_some_and(|broken| broken.starts_with(path))
    }

    /// Checks a schema that at most `count` values of an object have. `None` means that nothing limits their number.
    fn walk(&mut self, schema: &Schema, around: Around, count: Option<u64>, place: &mut Place) {
        let is_resource = around == Around::Nothing || schema.extensions.embedded_resource;
        let sound = around != Around::OtherType && !self.is_broken(place.path());
        for (i, rule) in schema.extensions.validations.iter().enumerate() {
            if !rule.rule.trim().is_empty() {
                let check = |text: &str, result| {
                    if sound {
                        check_types(text, result, rule, schema, is_resource)
                    } else {
                        Checked::Unknown
                    }
                };
                let times = || count.unwrap_or_else(|| most_in_request(schema, is_resource));
                place.item(VALIDATIONS, i, |place| self.rule(rule, check, times, place));
            }
        }
        // `extractMaxElements`: also for the declared fields of an object with other fields.
        let inside = match (schema.ty, schema.additional()) {
            (Some(SchemaType::Array), _) => times_most(count, schema.max_items),
            (Some(SchemaType::Object), Additional::Undeclared) => count,
            (Some(SchemaType::Object), _) => times_most(count, schema.max_properties),
            _ => count,
        };
        let below = |ty| {
            let fits = around != Around::OtherType && schema.ty == Some(ty);
            if fits { Around::Type } else { Around::OtherType }
        };
        let (object, array) = (below(SchemaType::Object), below(SchemaType::Array));
        if let Some(values) = &schema.additional_properties {
            place.child("additionalProperties", |place| self.walk(values, object, inside, place));
        }
        let declared = if around == Around::OtherType { around } else { Around::Type };
        for (name, property) in &schema.properties {
            place.entry("properties", name, |place| self.walk(property, declared, inside, place));
        }
        if let Some(items) = &schema.items {
            place.child("items", |place| self.walk(items, array, inside, place));
        }
    }

    fn rule(
        &mut self,
        rule: &ValidationRule,
        check: impl Fn(&str, Outcome) -> Checked,
        count: impl Fn() -> u64,
        place: &mut Place,
    ) {
        let own = check(&rule.rule, Outcome::Condition);
        self.add("rule", "the expression", &own, count, place);
        if let Some(message) = rule.message_expression.as_deref() {
            let own = check(message, Outcome::Text);
            // The server estimates it for one value.
            self.add("messageExpression", "`messageExpression`", &own, || 1, place);
        }
    }

    fn add(
        &mut self,
        field: &str,
        name: &str,
        checked: &Checked,
        count: impl Fn() -> u64,
        place: &mut Place,
    ) {
        let cost = match checked {
            Checked::Cost(cost) => Some(cost.saturating_mul(count())),
            Checked::Undeclared(_) | Checked::Unknown => None,
        };
        place.child(field, |place| {
            self.rules.push(RuleCost { path: place.path().to_owned(), cost });
            if let Checked::Undeclared(name) = checked {
                place.refuse(
                    Kind::Invalid,
                    format!("it names the field `{name}`, which has no type in the schema; declare the field with its type, or correct its name"),
                );
            }
            if let Some(cost) = cost.filter(|cost| *cost > PER_EXPRESSION) {
                place.refuse(
                    Kind::Forbidden,
                    format!(
                        "the API server estimates that it costs {}; {REMEDY}",
                        times(cost, PER_EXPRESSION)
                    ),
                );
            }
        });
        let is_broken = self.is_broken(&format!("{}.{field}", place.path()));
        if *checked == Checked::Unknown && !is_broken {
            place.pass_over(format!("the types, functions and estimated cost of {name}"));
        }
        // One that is refused by itself would only be echoed.
        let adds = cost.filter(|cost| *cost <= PER_EXPRESSION).unwrap_or(0);
        self.total = self.total.saturating_add(adds);
    }
}

fn times_most(count: Option<u64>, most: Option<i64>) -> Option<u64> {
    Some(count?.saturating_mul(most?.max(0).cast_unsigned()))
}

/// A cost as a multiple of its limit.
fn times(cost: u64, limit: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one digit is enough")]
    let factor = cost as f64 / limit as f64;
    if factor < 100.0 {
        format!("{factor:.1} times as much as it allows")
    } else {
        "more than 100 times as much as it allows".to_owned()
    }
}
