//! Plans as they are in JSON: without the structs that serde flattens.

use crate::__private::{Declared, Flat, leaves};
use crate::plan::Part;
use crate::{Field, Nested, Rule, StructPlan};

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
                Rule::Kept { newer, nested, .. } if is_struct(&newer) => match nested() {
                    Some(Nested::Struct(plan)) => rules.extend(plan.rules_in_json()),
                    _ => rules.extend(inside(&newer).map(|field| Rule::Kept {
                        older: field,
                        newer: field,
                        nested: || None,
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

impl Field {
    /// Whether it is a map of all that no field has.
    pub(crate) fn is_rest(&self) -> bool {
        matches!(self.flat, Flat::Map)
    }
}

impl Declared {
    /// Whether a flattened field says that the struct around it preserves what its schema doesn't know.
    #[cfg(feature = "schema")]
    pub(crate) fn preserves(self) -> bool {
        let Self::Fields(_, fields) = self else { return false };
        fields.iter().any(|facts| match facts.field.flat {
            Flat::No => false,
            Flat::Map => facts.said.preserve_unknown_fields,
            Flat::Fields(_) => {
                facts.said.preserve_unknown_fields
                    || (facts.field.inside)().is_some_and(Self::preserves)
            }
        })
    }

    /// What is declared of the values of a struct's flattened map.
    pub(crate) fn rest(self) -> Option<Declared> {
        let Self::Fields(_, fields) = self else { return None };
        let rest = leaves(fields).into_iter().find(|facts| facts.field.is_rest())?;
        match (rest.field.inside)()? {
            Self::Values(values) => Some(values()),
            _ => None,
        }
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
    Rule::Kept { older: older.field, newer: newer.field, nested: || None }
}

fn added(newer: Field) -> Rule {
    Rule::Added { newer, fill: newer.default }
}

fn removed(older: Field) -> Rule {
    Rule::Removed { older, fill: older.default }
}
