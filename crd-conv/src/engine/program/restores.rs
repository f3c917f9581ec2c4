//! The annotations that a hop reads, found out beforehand: where nothing is there that they belong to, it is gone.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::moves::{Move, Moves};
use super::names::Role;
use super::node::{Node, ROOT, Step};
use super::slot::REST;
use crate::complement::AnnotationPath;

/// How often a type may stand inside itself in the annotations that are known beforehand. What is deeper inside
/// is restored all the same; only if what it belongs to is gone, its annotation is taken for an unknown one.
const MAX_KNOWN_REPEATS: usize = 2;

/// How many values may be looked at for that: types that all hold each other know more ways than there is time for.
const MAX_KNOWN_WAYS: usize = 20_000;

/// What the hops to a version read: that from the next older one, and that from the next newer one.
pub(crate) type Home = [Option<Arc<Restores>>; 2];

/// Annotations, each with what in the source its entries belong to.
pub(crate) type Restores = HashMap<String, Around>;

/// The ways to what entries of one name belong to: fields with a dot behind each. An enum's value and the field that it is
/// in have entries of the same name.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// To the object that the field is in.
    pub(crate) field: Option<String>,
    /// To the enum's value.
    pub(crate) value: Option<String>,
}

impl Around {
    /// The way to the innermost.
    pub(crate) fn way(&self) -> &str {
        self.value.as_ref().or(self.field.as_ref()).map_or("", String::as_str)
    }

    /// The way to the object that the field is in.
    pub(crate) fn way_of_field(&self) -> &str {
        self.field.as_ref().or(self.value.as_ref()).map_or("", String::as_str)
    }
}

/// Notes the annotations that steps may restore, for the ways to reach them, the shortest first.
pub(super) fn of(nodes: &[Node], to: &str, prefix: &str) -> Restores {
    let mut restores = Restores::default();
    let path = AnnotationPath::new(to);
    let mut ways =
        VecDeque::from([Way { node: ROOT, path, source: String::new(), within: Vec::new() }]);
    let mut known = 0;
    while let Some(Way { node, path, source, within }) = ways.pop_front() {
        let repeats = within.iter().filter(|other| **other == node).count();
        if repeats == MAX_KNOWN_REPEATS {
            continue;
        }
        known += 1;
        if known > MAX_KNOWN_WAYS {
            break;
        }
        let within = [&within[..], &[node]].concat();
        let mut go = |node, path, source| {
            ways.push_back(Way { node, path, source, within: within.clone() });
        };
        let inside = |name: &str| format!("{source}{name}.");
        match &nodes[node] {
            Node::Object(object) => {
                for field in object.steps.iter().filter_map(Step::restores) {
                    let key = path.then(field).key(prefix);
                    restores.entry(key).or_default().field = Some(source.clone());
                }
                for moves in object.steps.iter().filter_map(Step::moves) {
                    for (path, source) in around_moves(moves, &path, &source) {
                        restores.entry(path.key(prefix)).or_default().field = Some(source);
                    }
                }
                for member in &object.names.members {
                    if let Role::Child(child) = member.role {
                        go(child, path.then(member.target), inside(member.name));
                    }
                }
                if let Some(value) = object.rest {
                    go(value, path.then(REST), inside(REST));
                }
            }
            Node::List { item, .. } | Node::Map { value: item } => go(*item, path, source),
            Node::Union(union) => {
                let key = path.key(prefix);
                restores.entry(key).or_default().value = Some(source.clone());
                for variant in 0..union.variants.len() {
                    if let Some((node, [name, target])) = union.inside(variant) {
                        go(node, path.then(target), inside(name));
                    }
                }
            }
        }
    }
    restores
}

/// The holders of moved values and the values themselves, each with the way to the object that it is in.
fn around_moves(
    moves: &Moves,
    path: &AnnotationPath,
    source: &str,
) -> Vec<(AnnotationPath, String)> {
    let place = |holder, around, end| {
        let target = moves.path(holder, end, true);
        let source = moves
            .path(around, None, false)
            .iter()
            .fold(source.to_owned(), |way, field| format!("{way}{field}."));
        (target.iter().fold(path.clone(), |path, field| path.then(field)), source)
    };
    let holders = moves.holders.iter().enumerate();
    let holders = holders.map(|(at, holder)| place(Some(at), holder.parent, None));
    let values = moves.moves.iter().map(|Move { to, .. }| place(to.holder, to.holder, Some(to)));
    holders.chain(values).collect()
}

/// A way to a node.
struct Way {
    node: usize,
    path: AnnotationPath,
    /// The fields on the way in the source, with a dot behind each.
    source: String,
    /// The nodes around it.
    within: Vec<usize>,
}
