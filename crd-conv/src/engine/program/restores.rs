//! The annotations that a hop reads, determined in advance. If what such an annotation belongs to
//! isn't found, it is gone.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::moves::Moves;
use super::names::Role;
use super::node::{Node, ROOT, Step};
use super::slot::REST;
use crate::complement::AnnotationPath;

/// How often a type may contain itself in the annotations that are known in advance. Values deeper
/// inside are restored all the same. But if what their annotation belongs to is gone, the
/// annotation counts as unknown.
const MAX_KNOWN_REPEATS: usize = 2;

/// How many values may be looked at. Types that all contain each other have more paths than there
/// is time for.
const MAX_KNOWN_WAYS: usize = 20_000;

/// The annotations that the hops to a version read: from the next older version, and from the next
/// newer one.
pub(crate) type Home = [Option<Arc<Restores>>; 2];

/// Annotations, each with the paths in the source of what its entries belong to.
pub(crate) type Restores = HashMap<String, Around>;

/// The paths of what entries of one name belong to. Each field on a path is followed by a dot. An
/// enum's value and the field that it is in have entries of the same name.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// The path of the object that the field is in.
    pub(crate) field: Option<String>,
    /// The path of the enum's value.
    pub(crate) value: Option<String>,
}

impl Around {
    /// Returns the path of the innermost of these.
    pub(crate) fn way(&self) -> &str {
        self.value.as_ref().or(self.field.as_ref()).map_or("", String::as_str)
    }

    /// Returns the path of the object that the field is in.
    pub(crate) fn way_of_field(&self) -> &str {
        self.field.as_ref().or(self.value.as_ref()).map_or("", String::as_str)
    }
}

/// Finds the annotations that steps may restore. Follows the shortest paths to the steps first.
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

/// Returns the holders of moved values, and the values themselves. Each comes with the path of the
/// object that it is in.
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
    let firsts = moves.groups.iter().filter_map(|group| group.to.first());
    let ends = moves.moves.iter().map(|a_move| &a_move.to).chain(firsts);
    holders.chain(ends.map(|to| place(to.holder, to.holder, Some(to)))).collect()
}

/// A path to a node.
struct Way {
    node: usize,
    path: AnnotationPath,
    /// The fields on the path in the source, each followed by a dot.
    source: String,
    /// The nodes around it.
    within: Vec<usize>,
}
