//! Walks through a plan to find what a hop does with each field.

use super::{AsAbove, Detail, FieldPath, Mapping, Refusal, Row, Segment, Value};
use crate::{
    complement::annotation_key,
    engine::REST,
    plan::{
        Branch, By, Change, Content, Conversion, Field, FieldRule, Fields, Kind, Open, Part, Path,
        Rule, Tagging, Variant, VariantRule, Variants, Way, WriteFn,
    },
};

/// Returns the rows of a hop between two neighboring versions.
pub(super) fn rows(group: &str, [older, newer]: [&'static str; 2], plan: Branch) -> Vec<Row> {
    let mut walk =
        Walk { group, older, newer, open: Open::default(), ends: Vec::new(), rows: Vec::new() };
    walk.inside(plan, Default::default(), |_, _| {});
    walk.rows
}

/// A walk through the rules between two neighboring versions.
struct Walk<'a> {
    group: &'a str,
    older: &'static str,
    newer: &'static str,
    /// The types around the current place, with their places in the older and in the newer version.
    open: Open<[FieldPath; 2]>,
    /// The ends of the moves in these types.
    ends: Vec<End>,
    rows: Vec<Row>,
}

/// Returns a field's name in JSON, or `*` for a flattened map.
fn name(field: &Field) -> &'static str {
    if field.is_rest() { REST } else { field.wire }
}

/// Returns a field below a path.
fn field(path: &FieldPath, field: &Field) -> Value {
    Value { path: path.field(name(field)), detail: Detail::Type(field.ty) }
}

/// Returns the value at the end of a path of fields.
fn along(path: &FieldPath, way: Path) -> Option<Value> {
    let (last, around) = way.split_last()?;
    let around = around.iter().fold(path.clone(), |path, part| path.field(name(&part.field)));
    Some(field(&around, &last.field))
}

/// Returns the variant of the value at a path.
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

/// Returns the path of what a variant holds.
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

impl Walk<'_> {
    /// Returns the annotation that keeps what is at a path of a version.
    fn key(&self, home: &str, path: &FieldPath) -> String {
        annotation_key(self.group, home, &path.names())
    }

    /// Adds the rows for what is mapped inside a value. If the type contains itself and its rows
    /// are being written, `as_above` gets the places instead.
    fn inside(
        &mut self,
        mapped: Branch,
        places: [FieldPath; 2],
        as_above: impl FnOnce(AsAbove, &mut Vec<Row>),
    ) {
        let (marks, mapped) = marks(mapped);
        let places = places.map(|place| place.then(&marks));
        if let Err(above) = self.open.enter(mapped, places.clone()) {
            return as_above(AsAbove { places, above: above.clone() }, &mut self.rows);
        }
        match mapped.kind() {
            Kind::Struct(fields) => self.fields(fields, &places),
            Kind::Enum(variants) => self.variants(variants, &places),
            // Lists and maps have no rows of their own, and `marks` has gone through them.
            Kind::List(..) | Kind::Map(_) => {}
        }
        self.open.leave();
    }

    fn fields(&mut self, fields: Fields, [old, new]: &[FieldPath; 2]) {
        let known = self.ends.len();
        self.ends.extend(ends(fields, old, new));
        for FieldRule { rule, inside, .. } in fields.rules() {
            match rule {
                Rule::Kept { older, newer, .. } => {
                    let mapping =
                        if older.wire == newer.wire { Mapping::Kept } else { Mapping::Renamed };
                    let (older, newer) = (field(old, older), field(new, newer));
                    let places = [&older, &newer].map(|value| value.path.clone());
                    let at = self.rows.len();
                    self.rows.push(row(Some(older), Some(newer), mapping));
                    if let Some(inside) = inside {
                        self.inside(inside, places, |above, rows| rows[at].as_above = Some(above));
                    }
                }
                Rule::Moved { older, newer, change: Change::By(by) } => {
                    self.moved_by(fields, [(*older, old), (*newer, new)], *by);
                }
                Rule::Moved { older, newer, change: Change::Versions(_) } => {
                    let [older, newer] = [(old, older), (new, newer)]
                        .map(|(path, ways)| ways.first().and_then(|way| along(path, way)));
                    self.moved(row(older, newer, Mapping::Moved), inside);
                }
                Rule::Added { newer, fill } => self.one_sided((true, new), newer, *fill),
                Rule::Removed { older, fill } => self.one_sided((false, old), older, *fill),
                Rule::Converted { older, newer, by } => {
                    let values = |path: &FieldPath, fields: &[Field]| -> Vec<Value> {
                        fields.iter().map(|each| field(path, each)).collect()
                    };
                    self.converted([values(old, older), values(new, newer)], [older, newer], *by);
                }
            }
        }
        self.ends.truncate(known);
    }

    /// Adds the row of a moved value. Its type may have a mapping of its own.
    fn moved(&mut self, mut row: Row, inside: Option<Branch>) {
        let places =
            [&row.older, &row.newer].map(|values| values.first().map(|value| value.path.clone()));
        let at = self.rows.len();
        let ([Some(older), Some(newer)], Some(inside)) = (places, inside) else {
            return self.rows.push(row);
        };
        row.annotations = vec![self.key(self.older, &older), self.key(self.newer, &newer)];
        self.rows.push(row);
        self.inside(inside, [older, newer], |above, rows| rows[at].as_above = Some(above));
    }

    /// Adds a row for values that a converter makes from each other, in the same place or not.
    fn converted(
        &mut self,
        [older, newer]: [Vec<Value>; 2],
        [older_fields, newer_fields]: [&[Field]; 2],
        By { by, upgrade, downgrade }: By,
    ) {
        let firsts = [(self.older, older.first()), (self.newer, newer.first())];
        let keys =
            firsts.into_iter().filter_map(|(home, first)| Some(self.key(home, &first?.path)));
        let annotations = keys.collect();
        let upgrade = refusal(&upgrade, newer_fields);
        let downgrade = refusal(&downgrade, older_fields);
        let mapping = Mapping::Converted { by, upgrade, downgrade };
        self.rows.push(Row { older, newer, mapping, annotations, as_above: None });
    }

    /// Adds a row for values that a converter makes from each other, and that move. If several of
    /// them stay where they are, the fields' own annotations keep them.
    fn moved_by(&mut self, fields: Fields, sides: [(&'static [Path], &FieldPath); 2], by: By) {
        let values = sides
            .map(|(ways, path)| ways.iter().filter_map(|way| along(path, way)).collect::<Vec<_>>());
        let ends = sides.map(|(ways, _)| {
            let last = |way: &Path| way.last().map(|part| part.field);
            ways.iter().filter_map(last).collect::<Vec<_>>()
        });
        let mut keys = Vec::new();
        for (newer, (ways, path)) in [false, true].into_iter().zip(sides) {
            let home = if newer { self.newer } else { self.older };
            let first = values[usize::from(newer)].first().map(|first| first.path.clone());
            let own = ways.iter().map(|way| end(fields, path, way, newer).path);
            for path in first.into_iter().chain(own) {
                let key = self.key(home, &path);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        let are_several = ends.iter().any(|ends| ends.len() > 1);
        self.converted(values, [&ends[0], &ends[1]], by);
        if let Some(row) = self.rows.last_mut().filter(|_| are_several) {
            row.annotations = keys;
        }
    }

    /// Adds a row for a field that only one version has. If values move into the field or out of
    /// it, adds a row for each struct that exists because of them, and for each field of these
    /// structs that doesn't move. The move itself has a row of its own.
    fn one_sided(
        &mut self,
        (newer, path): (bool, &FieldPath),
        only: &Field,
        fill: Option<WriteFn>,
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
            self.rows.push(Row { annotations: vec![key.clone()], ..row(older, newer, mapping) });
        };
        let mut ends =
            self.ends.iter().filter(|end| end.newer == newer && end.path == value.path).peekable();
        if ends.peek().is_none() {
            return push(value, sided(fill));
        }
        let mut shown = Vec::new();
        for End { way, .. } in ends {
            let mut around = path.clone();
            for Part { field: holder, others } in way.iter().rev().skip(1).rev() {
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

    /// Adds a row for each variant that isn't the same in both versions, and the rows of what is
    /// mapped inside it.
    fn variants(&mut self, variants: Variants, [old, new]: &[FieldPath; 2]) {
        let (was, is) = (variants.plan.older_tagging, variants.plan.newer_tagging);
        for (rule, inside) in variants.rules() {
            match rule {
                VariantRule::Kept { older, newer, .. } => {
                    if older.wire != newer.wire || was != is {
                        let (older, newer) = (variant(old, was, older), variant(new, is, newer));
                        self.rows.push(row(Some(older), Some(newer), Mapping::Renamed));
                    }
                    if let Some(inside) = inside {
                        let places = [held(old, was, older), held(new, is, newer)];
                        self.inside(inside, places, |_, _| {});
                    }
                }
                VariantRule::Added { newer, shown_as } => {
                    let mapping = Mapping::VariantAdded { shown_as: shown_as.wire };
                    let annotations = vec![self.key(self.newer, new)];
                    let row = row(None, Some(variant(new, is, newer)), mapping);
                    self.rows.push(Row { annotations, ..row });
                }
                VariantRule::Removed { older, shown_as } => {
                    let mapping = Mapping::VariantRemoved { shown_as: shown_as.wire };
                    let annotations = vec![self.key(self.older, old)];
                    let row = row(Some(variant(old, was, older)), None, mapping);
                    self.rows.push(Row { annotations, ..row });
                }
            }
        }
    }
}

/// The place of a moved value in one of the versions.
struct End {
    newer: bool,
    /// The first field on the path that the other version doesn't have.
    path: FieldPath,
    /// The path from that field to the value.
    way: Path,
}

/// Returns the ends of a struct's moves.
fn ends(fields: Fields, old: &FieldPath, new: &FieldPath) -> Vec<End> {
    let mut ends = Vec::new();
    for FieldRule { rule, .. } in fields.rules() {
        let [older, newer] = rule.moved();
        ends.extend(older.iter().map(|way| end(fields, old, way, false)));
        ends.extend(newer.iter().map(|way| end(fields, new, way, true)));
    }
    ends
}

fn end(fields: Fields, path: &FieldPath, way: Path, newer: bool) -> End {
    let Way { shared, own, .. } = fields.way(way, newer);
    let shared = shared.iter().map(|(old, new, _)| if newer { new } else { old });
    let around = shared.fold(path.clone(), |path, field| path.field(name(field)));
    let path = own.first().map_or(around.clone(), |part| around.field(name(&part.field)));
    End { newer, path, way: own }
}

/// Returns what is mapped inside lists and maps, and the steps through them.
fn marks(mut mapped: Branch) -> (Vec<Segment>, Branch) {
    let mut steps = Vec::new();
    loop {
        let (step, inner) = match mapped.kind() {
            Kind::List(inner, _) => (Segment::Items, inner),
            Kind::Map(inner) => (Segment::Values, inner),
            Kind::Struct(_) | Kind::Enum(_) => return (steps, mapped),
        };
        steps.push(step);
        mapped = inner;
    }
}

/// Returns the JSON that one of the author's functions writes, or `None` if it leaves out the field
/// or fails.
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
