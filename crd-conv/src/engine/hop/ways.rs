//! A tree of paths. With it, everything that belongs to something inside a value is found without
//! looking at anything else.

use std::collections::HashMap;
use std::rc::Rc;

use crate::engine::document::{Document, ROOT_PLACE};

/// Paths to values. Each has the numbers that are found there. Only the owner of the tree knows
/// what they mean.
#[derive(Debug)]
pub(super) struct Ways {
    nodes: Vec<Node>,
    /// The node of each place that was needed so far. `None` if nothing is found in the place.
    places: HashMap<usize, Option<usize>>,
}

/// The end of a path.
#[derive(Debug, Default)]
struct Node {
    around: usize,
    inside: HashMap<String, usize>,
    here: Vec<usize>,
    /// What is found here and at all longer paths, once it was needed.
    below: Option<Rc<[usize]>>,
}

/// The node of the object itself.
const ROOT: usize = 0;

/// Returns the fields on a path. The path's text may end with a dot.
fn fields(way: &str) -> impl Iterator<Item = &str> {
    way.split('.').filter(|field| !field.is_empty())
}

impl Ways {
    /// Builds a tree in which each path's number is found at the path's end.
    pub(super) fn new<'w>(ways: impl Iterator<Item = &'w str>) -> Self {
        let mut tree = Self { nodes: vec![Node::default()], places: HashMap::new() };
        for (number, way) in ways.enumerate() {
            let end = fields(way).fold(ROOT, |at, field| tree.enter(at, field));
            tree.nodes[end].here.push(number);
        }
        tree
    }

    fn enter(&mut self, at: usize, field: &str) -> usize {
        if let Some(known) = self.nodes[at].inside.get(field) {
            return *known;
        }
        let new = self.nodes.len();
        self.nodes[at].inside.insert(field.to_owned(), new);
        self.nodes.push(Node { around: at, ..Node::default() });
        new
    }

    /// Returns the node at the end of a path from another node, if something is found there or
    /// further on.
    pub(super) fn follow(&self, node: usize, way: &str) -> Option<usize> {
        fields(way).try_fold(node, |at, field| self.nodes[at].inside.get(field).copied())
    }

    /// Returns the node of a place in the source.
    pub(super) fn of_place(&mut self, document: &Document, place: usize) -> Option<usize> {
        let (mut at, mut way) = (place, Vec::new());
        let mut node = loop {
            if at == ROOT_PLACE {
                break Some(ROOT);
            }
            if let Some(known) = self.places.get(&at) {
                break *known;
            }
            way.push(at);
            at = document.places[at].parent;
        };
        for inner in way.into_iter().rev() {
            node = node.and_then(|node| self.follow(node, document.places[inner].source));
            self.places.insert(inner, node);
        }
        node
    }

    /// Returns what is found at a node and further on.
    pub(super) fn below(&mut self, node: usize) -> Rc<[usize]> {
        if let Some(known) = &self.nodes[node].below {
            return Rc::clone(known);
        }
        let (mut open, mut found) = (vec![node], Vec::new());
        while let Some(at) = open.pop() {
            found.extend(&self.nodes[at].here);
            open.extend(self.nodes[at].inside.values());
        }
        found.sort_unstable();
        Rc::clone(self.nodes[node].below.insert(found.into()))
    }

    /// Returns each number with the nodes on its path, from the inside out.
    pub(super) fn ways(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = usize>)> {
        let around = |node: &usize| (*node != ROOT).then(|| self.nodes[*node].around);
        let here = self
            .nodes
            .iter()
            .enumerate()
            .flat_map(|(at, node)| node.here.iter().map(move |number| (*number, at)));
        here.map(move |(number, at)| (number, std::iter::successors(Some(at), around)))
    }
}
