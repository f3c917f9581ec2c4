//! From plans to nodes and steps.

use std::collections::VecDeque;

use super::route::{
    ANNOTATIONS, Convert, Direction, ListKeys, METADATA, Moved, Moves, Node, Object, ROOT, Role,
    Route, Slot, Step, written,
};
use super::union::Becomes;
use crate::complement::AnnotationPath;
use crate::plan::{Field, Nested, Rule, StructPlan, WriteFn};

/// How often a type may stand inside itself in the annotations that are known beforehand. What is deeper inside
/// is restored all the same; only if what it belongs to is gone, its annotation is taken for an unknown one.
const MAX_KNOWN_REPEATS: usize = 2;

/// How many values may be looked at for that: types that all hold each other know more ways than there is time for.
const MAX_KNOWN_WAYS: usize = 20_000;

/// Makes the nodes of one direction of a hop.
pub(crate) struct Builder {
    pub(super) upgrade: bool,
    pub(crate) nodes: Vec<Node>,
    /// The fields in which enums say which variant they are.
    pub(crate) tags: Vec<&'static str>,
    /// The nodes of the struct and enum types met so far, by their plans.
    known: Vec<(*const (), usize)>,
}

impl Builder {
    pub(crate) fn new(direction: Direction) -> Self {
        let mut root = Object::default();
        root.add("apiVersion", "apiVersion", Role::ApiVersion);
        root.add("kind", "kind", Role::Kind);
        root.add("metadata", "metadata", Role::Child(METADATA));
        let mut metadata = Object::default();
        metadata.add("annotations", "annotations", Role::Child(ANNOTATIONS));
        let nodes =
            vec![Node::Object(root), Node::Object(metadata), Node::Object(Object::default())];
        let upgrade = direction == Direction::Upgrade;
        Self { upgrade, nodes, tags: Vec::new(), known: Vec::new() }
    }

    /// The object itself.
    pub(crate) fn root(&mut self, plan: &'static StructPlan) {
        let Node::Object(root) = std::mem::replace(&mut self.nodes[ROOT], Node::Map { value: 0 })
        else {
            return;
        };
        self.nodes[ROOT] = Node::Object(self.object(root, plan));
    }

    /// One value in a field of the object.
    pub(crate) fn value(&mut self, name: &'static str, plan: Nested) {
        let child = self.nested(plan, ListKeys { source: &[], target: &[] });
        if let Node::Object(root) = &mut self.nodes[ROOT] {
            root.add(name, name, Role::Child(child));
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
        let keyless = ListKeys { source: &[], target: &[] };
        self.nodes[node] = match nested {
            Nested::Struct(plan) => Node::Object(self.object(Object::default(), plan)),
            Nested::List(item) => Node::List { item: self.nested(item(), keyless), keys },
            Nested::Map(value) => Node::Map { value: self.nested(value(), keyless) },
            Nested::Enum(plan) => Node::Union(self.union(plan)),
        };
        node
    }

    fn object(&mut self, mut object: Object, plan: &'static StructPlan) -> Object {
        self.fields(&mut object, plan);
        let names = names(plan);
        self.set_aside(&mut object, names);
        object
    }

    /// The rules of a struct's fields, in an object that may have others.
    pub(super) fn fields(&mut self, object: &mut Object, plan: &'static StructPlan) {
        let upgrade = self.upgrade;
        for rule in plan.rules {
            match rule {
                Rule::Kept { older, newer, nested } => {
                    let (source, target) = if upgrade { (older, newer) } else { (newer, older) };
                    let keys = ListKeys { source: source.list_keys, target: target.list_keys };
                    let role = match nested() {
                        Some(nested) => Role::Child(self.nested(nested, keys)),
                        None if source.wire == target.wire => continue,
                        None => Role::Input,
                    };
                    let member = object.add(source.wire, target.wire, role);
                    if source.wire != target.wire {
                        object.steps.push(Step::Rename { member, to: target.wire });
                    }
                }
                Rule::Added { newer, fill } => one_sided(object, newer, *fill, upgrade),
                Rule::Removed { older, fill } => one_sided(object, older, *fill, !upgrade),
                Rule::Moved { holder, nested, moves, others } => {
                    let gathers = *nested == upgrade;
                    let moves = self::moves(object, holder, moves, others, gathers);
                    object.steps.push(if gathers {
                        Step::Gather(moves)
                    } else {
                        Step::Scatter(moves)
                    });
                }
                Rule::Converted { older, newer, upgrade: up, downgrade: down, .. } => {
                    let (inputs, outputs, forth, back) = if upgrade {
                        (older, newer, *up, *down)
                    } else {
                        (newer, older, *down, *up)
                    };
                    let inputs = inputs
                        .iter()
                        .map(|field| {
                            (object.add(field.wire, field.wire, Role::Input), Slot::new(field))
                        })
                        .collect();
                    let outputs = outputs.iter().map(Slot::new).collect();
                    object.steps.push(Step::Convert(Convert { inputs, outputs, forth, back }));
                }
            }
        }
    }

    /// What the source has under names that only the target knows. They are those of the older and the newer version.
    pub(super) fn set_aside(
        &mut self,
        object: &mut Object,
        (older, newer): (Vec<&'static str>, Vec<&'static str>),
    ) {
        let (source, target) = if self.upgrade { (older, newer) } else { (newer, older) };
        for name in target.iter().filter(|name| !source.contains(name)) {
            let member = object.add(name, name, Role::Input);
            object.steps.push(Step::SetAside { member, name });
        }
        for name in source.iter().filter(|name| !target.contains(name)) {
            object.steps.push(Step::PutBack { name });
        }
    }
}

/// A field that only one version has.
fn one_sided(object: &mut Object, field: &Field, fill: Option<WriteFn>, gained: bool) {
    let slot = Slot::new(field);
    let fill = fill.and_then(written);
    let step = if gained {
        Step::Gain { to: slot, fill }
    } else {
        let member = object.add(field.wire, field.wire, Role::Input);
        Step::Lose { member, field: slot, fill }
    };
    object.steps.push(step);
}

/// Fields of which one version has a struct of their own.
fn moves(
    object: &mut Object,
    holder: &Field,
    moves: &[(Field, Field)],
    others: &[Field],
    gathers: bool,
) -> Moves {
    let mut input = |field: &Field| object.add(field.wire, field.wire, Role::Input);
    let fill = |field: &Field| field.default.and_then(written).map(|text| (field.wire, text));
    Moves {
        member: (!gathers).then(|| input(holder)),
        holder: Slot::new(holder),
        fields: moves
            .iter()
            .map(|(outside, inside)| Moved {
                member: gathers.then(|| input(outside)),
                outside: Slot::new(outside),
                inside: inside.wire,
            })
            .collect(),
        fills: others.iter().filter_map(fill).collect(),
    }
}

/// The names in JSON that the older and the newer version know.
pub(super) fn names(plan: &StructPlan) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for rule in plan.rules {
        match rule {
            Rule::Kept { older, newer, .. } => {
                olds.push(older.wire);
                news.push(newer.wire);
            }
            Rule::Added { newer, .. } => news.push(newer.wire),
            Rule::Removed { older, .. } => olds.push(older.wire),
            Rule::Moved { holder, nested, moves, .. } => {
                let (outside, inside) =
                    if *nested { (&mut olds, &mut news) } else { (&mut news, &mut olds) };
                outside.extend(moves.iter().map(|(outside, _)| outside.wire));
                inside.push(holder.wire);
            }
            Rule::Converted { older, newer, .. } => {
                olds.extend(older.iter().map(|field| field.wire));
                news.extend(newer.iter().map(|field| field.wire));
            }
        }
    }
    (olds, news)
}

impl Route {
    /// Notes the annotations that steps may restore, for the ways to reach them, the shortest first.
    pub(crate) fn learn_restores(&mut self) {
        let start = Way { node: ROOT, path: AnnotationPath::new(self.to), within: Vec::new() };
        let mut ways = VecDeque::from([start]);
        let mut known = 0;
        while let Some(Way { node, path, within }) = ways.pop_front() {
            let repeats = within.iter().filter(|other| **other == node).count();
            if repeats == MAX_KNOWN_REPEATS {
                continue;
            }
            known += 1;
            if known > MAX_KNOWN_WAYS {
                break;
            }
            let within = [&within[..], &[node]].concat();
            let mut go = |node, path| {
                ways.push_back(Way { node, path, within: within.clone() });
            };
            match &self.nodes[node] {
                Node::Object(object) => {
                    for field in object.steps.iter().filter_map(Step::restores) {
                        self.restores.insert(path.then(field).key(self.group));
                    }
                    for member in &object.members {
                        if let Role::Child(child) = member.role {
                            go(child, path.then(member.target));
                        }
                    }
                }
                Node::List { item: inside, .. } | Node::Map { value: inside } => go(*inside, path),
                Node::Union(union) => {
                    self.restores.insert(path.key(self.group));
                    for variant in &union.variants {
                        if let Becomes::Kept { name, node: Some(node) } = variant.becomes {
                            go(node, path.then(name));
                        }
                    }
                }
            }
        }
    }
}

/// A way to a node.
struct Way {
    node: usize,
    path: AnnotationPath,
    /// The nodes around it.
    within: Vec<usize>,
}
