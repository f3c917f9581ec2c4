//! From plans to nodes and steps.

use super::guides::Guides;
use super::moves::Moves;
use super::names::Role;
use super::node::{ANNOTATIONS, Convert, LABELS, ListKeys, METADATA, Node, Object, ROOT, Step};
use super::slot::{Slot, loses_unset};
use crate::complement::Shape;
use crate::plan::{Field, Nested, Rule, StructPlan, WriteFn};

/// Which way a hop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Upgrade,
    Downgrade,
}

/// Of what isn't a list.
const KEYLESS: ListKeys = ListKeys { source: &[], target: &[] };

/// Makes the nodes of one direction of a hop.
pub(crate) struct Builder {
    pub(super) upgrade: bool,
    pub(crate) nodes: Vec<Node>,
    pub(crate) guides: Guides,
    /// The fields in which enums say which variant they are.
    pub(crate) tags: Vec<&'static str>,
    /// The nodes of the struct and enum types met so far, by their plans.
    known: Vec<(*const (), usize)>,
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
        Self { upgrade, nodes, guides, tags: Vec::new(), known: Vec::new() }
    }

    /// The object itself.
    pub(crate) fn root(&mut self, plan: &'static StructPlan) {
        let Node::Object(root) = std::mem::replace(&mut self.nodes[ROOT], Node::Map { value: 0 })
        else {
            return;
        };
        self.nodes[ROOT] = Node::Object(self.object(ROOT, root, plan));
    }

    /// One value in a field of the object.
    pub(crate) fn value(&mut self, name: &'static str, plan: Nested) {
        let child = self.nested(plan, KEYLESS);
        if let Node::Object(root) = &mut self.nodes[ROOT] {
            root.names.add(name, name, Role::Child(child));
        }
    }

    pub(super) fn nested(&mut self, nested: Nested, keys: ListKeys) -> usize {
        let plan = match nested {
            Nested::Struct(plan) => Some(std::ptr::from_ref(plan).cast()),
            Nested::Enum(plan) => Some(std::ptr::from_ref(plan).cast()),
            Nested::List(_) | Nested::Map(_) => None,
        };
        let known = self.known.iter().find(|(known, _)| Some(*known) == plan);
        if let Some((_, node)) = known {
            return *node;
        }
        let node = self.nodes.len();
        // Holds the place: what is inside may be this again.
        self.nodes.push(Node::Object(Object::default()));
        self.known.extend(plan.map(|plan| (plan, node)));
        self.nodes[node] = match nested {
            Nested::Struct(plan) => Node::Object(self.object(node, Object::default(), plan)),
            Nested::List(item) => {
                let item = self.nested(item(), KEYLESS);
                self.guides.both(node, &Shape::Items(item));
                Node::List { item, keys }
            }
            Nested::Map(value) => {
                let value = self.nested(value(), KEYLESS);
                self.guides.both(node, &Shape::Values(value));
                Node::Map { value }
            }
            Nested::Enum(plan) => Node::Union(self.union(plan)),
        };
        node
    }

    fn object(&mut self, node: usize, mut object: Object, plan: &'static StructPlan) -> Object {
        let rules = plan.rules_in_json();
        let children = self.fields(&mut object, plan, &rules);
        self.guides.fields(node, &rules, &children);
        self.set_aside(&mut object, names(&rules));
        object
    }

    /// The rules of a struct's fields, in an object that may have others. Gives the nodes of the fields that have one, in
    /// the order of the rules for kept fields.
    pub(super) fn fields(
        &mut self,
        object: &mut Object,
        plan: &'static StructPlan,
        rules: &[Rule],
    ) -> Vec<Option<usize>> {
        let upgrade = self.upgrade;
        // First, since it tells the others what has come and gone.
        object.steps.extend(Moves::of(plan, upgrade).map(Step::Move));
        let mut children = Vec::new();
        for rule in rules {
            match rule {
                Rule::Kept { newer, nested, .. } if newer.is_rest() => {
                    if let Some(Nested::Map(value)) = nested.get() {
                        object.rest = Some(self.nested(value(), KEYLESS));
                    }
                }
                Rule::Kept { older, newer, nested } => {
                    let (source, target) = if upgrade { (older, newer) } else { (newer, older) };
                    let keys = ListKeys { source: source.list_keys, target: target.list_keys };
                    let child = nested.get().map(|nested| self.nested(nested, keys));
                    kept(object, source, target, child);
                    children.push(child);
                }
                Rule::Added { newer, fill } => one_sided(object, newer, *fill, upgrade),
                Rule::Removed { older, fill } => one_sided(object, older, *fill, !upgrade),
                // What it moves is removed and added.
                Rule::Moved { .. } => {}
                Rule::Converted { older, newer, upgrade: up, downgrade: down, .. } => {
                    let (inputs, outputs, forth, back) = if upgrade {
                        (older, newer, *up, *down)
                    } else {
                        (newer, older, *down, *up)
                    };
                    let mut input = |field: &Field| {
                        (object.names.add(field.wire, field.wire, Role::Input), Slot::new(field))
                    };
                    let inputs = inputs.iter().map(&mut input).collect();
                    let outputs = outputs.iter().map(Slot::new).collect();
                    object.steps.push(Step::Convert(Convert { inputs, outputs, forth, back }));
                }
            }
        }
        children
    }

    /// What the source has under names that only the target knows. They are those of the older and the newer version.
    pub(super) fn set_aside(
        &mut self,
        object: &mut Object,
        (older, newer): (Vec<&'static str>, Vec<&'static str>),
    ) {
        let (source, target) = if self.upgrade { (older, newer) } else { (newer, older) };
        for name in target.iter().filter(|name| !source.contains(name)) {
            let member = object.names.add(name, name, Role::Input);
            object.steps.push(Step::SetAside { member, name });
        }
        for name in source.iter().filter(|name| !target.contains(name)) {
            object.steps.push(Step::PutBack { name });
        }
        if object.rest.is_some() {
            // What has a name isn't in the map.
            for name in source {
                if object.names.find(name).is_none() {
                    object.names.add(name, name, Role::Input);
                }
            }
        }
    }
}

/// A field that both versions have, perhaps with a node of its own.
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

/// A field that only one version has.
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

/// The names in JSON that the older and the newer version know.
pub(super) fn names(rules: &[Rule]) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for rule in rules {
        match rule {
            Rule::Kept { newer, .. } if newer.is_rest() => {}
            Rule::Kept { older, newer, .. } => {
                olds.push(older.wire);
                news.push(newer.wire);
            }
            Rule::Added { newer, .. } => news.push(newer.wire),
            Rule::Removed { older, .. } => olds.push(older.wire),
            Rule::Moved { .. } => {}
            Rule::Converted { older, newer, .. } => {
                olds.extend(older.iter().map(|field| field.wire));
                news.extend(newer.iter().map(|field| field.wire));
            }
        }
    }
    (olds, news)
}
