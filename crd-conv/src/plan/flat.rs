//! Plans as they are in JSON: without the structs that serde flattens.

use super::{Field, Flat, Indexed, Nested, Part, Rule, StructPlan, leaves};

impl StructPlan {
    /// The rules for what stands in JSON: those inside flattened structs instead of those of the structs. A flattened
    /// map has its rule.
    pub(crate) fn rules_in_json(&self) -> Vec<Rule> {
        let mut rules = Vec::new();
        let stays = |field: &Field, newer: bool| {
            self.rules.iter().any(|rule| match rule {
                Rule::Moved { older: [holder, old], newer: [new] }
                | Rule::Moved { older: [old], newer: [holder, new] }
                    if is_struct(&holder.field) =>
                {
                    field.wire == if newer { new.field.wire } else { old.field.wire }
                }
                _ => false,
            })
        };
        for rule in self.rules {
            match *rule {
                Rule::Kept { newer, nested, .. } if is_struct(&newer) => match nested.get() {
                    Some(Nested::Struct(plan)) => rules.extend(plan.rules_in_json()),
                    _ => rules.extend(inside(&newer).map(|field| Rule::Kept {
                        older: field,
                        newer: field,
                        nested: Indexed::NOTHING,
                    })),
                },
                Rule::Added { newer, .. } if is_struct(&newer) => {
                    rules.extend(inside(&newer).filter(|field| !stays(field, true)).map(added));
                }
                Rule::Removed { older, .. } if is_struct(&older) => {
                    rules.extend(inside(&older).filter(|field| !stays(field, false)).map(removed));
                }
                Rule::Added { newer, .. } if stays(&newer, true) => {}
                Rule::Removed { older, .. } if stays(&older, false) => {}
                Rule::Moved { older: [holder, older], newer: [newer] }
                    if is_struct(&holder.field) =>
                {
                    rules.push(beside(older, newer));
                }
                Rule::Moved { older: [older], newer: [holder, newer] }
                    if is_struct(&holder.field) =>
                {
                    rules.push(beside(older, newer));
                }
                rule => rules.push(rule),
            }
        }
        rules
    }
}

fn is_struct(field: &Field) -> bool {
    matches!(field.flat, Flat::Fields(_))
}

/// The fields of a flattened struct.
fn inside(field: &Field) -> impl Iterator<Item = Field> {
    let fields = match field.flat {
        Flat::Fields(fields) => leaves(fields),
        Flat::No | Flat::Map => Vec::new(),
    };
    fields.into_iter().map(|facts| facts.field)
}

/// A value that moves into a flattened struct or out of it stands where it was.
fn beside(older: &Part, newer: &Part) -> Rule {
    Rule::Kept { older: older.field, newer: newer.field, nested: Indexed::NOTHING }
}

fn added(newer: Field) -> Rule {
    Rule::Added { newer, fill: newer.default }
}

fn removed(older: Field) -> Rule {
    Rule::Removed { older, fill: older.default }
}
