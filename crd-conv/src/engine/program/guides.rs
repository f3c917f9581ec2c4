//! What the two versions of a hop know about its values: guides for fingerprints, made from the
//! plans.

use super::build::node_of;
use crate::complement::{Guide, Known, Shape};
use crate::plan::{Declared, Field, FieldRule, Fields, leaves};

/// The guides of the source and the target.
#[derive(Debug)]
pub(crate) struct Guides {
    upgrade: bool,
    sides: [Guide; 2],
}

impl Guides {
    pub(super) fn new(upgrade: bool) -> Self {
        Self { upgrade, sides: Default::default() }
    }

    /// Sets the shape of a node in both versions.
    pub(super) fn both(&mut self, node: usize, shape: &Shape) {
        for side in &mut self.sides {
            side.set(node, shape.clone());
        }
    }

    /// Sets the fields of a node.
    pub(super) fn fields(&mut self, node: usize, fields: Fields) {
        let is_rest = |each: FieldRule| each.rule.kept().is_some_and(|[_, newer]| newer.is_rest());
        // If there is a flattened map, any name may be one of its keys. Then unknown fields also
        // tell items apart, and the API server doesn't prune them.
        if fields.rules().any(is_rest) {
            return;
        }
        let (mut older, mut newer) = (Vec::new(), Vec::new());
        for FieldRule { rule, inside, .. } in fields.rules() {
            let shape = |field: &Field| match inside {
                Some(inside) => Shape::Of(node_of(inside)),
                None if rule.one_sided().is_some() => declared(field),
                None => Shape::Whole,
            };
            let [olds, news] = rule.fields();
            older.extend(olds.iter().map(|field| known(field, shape(field))));
            newer.extend(news.iter().map(|field| known(field, shape(field))));
        }
        let (source, target) = if self.upgrade { (older, newer) } else { (newer, older) };
        let [of_source, of_target] = &mut self.sides;
        of_source.set(node, Shape::Fields(source));
        of_target.set(node, Shape::Fields(target));
    }

    pub(super) fn finish(mut self) -> [Guide; 2] {
        self.sides.iter_mut().for_each(Guide::learn_defaults);
        self.sides
    }
}

/// Returns the fields of the struct in a field. Nothing is known about what is inside of them.
fn declared(field: &Field) -> Shape {
    match field.inside.get() {
        Some(Declared::Fields(_, fields)) => {
            let leaves = leaves(fields);
            if leaves.iter().any(|facts| facts.field.is_rest()) {
                return Shape::Whole;
            }
            let known = leaves.iter().map(|facts| known(&facts.field, Shape::Whole));
            Shape::Fields(known.collect())
        }
        _ => Shape::Whole,
    }
}

fn known(field: &Field, inner: Shape) -> Known {
    let filled = field.default.and_then(|default| field.served(default));
    Known { name: field.wire, nullable: field.nullable, filled, default: None, inner }
}
