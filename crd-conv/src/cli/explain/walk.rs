//! Walks through a plan to find what a hop does with each field.

use super::{AsAbove, Row};
use crate::{
    complement::annotation_key,
    engine::{REST, both_have},
    plan::{
        Content, Conversion, EnumPlan, Field, Nested, Part, Rule, StructPlan, Tagging, Variant,
        VariantRule, WriteFn,
    },
};

/// The rows of a hop between two neighbouring versions.
pub(super) fn rows(
    group: &str,
    [older, newer]: [&'static str; 2],
    plan: &'static StructPlan,
) -> Vec<Row> {
    let mut rows = Vec::new();
    let root = Place::default();
    let hop = Hop { group, older, newer };
    hop.walk(plan, &root, &root, &mut Vec::new(), &mut Vec::new(), &mut rows);
    rows
}

/// Two neighbouring versions.
struct Hop<'a> {
    group: &'a str,
    older: &'static str,
    newer: &'static str,
}

/// Where a value stands in one of the versions.
#[derive(Clone, Default)]
struct Place {
    /// As a reader sees it, with `[]` for the items of a list and `.*` for the values of a map.
    shown: String,
    fields: Vec<&'static str>,
}

impl Place {
    fn field(&self, field: &Field) -> Self {
        let mut fields = self.fields.clone();
        fields.push(name(field));
        Self { shown: format!("{}.{}", self.shown, name(field)), fields }
    }

    fn through(&self, marks: &str) -> Self {
        Self { shown: self.shown.clone() + marks, fields: self.fields.clone() }
    }

    /// The annotation that keeps what stands here.
    fn key(&self, hop: &Hop<'_>, home: &str) -> String {
        annotation_key(hop.group, home, &self.fields)
    }

    /// The struct and the field of it that a way from here leads to.
    fn along(&self, way: &'static [Part]) -> Option<(Self, &'static Field)> {
        let (last, around) = way.split_last()?;
        let place = around.iter().fold(self.clone(), |place, part| place.field(&part.field));
        Some((place, &last.field))
    }

    fn cell(&self, field: &Field) -> String {
        format!("{}.{}: {}", self.shown, name(field), field.ty)
    }

    /// A variant that a value is.
    fn variant(&self, tagging: Tagging, variant: &Variant) -> String {
        let Self { shown, .. } = self;
        let wire = variant.wire;
        match tagging {
            Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
                format!("{shown}.{tag} = {wire:?}")
            }
            Tagging::External if variant.content != Content::Unit => format!("{shown}.{wire}"),
            Tagging::External => format!("{shown} = {wire:?}"),
            Tagging::Untagged => format!("{shown}({wire})"),
        }
    }

    /// What a variant holds.
    fn held(&self, tagging: Tagging, variant: &Variant) -> Self {
        let mut fields = self.fields.clone();
        fields.push(variant.wire);
        let shown = match tagging {
            Tagging::External => format!("{}.{}", self.shown, variant.wire),
            Tagging::Adjacent { content, .. } => {
                fields.push(content);
                format!("{}({}).{content}", self.shown, variant.wire)
            }
            Tagging::Internal { .. } | Tagging::Untagged => {
                format!("{}({})", self.shown, variant.wire)
            }
        };
        Self { shown, fields }
    }
}

/// The name in JSON; a flattened map has any.
fn name(field: &Field) -> &'static str {
    if field.is_rest() { REST } else { field.wire }
}

impl Hop<'_> {
    fn walk(
        &self,
        plan: &'static StructPlan,
        old: &Place,
        new: &Place,
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
                    let above = find(nested, open);
                    let mapping = match (older.wire == newer.wire, above.is_some()) {
                        (true, false) => "kept",
                        (false, false) => "renamed",
                        (true, true) => "kept, mapped inside as above",
                        (false, true) => "renamed, mapped inside as above",
                    };
                    let row = Row::new(old.cell(older), new.cell(newer), mapping);
                    let (old, new) =
                        (old.field(older).through(&marks), new.field(newer).through(&marks));
                    if let Some(above) = above {
                        rows.push(row.inside_itself(above.again_at([&old, &new])));
                    } else {
                        rows.push(row);
                        self.inside(nested, [&old, &new], open, ends, rows);
                    }
                }
                Rule::Moved { older, newer } => {
                    let cell = |place: &Place, way: &'static [Part]| {
                        let (place, field) = place.along(way)?;
                        Some(place.cell(field))
                    };
                    if let (Some(old), Some(new)) = (cell(old, older), cell(new, newer)) {
                        rows.push(Row::new(old, new, "moved"));
                    }
                }
                Rule::Added { newer: field, .. } if is_end(ends, true, &new.field(field)) => {
                    self.holder(ends, (true, "added", self.newer), new, field, rows);
                }
                Rule::Removed { older: field, .. } if is_end(ends, false, &old.field(field)) => {
                    self.holder(ends, (false, "removed", self.older), old, field, rows);
                }
                Rule::Added { newer, fill } => rows.push(
                    Row::new("", new.cell(newer), one_sided("added", *fill))
                        .kept_in(new.field(newer).key(self, self.newer)),
                ),
                Rule::Removed { older, fill } => rows.push(
                    Row::new(old.cell(older), "", one_sided("removed", *fill))
                        .kept_in(old.field(older).key(self, self.older)),
                ),
                Rule::Converted { older, newer, by, upgrade, downgrade } => {
                    let kept_in = [
                        older.first().map(|first| old.field(first).key(self, self.older)),
                        newer.first().map(|first| new.field(first).key(self, self.newer)),
                    ];
                    let cells = |place: &Place, fields: &[Field]| {
                        fields.iter().map(|field| place.cell(field)).collect()
                    };
                    let mut mapping = vec![format!("converted by {by}")];
                    mapping.extend(refused(upgrade, newer, self.newer));
                    mapping.extend(refused(downgrade, older, self.older));
                    rows.push(Row {
                        older: cells(old, older),
                        newer: cells(new, newer),
                        mapping,
                        kept_in: kept_in.into_iter().flatten().collect(),
                        as_above: Vec::new(),
                    });
                }
            }
        }
        ends.truncate(known);
        open.pop();
    }

    /// A row for a struct that is there if a moved field is, and for each of its fields that don't move. A moved field by
    /// itself has its row already.
    fn holder(
        &self,
        ends: &[End],
        (newer, word, home): (bool, &str, &str),
        place: &Place,
        field: &Field,
        rows: &mut Vec<Row>,
    ) {
        let inside = place.field(field);
        let key = inside.key(self, home);
        let mut row = |cell: &str, mapping: &str| {
            let (old, new) = if newer { ("", cell) } else { (cell, "") };
            rows.push(Row::new(old, new, mapping).kept_in(key.clone()));
        };
        let mut shown = Vec::new();
        for End { way, .. } in ends.iter().filter(|end| end.is(newer, &inside)) {
            let mut at = place.clone();
            for Part { field, others } in way.iter().take(way.len() - 1) {
                let inner = at.field(field);
                if !shown.contains(&inner.shown) {
                    row(&at.cell(field), "there if a moved field is");
                    for other in *others {
                        row(&inner.cell(other), &one_sided(word, other.default));
                    }
                    shown.push(inner.shown.clone());
                }
                at = inner;
            }
        }
    }

    /// The rows of what is mapped inside a value.
    fn inside(
        &self,
        nested: Option<Nested>,
        [old, new]: [&Place; 2],
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
        [old, new]: [&Place; 2],
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
                        rows.push(Row::new(
                            old.variant(was, older),
                            new.variant(is, newer),
                            "renamed",
                        ));
                    }
                    if find(nested, open).is_none() {
                        let old = old.held(was, older).through(&marks);
                        let new = new.held(is, newer).through(&marks);
                        self.inside(nested, [&old, &new], open, ends, rows);
                    }
                }
                VariantRule::Added { newer, shown_as } => rows.push(
                    Row::new(
                        "",
                        new.variant(is, newer),
                        format!("added, shown as {:?}", shown_as.wire),
                    )
                    .kept_in(new.key(self, self.newer)),
                ),
                VariantRule::Removed { older, shown_as } => rows.push(
                    Row::new(
                        old.variant(was, older),
                        "",
                        format!("removed, shown as {:?}", shown_as.wire),
                    )
                    .kept_in(old.key(self, self.older)),
                ),
            }
        }
        open.pop();
    }
}

/// A type of which the rows are being written.
struct Open {
    plan: *const (),
    places: [String; 2],
}

impl Open {
    fn new<P>(plan: &'static P, places: [&Place; 2]) -> Self {
        let plan = std::ptr::from_ref(plan).cast();
        Self { plan, places: places.map(|place| place.shown.clone()) }
    }

    /// The places inside it that are mapped as it is.
    fn again_at(&self, places: [&Place; 2]) -> [AsAbove; 2] {
        let [old, new] = places.map(|place| place.shown.clone());
        let [above_old, above_new] = self.places.clone();
        [AsAbove { place: old, above: above_old }, AsAbove { place: new, above: above_new }]
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

/// Where a moved value stands in one of the versions.
struct End {
    newer: bool,
    /// As a reader sees the field that the other version doesn't have.
    shown: String,
    /// From that field to the value.
    way: &'static [Part],
}

impl End {
    fn is(&self, newer: bool, place: &Place) -> bool {
        self.newer == newer && self.shown == place.shown
    }
}

fn is_end(ends: &[End], newer: bool, place: &Place) -> bool {
    ends.iter().any(|end| end.is(newer, place))
}

/// The ends of a plan's moves.
fn ends(plan: &'static StructPlan, old: &Place, new: &Place) -> Vec<End> {
    let mut ends = Vec::new();
    for rule in plan.rules {
        let Rule::Moved { older, newer } = rule else { continue };
        for (is_newer, way, place) in [(false, *older, old), (true, *newer, new)] {
            let (mut plan, mut place) = (plan, place.clone());
            let mut way = way;
            while let [first, rest @ ..] = way {
                place = place.field(&first.field);
                match both_have(plan, &first.field, is_newer) {
                    Some((_, _, inner)) if !rest.is_empty() => plan = inner,
                    _ => break,
                }
                way = rest;
            }
            ends.push(End { newer: is_newer, shown: place.shown, way });
        }
    }
    ends
}

/// What is mapped inside of lists and maps, with a mark for each of them.
fn inside(nested: Option<Nested>) -> (String, Option<Nested>) {
    let mut marks = String::new();
    let mut nested = nested;
    loop {
        nested = match nested {
            Some(Nested::List(inner)) => {
                marks += "[]";
                Some(inner())
            }
            Some(Nested::Map(inner)) => {
                marks += ".*";
                Some(inner())
            }
            found => return (marks, found),
        };
    }
}

fn one_sided(word: &str, fill: Option<WriteFn>) -> String {
    let mut text = String::new();
    match fill.map(|fill| fill(&mut text)) {
        Some(Ok(true)) => format!("{word}, value {text}"),
        _ => word.to_owned(),
    }
}

/// What the fields of a version show where the converter refuses the other version's, or why it may.
fn refused(conversion: &Conversion, fields: &[Field], version: &str) -> Option<String> {
    if let Some(why) = conversion.refuses {
        return Some(format!("may be refused on the way to {version}: {why}"));
    }
    let values = conversion.shown_if_refused()?;
    let shown = fields.iter().zip(values.texts()).map(|(field, value)| match value {
        Some(value) => format!("{} {value}", field.wire),
        None => format!("no {}", field.wire),
    });
    Some(format!("if refused, {version} shows {}", shown.collect::<Vec<_>>().join(", ")))
}
