//! Values that are in another place in the target: where they are, and where they move.

use super::build::Direction;
use super::inside::Inside;
use super::node::{Code, Group};
use super::slot::Slot;
use crate::json::{Fidelity, equal};
use crate::plan::{By, Change, Field, FieldRule, Fields, OneSided, Part, Path, Rule, Way, WriteFn};

/// The moves in one object.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the moves of single values have no better name")]
pub(crate) struct Moves {
    /// The objects on the paths that both versions have. Each comes after the one around it.
    pub(crate) holders: Vec<Holder>,
    pub(crate) moves: Vec<Move>,
    pub(crate) groups: Vec<Together>,
}

/// An object on the path to a moved value that both versions have.
#[derive(Debug)]
pub(crate) struct Holder {
    /// The holder around it. `None` if that is the object of the moves.
    pub(crate) parent: Option<usize>,
    pub(crate) source: Slot,
    pub(crate) target: Slot,
    /// The source's fields that the target has, too.
    pub(crate) kept: Vec<Slot>,
    /// What the target shows for its fields in a new object. Fields that only the target has are
    /// always here. Others, also those that a converter makes, are here if they have a default.
    pub(crate) additions: Additions,
    /// The same for the source.
    pub(crate) synthesized: Additions,
}

/// Fields, and what is shown for them.
pub(crate) type Additions = Vec<Added>;

/// A field of a new object.
#[derive(Clone, Debug)]
pub(crate) struct Added {
    pub(crate) name: &'static str,
    /// What a rule or the API server writes.
    pub(crate) fill: Option<String>,
}

/// A value that moves.
#[derive(Debug)]
pub(crate) struct Move {
    pub(crate) from: End,
    pub(crate) to: End,
    /// How the value changes on its way. It has one input and one output.
    pub(crate) change: Option<Group>,
}

/// Values that move as a whole or not at all, because a converter takes and returns them together.
#[derive(Debug)]
pub(crate) struct Together {
    pub(crate) from: Vec<End>,
    pub(crate) to: Vec<End>,
    pub(crate) change: Group,
}

/// The place of a moved value in one of the versions.
#[derive(Debug)]
pub(crate) struct End {
    /// The innermost holder around it.
    pub(crate) holder: Option<usize>,
    /// The field in that holder: the value's own field, or a field around it that only this version
    /// has.
    pub(crate) field: Slot,
    /// The path from that field to the value. Empty if they are the same.
    pub(crate) inside: Inside,
    /// Whether the value may be `null`.
    pub(crate) nullable: bool,
    /// What a rule writes for the field if nothing is known about it.
    pub(crate) fill: Option<String>,
    /// What this version shows for the value if nothing is known about it. A rule or the API server
    /// writes that.
    pub(crate) displayed: Option<String>,
}

impl End {
    /// Whether a value is what this version shows if nothing is known about it.
    pub(crate) fn shows(&self, value: &str) -> bool {
        self.displayed.as_ref().is_some_and(|displayed| equal(value, displayed, Fidelity::AsServed))
    }

    /// Whether a value is part of what the API server fills in for the field.
    pub(crate) fn is_filled_in(&self, value: &str) -> bool {
        let filled = self.field.default.as_ref().and_then(|default| self.inside.find(default));
        filled.is_some_and(|filled| equal(value, filled, Fidelity::AsServed))
    }
}

impl Moves {
    /// Returns the moves among a struct's rules, or `None` if there are none.
    pub(crate) fn of(fields: Fields, upgrade: bool) -> Option<Self> {
        let mut builder = Builder { fields, upgrade, holders: Vec::new() };
        let (mut olds, mut news, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        for FieldRule { rule, .. } in fields.rules() {
            let Rule::Moved { older, newer, change } = rule else { continue };
            if older.iter().chain(*newer).any(|way| is_beside(way)) {
                continue;
            }
            for way in *older {
                olds.push(builder.end(way, false)?);
            }
            for way in *newer {
                news.push(builder.end(way, true)?);
            }
            rules.push((older, newer, change));
        }
        share_fills(&mut olds);
        share_fills(&mut news);
        let [mut from, mut to] = builder.sides([olds.into_iter(), news.into_iter()]);
        let (mut moves, mut groups) = (Vec::new(), Vec::new());
        for (older, newer, change) in rules {
            let ways @ [takes, gives] = builder.sides([*older, *newer]);
            let code = builder.code(change);
            if let [[way], [other]] = ways {
                let change = code.and_then(|code| alone([way, other], code));
                moves.push(Move { from: from.next()?, to: to.next()?, change });
            } else {
                groups.push(Together {
                    from: from.by_ref().take(takes.len()).collect(),
                    to: to.by_ref().take(gives.len()).collect(),
                    change: together(ways, code?),
                });
            }
        }
        let is_any = !moves.is_empty() || !groups.is_empty();
        is_any.then_some(Self { holders: builder.holders, moves, groups })
    }

    /// Returns a holder with the holders around it, outermost first.
    pub(crate) fn around(&self, holder: Option<usize>) -> Vec<usize> {
        let mut around: Vec<usize> =
            std::iter::successors(holder, |holder| self.holders[*holder].parent).collect();
        around.reverse();
        around
    }

    /// Returns the fields on the path to a holder, or to a value.
    pub(crate) fn path(
        &self,
        holder: Option<usize>,
        end: Option<&End>,
        target: bool,
    ) -> Vec<&'static str> {
        let name = |holder: &Holder| if target { holder.target.name } else { holder.source.name };
        let around = self.around(holder).into_iter().map(|holder| name(&self.holders[holder]));
        let end =
            end.map(|end| std::iter::once(end.field.name).chain(end.inside.names.iter().copied()));
        around.chain(end.into_iter().flatten()).collect()
    }
}

struct Builder {
    fields: Fields,
    upgrade: bool,
    holders: Vec<Holder>,
}

impl Builder {
    fn end(&mut self, path: Path, newer: bool) -> Option<End> {
        let Way { shared, within, own } = self.fields.way(path, newer);
        let mut holder = None;
        for (older, newer, inside) in shared {
            holder = Some(self.holder(holder, [older, newer], inside));
        }
        let (last, around) = own.split_last()?;
        let Part { field, .. } = own.first()?;
        let fills = |part: &Part| {
            let fill = |field: &Field| Some((field.wire, field.served(field.default?)?));
            part.others.iter().filter_map(fill).collect()
        };
        let fill = fill_of(within, field, newer).filter(|_| around.is_empty());
        let fill = fill.and_then(|fill| field.served(fill));
        let displayed = || last.field.served(last.field.default?);
        let displayed = fill.clone().or_else(displayed);
        Some(End {
            holder,
            field: Slot::new(field),
            inside: Inside {
                names: own[1..].iter().map(|part| part.field.wire).collect(),
                fills: around.iter().map(fills).collect(),
            },
            nullable: last.field.nullable,
            fill,
            displayed,
        })
    }

    /// Returns what changes values on their way there and back.
    fn code(&self, change: &Change) -> Option<[Code; 2]> {
        Some(self.sides(match change {
            Change::By(By { upgrade, downgrade, .. }) => {
                [Code::Author(*upgrade), Code::Author(*downgrade)]
            }
            Change::Versions(nested) => {
                let rules = nested.get()?;
                [Code::Rules(rules, Direction::Upgrade), Code::Rules(rules, Direction::Downgrade)]
            }
        }))
    }

    fn holder(&mut self, parent: Option<usize>, fields: [Field; 2], inside: Fields) -> usize {
        let [source, target] = self.sides(fields).map(|field| Slot::new(&field));
        let known = |holder: &Holder| holder.parent == parent && holder.source.name == source.name;
        if let Some(known) = self.holders.iter().position(known) {
            return known;
        }
        let kept = inside.rules().filter_map(|FieldRule { rule, .. }| {
            let [older, newer] = rule.kept().filter(|[_, newer]| !newer.is_rest())?;
            let [source, _] = self.sides([*older, *newer]);
            Some(Slot::new(&source))
        });
        let kept = kept.collect();
        let (additions, synthesized) =
            (additions(inside, self.upgrade), additions(inside, !self.upgrade));
        self.holders.push(Holder { parent, source, target, kept, additions, synthesized });
        self.holders.len() - 1
    }

    /// Returns what belongs to the older and the newer version in the order of source and target.
    fn sides<T>(&self, [older, newer]: [T; 2]) -> [T; 2] {
        if self.upgrade { [older, newer] } else { [newer, older] }
    }
}

/// Returns how a value changes on its way.
fn alone(ways: [Path; 2], [forth, back]: [Code; 2]) -> Option<Group> {
    let [input, output] = ways.map(|way| way.last().map(|part| Slot::new(&part.field)));
    Some(Group { inputs: vec![input?], outputs: vec![output?], forth, back })
}

/// Returns how values change together. In entries, each one is called by its path, since two of
/// them may have fields of the same name.
fn together(ways: [&[Path]; 2], [forth, back]: [Code; 2]) -> Group {
    let slot = |way: &Path| {
        let names: Vec<_> = way.iter().map(|part| part.field.wire).collect();
        // A route lives as long as the process, and so does the name.
        way.last().map(|part| Slot { name: names.join(".").leak(), ..Slot::new(&part.field) })
    };
    let [inputs, outputs] = ways.map(|ways| ways.iter().filter_map(slot).collect());
    Group { inputs, outputs, forth, back }
}

/// Returns what a version shows for the fields of a new object.
fn additions(fields: Fields, newer_side: bool) -> Additions {
    let mut additions = Vec::new();
    for FieldRule { rule, .. } in fields.rules() {
        let one_sided = rule.one_sided();
        for field in rule.fields()[usize::from(newer_side)].iter().filter(|field| !field.is_rest())
        {
            let name = field.wire;
            if let Some(OneSided { fill, .. }) = one_sided {
                additions.push(Added { name, fill: fill.and_then(|fill| field.served(fill)) });
            } else if let Some(default) = field.default.and_then(|default| field.served(default)) {
                additions.push(Added { name, fill: Some(default) });
            }
        }
    }
    additions
}

/// If several values move into one new object, those that don't arrive are there as the API server
/// fills them in.
fn share_fills(ends: &mut [End]) {
    let leaf = |End { holder, field, inside, displayed, .. }: &End| {
        let (leaf, around) = inside.names.split_last()?;
        Some((*holder, field.name, around.to_vec(), *leaf, displayed.clone()?))
    };
    let leaves: Vec<_> = ends.iter().filter_map(leaf).collect();
    for End { holder, field, inside, .. } in ends {
        for (of, name, around, leaf, fill) in &leaves {
            let (level, same) = (around.len(), (*of, *name) == (*holder, field.name));
            if same && inside.names.get(..level) == Some(around) && level < inside.fills.len() {
                inside.fills[level].push((leaf, fill.clone()));
            }
        }
    }
}

/// Whether a path goes through a flattened struct. In JSON, the fields of that struct are fields of
/// the struct around it, so the value stays where it is.
fn is_beside(way: &[Part]) -> bool {
    way.iter().any(|part| part.field.flat.is_flat())
}

/// Returns what the version that has a field writes if nothing is known about the field.
fn fill_of(fields: Fields, field: &Field, newer_side: bool) -> Option<WriteFn> {
    fields.rules().find_map(|FieldRule { rule, .. }| {
        let one_sided = rule.one_sided()?;
        let is_it = one_sided.newer == newer_side && one_sided.field.wire == field.wire;
        one_sided.fill.filter(|_| is_it)
    })
}
