//! A tree of ways, by which whatever belongs to something inside a value is found without a look at everything else.

use std::collections::HashMap;
use std::rc::Rc;

use crate::engine::document::{Document, ROOT_PLACE};

/// Ways to values, each with what is found there: numbers that mean something to whoever keeps the tree.
#[derive(Debug)]
pub(super) struct Ways {
    nodes: Vec<Node>,
    /// The node of each place that was asked for, `None` if nothing is inside.
    places: HashMap<usize, Option<usize>>,
}

/// The end of a way.
#[derive(Debug, Default)]
struct Node {
    around: usize,
    inside: HashMap<String, usize>,
    here: Vec<usize>,
    /// What is found here and at all ways from here on, once somebody has asked.
    below: Option<Rc<[usize]>>,
}

/// The way to the object itself.
const ROOT: usize = 0;

/// The fields on a way, whose text may end with a dot.
fn fields(way: &str) -> impl Iterator<Item = &str> {
    way.split('.').filter(|field| !field.is_empty())
}

impl Ways {
    /// What is found at each way, by its number.
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

    /// The node that a way from another one leads to, if something is found there or from there on.
    pub(super) fn follow(&self, node: usize, way: &str) -> Option<usize> {
        fields(way).try_fold(node, |at, field| self.nodes[at].inside.get(field).copied())
    }

    /// The node of a place in the source.
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

    /// What is found at a node and from there on.
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

    /// Each number with the nodes on its way, from the inside out.
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
