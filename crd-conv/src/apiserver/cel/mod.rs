//! Rules of CEL, evaluated where that is known to say what the server says.
//!
//! Source: `pkg/apiserver/schema/cel/validation.go`. The evaluator is the crate `cel`. It has no types before it runs, no costs and
//! no functions of Kubernetes. So each rule is first compiled by types, which refuses what isn't known to mean the same.

mod calls;
mod compile;
mod cost;
mod functions;
mod parsed;
mod sizes;
mod types;
mod value;

use cel::{ExecutionError, common::types::CelBool};

use super::{
    cause::{Cause, Findings, shown},
    finding::Kind,
    path::Path,
    ratchet::Old,
    schema::{Schema, ValidationRule, follow},
};
use crate::json::Json;
use compile::{Compiler, OLD_SELF};
use cost::{PER_CALL, PER_OBJECT};
use parsed::parse;
use sizes::Sizes;
use types::Type;
use value::Values;

/// Evaluates the rules about an object. `None` if this can't be done safely here.
pub(super) fn check(
    old: Option<Old<'_>>,
    object: &Json,
    schema: &Schema,
    found: &mut Findings,
) -> Option<()> {
    let evaluate = || Rules::new(found).check(&Path::Root, object, Before::of(old), schema, true);
    parsed::with_stack(evaluate)
}

/// The result of checking the types of an expression in a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    /// It takes it, and this is what it estimates for one evaluation, at most.
    Cost(u64),
    /// It names a field that the schema doesn't have, so that the server refuses it.
    Undeclared(String),
    /// This isn't known here.
    Unknown,
}

/// The type that an expression must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Condition,
    Text,
}

/// Checks the types of an expression in a rule.
pub(crate) fn check_types(
    text: &str,
    wanted: Outcome,
    rule: &ValidationRule,
    schema: &Schema,
    is_resource: bool,
) -> Checked {
    // `oldSelf` has another type then.
    if rule.optional_old_self == Some(true) {
        return Checked::Unknown;
    }
    let find = || {
        let mut expression = parse(text)?;
        let ty = Type::of(schema, is_resource)?;
        let mut compiler = Compiler::new(&ty, schema, is_resource, Sizes::Declared);
        let part = compiler.compile(&mut expression);
        if let Some(name) = compiler.undeclared {
            return Some(Checked::Undeclared(name));
        }
        let part = part.ok()?;
        let is = match part.ty {
            Type::Bool => Outcome::Condition,
            Type::Text => Outcome::Text,
            _ => return None,
        };
        (is == wanted).then_some(Checked::Cost(part.cost))
    };
    parsed::with_stack(find).flatten().unwrap_or(Checked::Unknown)
}

/// How often a value can be in a request, at most.
pub(crate) fn most_in_request(schema: &Schema, is_resource: bool) -> u64 {
    sizes::most_in_request(schema, is_resource)
}

/// Evaluates the rules about an object and all in it.
struct Rules<'f> {
    found: &'f mut Findings,
    /// What the server may count yet.
    budget: u64,
}

/// What the value replaces, as far as the server finds it.
#[derive(Clone, Copy)]
struct Before<'v> {
    old: Option<Old<'v>>,
    /// Whether this or the nearest value around it that replaces something is unchanged.
    unchanged: bool,
}

impl<'v> Before<'v> {
    fn of(old: Option<Old<'v>>) -> Self {
        // Every update changes the root: its metadata has another time, at least.
        Self { old, unchanged: false }
    }

    fn inside(self, old: Option<Old<'v>>, value: &Json) -> Self {
        let unchanged = old.map_or(self.unchanged, |old| old.is_same(value));
        Self { old, unchanged }
    }
}

impl<'f> Rules<'f> {
    fn new(found: &'f mut Findings) -> Self {
        Self { found, budget: PER_OBJECT }
    }

    /// Evaluates the rules about a value and what is in it.
    fn check(
        &mut self,
        path: &Path<'_>,
        value: &Json,
        before: Before<'_>,
        schema: &Schema,
        is_resource: bool,
    ) {
        if *value == Json::Null {
            return;
        }
        if !schema.extensions.validations.is_empty() {
            self.own(path, value, before, schema, is_resource);
        }
        if schema.all_of.iter().any(has_rules) {
            self.found.pass_over(path, "whether it keeps the rules in `allOf`".to_owned());
        }
        match value {
            Json::Object(members) => {
                // The server leaves out what has no type in expressions.
                let Some(ty) = Type::of(schema, is_resource) else { return };
                for (name, member) in members {
                    let old = before.old.and_then(|old| old.member(name));
                    let mut inside = before.inside(old, member);
                    // The server converts both objects, so it doesn't see whether these were the same.
                    inside.unchanged &=
                        !(matches!(path, Path::Root) && matches!(&**name, "apiVersion" | "kind"));
                    match schema.properties.get(name) {
                        Some(property) => {
                            let is_resource = property.extensions.embedded_resource;
                            if matches!(ty, Type::Object(..))
                                && Type::of(property, is_resource).is_some()
                            {
                                self.check(
                                    &path.field(name),
                                    member,
                                    inside,
                                    property,
                                    is_resource,
                                );
                            }
                        }
                        None => {
                            if let Some(values) = &schema.additional_properties {
                                let is_resource = values.extensions.embedded_resource;
                                self.check(&path.key(name), member, inside, values, is_resource);
                            }
                        }
                    }
                }
            }
            Json::Array(items) => {
                let Some(of_items) = schema.items.as_deref() else { return };
                let is_resource = of_items.extensions.embedded_resource;
                let known = before.old.and_then(Old::items);
                for (i, item) in items.iter().enumerate() {
                    let old = known.as_ref().and_then(|known| known.item(item));
                    let inside = before.inside(old, item);
                    self.check(&path.index(i), item, inside, of_items, is_resource);
                }
            }
            _ => {}
        }
    }

    fn own(
        &mut self,
        path: &Path<'_>,
        value: &Json,
        before: Before<'_>,
        schema: &Schema,
        is_resource: bool,
    ) {
        let own = Own {
            value,
            old: before.old.map(Old::value).filter(|old| **old != Json::Null),
            schema,
            is_resource,
        };
        for (i, rule) in schema.extensions.validations.iter().enumerate() {
            let mut skip = |why: &str| {
                let what = format!(
                    "whether it keeps rule {} in `x-kubernetes-validations`: {why} isn't evaluated",
                    i + 1
                );
                self.found.pass_over(path, what);
            };
            let (verdict, uses_old) = match own.evaluate(rule, &mut self.budget) {
                Ok(Some(verdict)) => verdict,
                Ok(None) => continue,
                Err(why) => {
                    skip(&why);
                    continue;
                }
            };
            let typed = || Some(shown(&Json::Text(schema.type_name().to_owned())));
            let cause = match verdict {
                Verdict::Holds => continue,
                Verdict::Fails(error) => {
                    let detail = format!("{error} evaluating rule: {}", own_text(rule));
                    Cause::new(path, Kind::Invalid, typed(), detail)
                }
                Verdict::Broken => {
                    if rule.message_expression.is_some() {
                        skip("its `messageExpression`");
                    }
                    own.cause(path, rule)
                }
            };
            // The server lets an error in an evaluation fail every update.
            let fails = cause.detail.contains(" evaluating rule: ");
            if before.unchanged && !uses_old && !fails {
                self.found.ratchet_one(cause, path);
            } else {
                self.found.push(cause);
            }
        }
    }
}

enum Verdict {
    Holds,
    Broken,
    /// The error that the server prints.
    Fails(String),
}

/// A value with rules about it.
struct Own<'v> {
    value: &'v Json,
    old: Option<&'v Json>,
    schema: &'v Schema,
    is_resource: bool,
}

impl Own<'_> {
    /// What becomes of a rule, and whether it compares with the value before. `None` if the server doesn't evaluate it.
    fn evaluate(
        &self,
        rule: &ValidationRule,
        budget: &mut u64,
    ) -> Result<Option<(Verdict, bool)>, String> {
        let Self { value, old, schema, is_resource } = *self;
        let mut expression = parse(&rule.rule).ok_or("a rule that the evaluator can't parse")?;
        let ty = Type::of(schema, is_resource).ok_or("a rule about a value without a type")?;
        if rule.optional_old_self == Some(true) {
            return Err("`optionalOldSelf`".to_owned());
        }
        let mut values = Values::default();
        let this = values.of(value, schema, is_resource);
        let before = old.map(|old| values.of(old, schema, is_resource));

        let sizes = Sizes::of(&values, &rule.rule);
        let mut compiler = Compiler::new(&ty, schema, is_resource, sizes);
        let result = compiler.compile(&mut expression)?;
        if compiler.uses_old_self && old.is_none() {
            return Ok(None);
        }
        if !matches!(result.ty, Type::Bool) {
            return Err("a rule that isn't a condition".to_owned());
        }
        if compiler.compares_objects && values.hides {
            return Err("a comparison of objects with nulls or unknown fields".to_owned());
        }
        if compiler.uses_durations && values.odd_durations {
            return Err("a rule about a duration of many forms".to_owned());
        }
        if compiler.uses_metadata && self.is_unnamed() {
            return Err("a rule about a name that the server generates".to_owned());
        }
        *budget = budget.saturating_sub(result.cost);
        if result.cost >= PER_CALL || *budget == 0 {
            return Err("a rule that may cost more than the server allows".to_owned());
        }
        let mut context = functions::context().ok_or("a rule without functions")?;
        context.add_variable_as_val("self", this.ok_or("a rule about such a value")?);
        if let Some(before) = before.filter(|_| compiler.uses_old_self) {
            context.add_variable_as_val(OLD_SELF, before.ok_or("a rule about such a value")?);
        }
        let verdict = match cel::Value::resolve_val(&expression, &context) {
            Ok(result) => match result.downcast_ref::<CelBool>().map(|result| *result.inner()) {
                Some(true) => Verdict::Holds,
                Some(false) => Verdict::Broken,
                None => return Err("a rule that isn't a condition".to_owned()),
            },
            Err(ExecutionError::NoSuchKey(key)) => Verdict::Fails(format!("no such key: {key}")),
            Err(_) => return Err("a rule with such an error".to_owned()),
        };
        Ok(Some((verdict, compiler.uses_old_self)))
    }

    /// Whether this is a new resource that gets its name from the server.
    fn is_unnamed(&self) -> bool {
        let metadata = self.value.member("metadata");
        let text = |name| metadata.and_then(|metadata| metadata.member(name)?.as_str());
        text("name").is_none_or(str::is_empty) && text("generateName").is_some()
    }

    fn cause(&self, path: &Path<'_>, rule: &ValidationRule) -> Cause {
        let detail = match rule.message.as_deref() {
            None | Some("") => format!("failed rule: {}", rule.rule.trim()),
            Some(message) => message.trim().to_owned(),
        };
        let value = match self.schema.type_name() {
            "object" | "array" => None,
            _ => Some(shown(self.value)),
        };
        let (kind, value, detail) = match rule.reason.as_deref() {
            Some("FieldValueForbidden") => (Kind::Forbidden, None, detail),
            Some("FieldValueRequired") => (Kind::Required, None, detail),
            Some("FieldValueDuplicate") => (Kind::Duplicate, value, String::new()),
            _ => (Kind::Invalid, value, detail),
        };
        let below = rule.field_path.as_deref().and_then(|below| relative(below, self.schema));
        match below {
            Some(below) => Cause::new(&path.field(&below), kind, value, detail),
            None => Cause::new(path, kind, value, detail),
        }
    }
}

/// What the server calls a rule in an error.
fn own_text(rule: &ValidationRule) -> &str {
    match rule.message.as_deref() {
        None | Some("") => rule.rule.trim(),
        Some(message) => message.trim(),
    }
}

/// A rule's `fieldPath`, as the server prints it.
fn relative(path: &str, schema: &Schema) -> Option<String> {
    let (names, _) = follow(path, schema, true).ok()?;
    let mut schema = schema;
    let mut out = String::new();
    for name in names {
        if let Some(property) = schema.properties.get(&name) {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&name);
            schema = property;
        } else {
            out.extend(["[", &name, "]"]);
            schema = schema.additional_properties.as_deref()?;
        }
    }
    Some(out)
}

/// Whether there is a rule for a value or something in it.
fn has_rules(schema: &Schema) -> bool {
    super::rules::exist(schema)
}
