//! Walks through a plan to find what a hop does with each field.

use super::{AsAbove, Detail, FieldPath, Mapping, Refusal, Row, Segment, Value};
use crate::{
    complement::annotation_key,
    engine::{REST, both_have},
    plan::{
        Content, Conversion, EnumPlan, Field, Nested, Part, Rule, StructPlan, Tagging, Variant,
        VariantRule, WriteFn,
    },
};

/// The rows of a hop between two neighboring versions.
pub(super) fn rows(
    group: &str,
    [older, newer]: [&'static str; 2],
    plan: &'static StructPlan,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let root = FieldPath::default();
    let hop = Hop { group, older, newer };
    hop.walk(plan, &root, &root, &mut Vec::new(), &mut Vec::new(), &mut rows);
    rows
}

/// Two neighboring versions.
struct Hop<'a> {
    group: &'a str,
    older: &'static str,
    newer: &'static str,
}

/// The name in JSON; a flattened map has any.
fn name(field: &Field) -> &'static str {
    if field.is_rest() { REST } else { field.wire }
}

/// A field below a path.
fn field(path: &FieldPath, field: &Field) -> Value {
    Value { path: path.field(name(field)), detail: Detail::Type(field.ty) }
}

/// The value that a way of fields leads to.
fn along(path: &FieldPath, way: &'static [Part]) -> Option<Value> {
    let (last, around) = way.split_last()?;
    let around = around.iter().fold(path.clone(), |path, part| path.field(name(&part.field)));
    Some(field(&around, &last.field))
}

/// A variant that the value at a path is.
fn variant(path: &FieldPath, tagging: Tagging, variant: &Variant) -> Value {
    let wire = variant.wire;
    let (path, detail) = match tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            (path.field(tag), Detail::Variant(wire))
        }
        Tagging::External if variant.content != Content::Unit => (path.field(wire), Detail::None),
        Tagging::External => (path.clone(), Detail::Variant(wire)),
        Tagging::Untagged => (path.then(&[Segment::Variant(wire)]), Detail::None),
    };
    Value { path, detail }
}

/// What a variant holds.
fn held(path: &FieldPath, tagging: Tagging, variant: &Variant) -> FieldPath {
    let wire = variant.wire;
    match tagging {
        Tagging::External => path.field(wire),
        Tagging::Adjacent { content, .. } => {
            path.then(&[Segment::Variant(wire), Segment::Field(content)])
        }
        Tagging::Internal { .. } | Tagging::Untagged => path.then(&[Segment::Variant(wire)]),
    }
}

fn row(older: Option<Value>, newer: Option<Value>, mapping: Mapping) -> Row {
    Row {
        older: older.into_iter().collect(),
        newer: newer.into_iter().collect(),
        mapping,
        annotations: Vec::new(),
        as_above: None,
    }
}

impl Hop<'_> {
    /// The annotation that keeps what is at a path of a version.
    fn key(&self, home: &str, path: &FieldPath) -> String {
        annotation_key(self.group, home, &path.names())
    }

    fn walk(
        &self,
        plan: &'static StructPlan,
        old: &FieldPath,
        new: &FieldPath,
        open: &mut Vec<Open>,
        ends: &mut Vec<End>,
        rows: &mut Vec<Row>,
    ) {
        open.push(Open::new(plan, [old, new]));
        let known = ends.len();
        ends.extend(self::ends(plan, old, new));
        for rule in &plan.rules_in_json() {
            match rule {
                Rule::Kept { older, newer, nested } => {
                    let (marks, nested) = match nested.get() {
                        Some(Nested::Map(value)) if newer.is_rest() => inside(Some(value())),
                        nested => inside(nested),
                    };
                    let mapping =
                        if older.wire == newer.wire { Mapping::Kept } else { Mapping::Renamed };
                    let (older, newer) = (field(old, older), field(new, newer));
                    let [old, new] = [&older, &newer].map(|value| value.path.then(&marks));
                    let mut row = row(Some(older), Some(newer), mapping);
                    if let Some(above) = find(nested, open) {
                        row.as_above =
                            Some(AsAbove { places: [old, new], above: above.places.clone() });
                        rows.push(row);
                    } else {
                        rows.push(row);
                        self.inside(nested, [&old, &new], open, ends, rows);
                    }
                }
                Rule::Moved { older, newer } => {
                    rows.push(row(along(old, older), along(new, newer), Mapping::Moved));
                }
                Rule::Added { newer, fill } => {
                    self.one_sided(ends, (true, new), newer, *fill, rows);
                }
                Rule::Removed { older, fill } => {
                    self.one_sided(ends, (false, old), older, *fill, rows);
                }
                Rule::Converted { older, newer, by, upgrade, downgrade } => {
                    let values = |path: &FieldPath, fields: &[Field]| -> Vec<Value> {
                        fields.iter().map(|each| field(path, each)).collect()
                    };
                    let (olds, news) = (values(old, older), values(new, newer));
                    let firsts = [(self.older, olds.first()), (self.newer, news.first())];
                    let keys = firsts
                        .into_iter()
                        .filter_map(|(home, first)| Some(self.key(home, &first?.path)));
                    let (upgrade, downgrade) = (refusal(upgrade, newer), refusal(downgrade, older));
                    rows.push(Row {
                        annotations: keys.collect(),
                        older: olds,
                        newer: news,
                        mapping: Mapping::Converted { by, upgrade, downgrade },
                        as_above: None,
                    });
                }
            }
        }
        ends.truncate(known);
        open.pop();
    }

    /// Adds a row for a field that only one version has. If values move into the field or out of it, adds a row for each
    /// struct that exists because of them, and for each field of these structs that doesn't move. The move itself has a
    /// row of its own.
    fn one_sided(
        &self,
        ends: &[End],
        (newer, path): (bool, &FieldPath),
        only: &Field,
        fill: Option<WriteFn>,
        rows: &mut Vec<Row>,
    ) {
        let home = if newer { self.newer } else { self.older };
        let value = field(path, only);
        let key = self.key(home, &value.path);
        let sided = |fill: Option<WriteFn>| {
            let value = fill.and_then(written);
            if newer { Mapping::Added { value } } else { Mapping::Removed { value } }
        };
        let mut push = |value: Value, mapping: Mapping| {
            let (older, newer) = if newer { (None, Some(value)) } else { (Some(value), None) };
            rows.push(Row { annotations: vec![key.clone()], ..row(older, newer, mapping) });
        };
        let mut ends =
            ends.iter().filter(|end| end.newer == newer && end.path == value.path).peekable();
        if ends.peek().is_none() {
            return push(value, sided(fill));
        }
        let mut shown = Vec::new();
        for End { way, .. } in ends {
            let mut around = path.clone();
            for Part { field: holder, others } in way.iter().take(way.len() - 1) {
                let holder = field(&around, holder);
                around = holder.path.clone();
                if !shown.contains(&around) {
                    shown.push(around.clone());
                    push(holder, Mapping::Holder);
                    for other in *others {
                        push(field(&around, other), sided(other.default));
                    }
                }
            }
        }
    }

    /// The rows of what is mapped inside a value.
    fn inside(
        &self,
        nested: Option<Nested>,
        [old, new]: [&FieldPath; 2],
        open: &mut Vec<Open>,
        ends: &mut Vec<End>,
        rows: &mut Vec<Row>,
    ) {
        match nested {
            Some(Nested::Struct(plan)) => self.walk(plan, old, new, open, ends, rows),
            Some(Nested::Enum(plan)) => self.variants(plan, [old, new], open, ends, rows),
            _ => {}
        }
    }

    /// A row for each variant that isn't the same in both versions, and the rows of what is mapped inside it.
    fn variants(
        &self,
        plan: &'static EnumPlan,
        [old, new]: [&FieldPath; 2],
        open: &mut Vec<Open>,
        ends: &mut Vec<End>,
        rows: &mut Vec<Row>,
    ) {
        open.push(Open::new(plan, [old, new]));
        let (was, is) = (plan.older_tagging, plan.newer_tagging);
        for rule in plan.rules {
            match rule {
                VariantRule::Kept { older, newer, nested } => {
                    let (marks, nested) = inside(nested.get());
                    if older.wire != newer.wire || was != is {
                        let (older, newer) = (variant(old, was, older), variant(new, is, newer));
                        rows.push(row(Some(older), Some(newer), Mapping::Renamed));
                    }
                    if find(nested, open).is_none() {
                        let old = held(old, was, older).then(&marks);
                        let new = held(new, is, newer).then(&marks);
                        self.inside(nested, [&old, &new], open, ends, rows);
                    }
                }
                VariantRule::Added { newer, shown_as } => {
                    let mapping = Mapping::VariantAdded { shown_as: shown_as.wire };
                    let annotations = vec![self.key(self.newer, new)];
                    let row = row(None, Some(variant(new, is, newer)), mapping);
                    rows.push(Row { annotations, ..row });
                }
                VariantRule::Removed { older, shown_as } => {
                    let mapping = Mapping::VariantRemoved { shown_as: shown_as.wire };
                    let annotations = vec![self.key(self.older, old)];
                    let row = row(Some(variant(old, was, older)), None, mapping);
                    rows.push(Row { annotations, ..row });
                }
            }
        }
        open.pop();
    }
}

/// A type whose rows are being written.
struct Open {
    plan: *const (),
    places: [FieldPath; 2],
}

impl Open {
    fn new<P>(plan: &'static P, places: [&FieldPath; 2]) -> Self {
        Self { plan: std::ptr::from_ref(plan).cast(), places: places.map(FieldPath::clone) }
    }
}

/// The type's rows, if they are being written: what it holds is mapped as above.
fn find(nested: Option<Nested>, open: &[Open]) -> Option<&Open> {
    let plan: *const () = match nested? {
        Nested::Struct(plan) => std::ptr::from_ref(plan).cast(),
        Nested::Enum(plan) => std::ptr::from_ref(plan).cast(),
        _ => return None,
    };
    open.iter().rev().find(|open| open.plan == plan)
}

/// Where a moved value is in one of the versions.
struct End {
    newer: bool,
    /// The first field on the way that the other version doesn't have.
    path: FieldPath,
    /// From that field to the value.
    way: &'static [Part],
}

/// The ends of a plan's moves.
fn ends(plan: &'static StructPlan, old: &FieldPath, new: &FieldPath) -> Vec<End> {
    let mut ends = Vec::new();
    for rule in plan.rules {
        let Rule::Moved { older, newer } = rule else { continue };
        for (newer, way, path) in [(false, *older, old), (true, *newer, new)] {
            let (mut plan, mut path, mut way) = (plan, path.clone(), way);
            while let [first, rest @ ..] = way {
                path = path.field(name(&first.field));
                match both_have(plan, &first.field, newer) {
                    Some((_, _, inner)) if !rest.is_empty() => plan = inner,
                    _ => break,
                }
                way = rest;
            }
            ends.push(End { newer, path, way });
        }
    }
    ends
}

/// What is mapped inside of lists and maps, and the steps through them.
fn inside(mut nested: Option<Nested>) -> (Vec<Segment>, Option<Nested>) {
    let mut steps = Vec::new();
    loop {
        let (step, inner) = match nested {
            Some(Nested::List(inner)) => (Segment::Items, inner),
            Some(Nested::Map(inner)) => (Segment::Values, inner),
            Some(Nested::Struct(_) | Nested::Enum(_)) | None => return (steps, nested),
        };
        steps.push(step);
        nested = Some(inner());
    }
}

/// The JSON that a function of the author's writes; `None` if it leaves the field out, or fails.
fn written(fill: WriteFn) -> Option<String> {
    let mut text = String::new();
    matches!(fill(&mut text), Ok(true)).then_some(text)
}

fn refusal(conversion: &Conversion, gives: &[Field]) -> Refusal {
    if let Some(why) = conversion.refuses {
        return Refusal::Expected(why);
    }
    let Some(values) = conversion.shown_if_refused() else { return Refusal::Fails };
    let shown = gives.iter().zip(values.texts());
    Refusal::Fallback(shown.map(|(field, value)| (field.wire, value.map(str::to_owned))).collect())
}
