//! Turns plans into nodes and steps.

use super::guides::Guides;
use super::moves::Moves;
use super::names::Role;
use super::node::{
    ANNOTATIONS, Code, Convert, Group, LABELS, ListKeys, METADATA, Node, Object, ROOT, Step,
};
use super::slot::{Slot, loses_unset};
use crate::complement::Shape;
use crate::plan::{Branch, Field, FieldRule, Fields, Kind, Rule, WriteFn};

/// The direction of a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Upgrade,
    Downgrade,
}

impl Direction {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Upgrade => Self::Downgrade,
            Self::Downgrade => Self::Upgrade,
        }
    }
}

/// Makes the nodes of one direction of a hop: those that every object has, and one for each branch
/// of the plan's tree.
pub(crate) struct Builder {
    pub(super) upgrade: bool,
    pub(crate) nodes: Vec<Node>,
    pub(crate) guides: Guides,
    /// The fields in which enums have their tags.
    pub(crate) tags: Vec<&'static str>,
}

/// The nodes that every object has.
const OWN_NODES: usize = 4;

/// A placeholder for a node that isn't made yet.
const NOTHING: Node = Node::Map { value: ROOT };

/// Returns the node of a branch.
pub(super) fn node_of(branch: Branch) -> usize {
    OWN_NODES + branch.place()
}

impl Builder {
    pub(crate) fn new(direction: Direction) -> Self {
        let mut root = Object::default();
        root.names.add("apiVersion", "apiVersion", Role::ApiVersion);
        root.names.add("kind", "kind", Role::Kind);
        root.names.add("metadata", "metadata", Role::Child(METADATA));
        let mut metadata = Object::default();
        metadata.names.add("annotations", "annotations", Role::Child(ANNOTATIONS));
        metadata.names.add("labels", "labels", Role::Child(LABELS));
        let strings = || Node::Object(Object::default());
        let nodes = vec![Node::Object(root), Node::Object(metadata), strings(), strings()];
        let upgrade = direction == Direction::Upgrade;
        let guides = Guides::new(upgrade);
        Self { upgrade, nodes, guides, tags: Vec::new() }
    }

    /// Adds what happens in the object itself.
    pub(crate) fn root(&mut self, plan: Branch) {
        self.branches(plan);
        if let Kind::Struct(fields) = plan.kind()
            && let Node::Object(root) = std::mem::replace(&mut self.nodes[ROOT], NOTHING)
        {
            self.nodes[ROOT] = Node::Object(self.object(ROOT, root, fields));
        }
    }

    /// Adds what happens in one value, in a field of the object.
    pub(crate) fn value(&mut self, name: &'static str, plan: Branch) {
        self.branches(plan);
        if let Node::Object(root) = &mut self.nodes[ROOT] {
            root.names.add(name, name, Role::Child(node_of(plan)));
        }
    }

    fn branches(&mut self, plan: Branch) {
        // Each node has its index from the start, since a type may contain itself.
        self.nodes.extend(plan.all().map(|_| NOTHING));
        for branch in plan.all() {
            let node = node_of(branch);
            self.nodes[node] = match branch.kind() {
                Kind::Struct(fields) => Node::Object(self.object(node, Object::default(), fields)),
                Kind::List(item, [older, newer]) => {
                    let item = node_of(item);
                    self.guides.both(node, &Shape::Items(item));
                    let [source, target] = self.in_order(older, newer);
                    Node::List { item, keys: ListKeys { source, target } }
                }
                Kind::Map(value) => {
                    let value = node_of(value);
                    self.guides.both(node, &Shape::Values(value));
                    Node::Map { value }
                }
                Kind::Enum(variants) => Node::Union(self.union(variants)),
            };
        }
    }

    /// Returns what belongs to the older and the newer version in the order of source and target.
    pub(super) fn in_order<T>(&self, older: T, newer: T) -> [T; 2] {
        if self.upgrade { [older, newer] } else { [newer, older] }
    }

    fn object(&mut self, node: usize, mut object: Object, fields: Fields) -> Object {
        self.fields(&mut object, fields);
        self.guides.fields(node, fields);
        self.set_aside(&mut object, names(fields));
        object
    }

    /// Adds the rules for a struct's fields to an object that may have other rules.
    pub(super) fn fields(&self, object: &mut Object, fields: Fields) {
        // Moves come first, since other rules have to know what moves.
        object.steps.extend(Moves::of(fields, self.upgrade).map(Step::Move));
        for FieldRule { rule, inside, .. } in fields.rules() {
            match rule {
                Rule::Kept { newer, .. } if newer.is_rest() => {
                    object.rest = inside.map(node_of);
                }
                Rule::Kept { older, newer, .. } => {
                    let [source, target] = self.in_order(older, newer);
                    kept(object, source, target, inside.map(node_of));
                }
                Rule::Added { newer, fill } => one_sided(object, newer, *fill, self.upgrade),
                Rule::Removed { older, fill } => one_sided(object, older, *fill, !self.upgrade),
                // The fields that contain it are removed and added.
                Rule::Moved { .. } => {}
                Rule::Converted { older, newer, by } => {
                    let [inputs, outputs] = self.in_order(older, newer);
                    let [forth, back] = self.in_order(by.upgrade, by.downgrade);
                    let mut input = |field: &Field| {
                        (object.names.add(field.wire, field.wire, Role::Input), Slot::new(field))
                    };
                    let (members, inputs) = inputs.iter().map(&mut input).unzip();
                    let outputs = outputs.iter().map(Slot::new).collect();
                    let [forth, back] = [forth, back].map(Code::Author);
                    let group = Group { inputs, outputs, forth, back };
                    object.steps.push(Step::Convert(Convert { members, group }));
                }
            }
        }
    }

    /// Keeps what the source has under names that only the target knows. On the way back, it is
    /// restored. The names are those of the older and the newer version.
    pub(super) fn set_aside(
        &self,
        object: &mut Object,
        (older, newer): (Vec<&'static str>, Vec<&'static str>),
    ) {
        let [source, target] = self.in_order(older, newer);
        for name in target.iter().filter(|name| !source.contains(name)) {
            let member = object.names.add(name, name, Role::Input);
            object.steps.push(Step::SetAside { member, name });
        }
        for name in source.iter().filter(|name| !target.contains(name)) {
            object.steps.push(Step::PutBack { name });
        }
        if object.rest.is_some() {
            // A field with a name isn't part of the map.
            for name in source {
                if object.names.find(name).is_none() {
                    object.names.add(name, name, Role::Input);
                }
            }
        }
    }
}

/// Adds a field that both versions have, perhaps with a node of its own.
fn kept(object: &mut Object, source: &Field, target: &Field, child: Option<usize>) {
    let (from, to) = (Slot::new(source), Slot::new(target));
    let (keeps, restores) = (loses_unset(&from, &to), loses_unset(&to, &from));
    let is_renamed = source.wire != target.wire;
    let role = match child {
        Some(child) => Role::Child(child),
        None if !is_renamed && !keeps && !restores => return,
        None => Role::Input,
    };
    let member = object.names.add(source.wire, target.wire, role);
    if is_renamed {
        object.steps.push(Step::Rename { member, to: target.wire });
    }
    if keeps || restores {
        object.steps.push(Step::Unset { member, slots: [from, to], keeps, restores });
    }
}

/// Adds a field that only one version has.
fn one_sided(object: &mut Object, field: &Field, fill: Option<WriteFn>, added: bool) {
    let slot = Slot::new(field);
    let fill = fill.and_then(|fill| slot.served.written(fill));
    let step = if added {
        Step::Add { to: slot, fill }
    } else {
        let member = object.names.add(field.wire, field.wire, Role::Input);
        Step::Remove { member, field: slot, fill }
    };
    object.steps.push(step);
}

/// Returns the names in JSON that the older and the newer version know.
pub(super) fn names(fields: Fields) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for FieldRule { rule, .. } in fields.rules() {
        let [older, newer] = rule.fields();
        let named = |field: &&Field| !field.is_rest();
        olds.extend(older.iter().filter(named).map(|field| field.wire));
        news.extend(newer.iter().filter(named).map(|field| field.wire));
    }
    (olds, news)
}
