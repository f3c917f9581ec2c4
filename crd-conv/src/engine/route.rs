//! A hop in one direction, resolved from the plans into what the walk and the steps want.

use std::collections::HashMap;

use crate::__private::JsonType;
use crate::complement::{annotation_key, annotation_prefix};
use crate::json::{Fidelity, canonical, quote};
use crate::plan::{ConvertFn, Field, Rule, StructPlan, WriteFn};

/// The object itself.
pub(crate) const ROOT: usize = 0;
/// Its `metadata`.
pub(crate) const METADATA: usize = 1;
/// Its annotations, where the carrier is.
pub(crate) const ANNOTATIONS: usize = 2;

/// A review has an object and an array of objects within its own braces.
const REVIEW_DEPTH: usize = 3;
/// An entry has its values within an object and its own braces.
const ENTRY_DEPTH: usize = 2;

/// A hop in one direction.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The value that `apiVersion` gets, in quotes.
    pub(crate) api_version: String,
    /// What the annotations of the carrier start with.
    pub(crate) prefix: String,
    /// The objects in which something happens.
    pub(crate) nodes: Vec<Node>,
    /// The annotations that this hop reads.
    pub(crate) carriers: HashMap<String, Carrier>,
}

/// An object in the source text, in which something happens.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) members: Vec<Member>,
    /// Bit n is set if a member's name has n bytes (63: or more).
    lengths: u64,
    /// How to reach it in the source version.
    pub(crate) path: Vec<&'static str>,
    /// The place of the first step among those of the route.
    pub(crate) first_step: usize,
    pub(crate) steps: Vec<Step>,
}

/// A name that the walk looks for.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    pub(crate) role: Role,
}

/// What the walk does with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ApiVersion,
    Kind,
    /// An object to walk through.
    Child(usize),
    /// A value that a step uses.
    Input,
}

/// What happens in a node.
#[derive(Debug)]
pub(crate) enum Step {
    /// The value gets another key.
    Rename { member: usize, to: &'static str },
    /// Only the target has the field.
    Gain { to: Slot, fill: Option<String> },
    /// Only the source has the field.
    Lose { member: usize, field: Slot, fill: Option<String>, keep: String },
    /// A converter makes the outputs from the inputs.
    Convert(Convert),
    /// The source holds, as an unknown field, a name of the target.
    SetAside { member: usize, name: &'static str, keep: String },
    /// What [`SetAside`](Step::SetAside) kept on the way here.
    PutBack { name: &'static str },
}

/// A converted group of fields.
#[derive(Debug)]
pub(crate) struct Convert {
    pub(crate) inputs: Vec<(usize, Slot)>,
    pub(crate) outputs: Vec<Slot>,
    pub(crate) forth: ConvertFn,
    pub(crate) back: ConvertFn,
    pub(crate) keep: String,
}

/// A field as a step needs to know it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: &'static str,
    pub(crate) optional: bool,
    pub(crate) nullable: bool,
    pub(crate) kind: JsonType,
    /// The canonical form of what the API server fills in.
    pub(crate) default: Option<String>,
}

/// Whose entry an annotation holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Carrier {
    /// The entry of a step, to be restored.
    Restores {
        step: usize,
        /// How many arrays and objects are around the entry and, once restored, around what it keeps.
        depth: usize,
    },
    /// The home is the source: it has no effect.
    AtHome,
}

/// One rule as the annotations know it: its home, and its key.
pub(crate) type HomeKey = (&'static str, String);

impl Slot {
    fn new(field: &Field) -> Self {
        Self {
            name: field.wire,
            optional: field.optional,
            nullable: field.nullable,
            kind: (field.kind)(),
            default: field.default.and_then(written),
        }
    }
}

/// What a function of the derive writes, in canonical form.
fn written(write: WriteFn) -> Option<String> {
    let (mut text, mut out) = (String::new(), String::new());
    let there = write(&mut text).unwrap_or(false);
    (there && canonical(&text, Fidelity::AsServed, &mut out).is_some()).then_some(out)
}

impl Node {
    /// The member with this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        if self.lengths >> name.len().min(63) & 1 == 0 {
            return None;
        }
        self.members.iter().position(|member| member.name == name)
    }

    fn add(&mut self, name: &'static str, role: Role) -> usize {
        self.lengths |= 1 << name.len().min(63);
        self.members.push(Member { name, role });
        self.members.len() - 1
    }
}

/// Which way a hop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Upgrade,
    Downgrade,
}

/// The two ends of a hop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) group: &'static str,
    pub(crate) older: &'static str,
    pub(crate) newer: &'static str,
}

impl Route {
    /// Resolves one direction of a hop; without a plan the versions are the same.
    pub(crate) fn new(ends: Ends, plan: Option<&StructPlan>, direction: Direction) -> Self {
        let (from, to) = match direction {
            Direction::Upgrade => (ends.older, ends.newer),
            Direction::Downgrade => (ends.newer, ends.older),
        };
        let mut api_version = String::new();
        quote(&format!("{}/{to}", ends.group), &mut api_version);
        let mut builder = Builder {
            ends,
            direction,
            nodes: vec![Node::default(), Node::default(), Node::default()],
            carriers: HashMap::new(),
            steps: 0,
        };
        builder.nodes[ROOT].add("apiVersion", Role::ApiVersion);
        builder.nodes[ROOT].add("kind", Role::Kind);
        builder.nodes[ROOT].add("metadata", Role::Child(METADATA));
        builder.nodes[METADATA].add("annotations", Role::Child(ANNOTATIONS));
        if let Some(plan) = plan {
            builder.node(ROOT, plan, &mut Vec::new(), &mut Vec::new());
        }
        Self {
            from,
            to,
            api_version,
            prefix: annotation_prefix(ends.group),
            nodes: builder.nodes,
            carriers: builder.carriers,
        }
    }

    /// The annotations that this hop writes for its source version.
    pub(crate) fn homes(&self) -> impl Iterator<Item = HomeKey> {
        self.nodes.iter().flat_map(|node| &node.steps).filter_map(|step| match step {
            Step::Lose { keep, .. } | Step::SetAside { keep, .. } => {
                Some((self.from, keep.clone()))
            }
            Step::Convert(convert) => Some((self.from, convert.keep.clone())),
            Step::Rename { .. } | Step::Gain { .. } | Step::PutBack { .. } => None,
        })
    }

    /// Names the annotations that have no effect on this hop.
    pub(crate) fn learn_homes(&mut self, homes: &[HomeKey]) {
        for (home, key) in homes {
            if *home == self.from {
                self.carriers.insert(key.clone(), Carrier::AtHome);
            }
        }
    }
}

struct Builder {
    ends: Ends,
    direction: Direction,
    nodes: Vec<Node>,
    carriers: HashMap<String, Carrier>,
    steps: usize,
}

type Path = Vec<&'static str>;

impl Builder {
    fn node(&mut self, node: usize, plan: &StructPlan, older: &mut Path, newer: &mut Path) {
        let upgrade = self.direction == Direction::Upgrade;
        self.nodes[node].path.clone_from(if upgrade { older } else { newer });
        let mut children = Vec::new();
        let mut steps = Vec::new();
        for rule in plan.rules {
            match rule {
                Rule::Kept { older: old, newer: new, nested } => {
                    let (from, to) =
                        if upgrade { (old.wire, new.wire) } else { (new.wire, old.wire) };
                    let nested = nested();
                    if nested.is_none() && from == to {
                        continue;
                    }
                    let role = match nested {
                        Some(plan) => {
                            let child = self.nodes.len();
                            self.nodes.push(Node::default());
                            children.push((child, plan, old.wire, new.wire));
                            Role::Child(child)
                        }
                        None => Role::Input,
                    };
                    let member = self.nodes[node].add(from, role);
                    if from != to {
                        steps.push((Step::Rename { member, to }, None));
                    }
                }
                Rule::Added { newer: field, fill } => {
                    let key =
                        annotation_key(self.ends.group, self.ends.newer, &join(newer, field.wire));
                    steps.push(self.one_sided(node, field, *fill, upgrade, key));
                }
                Rule::Removed { older: field, fill } => {
                    let key =
                        annotation_key(self.ends.group, self.ends.older, &join(older, field.wire));
                    steps.push(self.one_sided(node, field, *fill, !upgrade, key));
                }
                Rule::Converted {
                    older: olds, newer: news, upgrade: up, downgrade: down, ..
                } => {
                    let old_key = annotation_key(
                        self.ends.group,
                        self.ends.older,
                        &join(older, olds[0].wire),
                    );
                    let new_key = annotation_key(
                        self.ends.group,
                        self.ends.newer,
                        &join(newer, news[0].wire),
                    );
                    let (inputs, outputs, forth, back, keep, restores) = if upgrade {
                        (olds, news, *up, *down, old_key, new_key)
                    } else {
                        (news, olds, *down, *up, new_key, old_key)
                    };
                    let inputs = inputs
                        .iter()
                        .map(|field| {
                            (self.nodes[node].add(field.wire, Role::Input), Slot::new(field))
                        })
                        .collect();
                    let outputs = outputs.iter().map(Slot::new).collect();
                    let convert = Convert { inputs, outputs, forth, back, keep };
                    steps.push((Step::Convert(convert), Some(restores)));
                }
            }
        }
        let names = [older_names(plan), newer_names(plan)];
        for (home, path, names, others) in [
            (self.ends.older, &*older, &names[0], &names[1]),
            (self.ends.newer, &*newer, &names[1], &names[0]),
        ] {
            for &name in others.iter().filter(|name| !names.contains(name)) {
                let keep = annotation_key(self.ends.group, home, &join(path, name));
                steps.push(if (home == self.ends.older) == upgrade {
                    let member = self.nodes[node].add(name, Role::Input);
                    (Step::SetAside { member, name, keep }, None)
                } else {
                    (Step::PutBack { name }, Some(keep))
                });
            }
        }
        self.nodes[node].first_step = self.steps;
        for (step, restores) in steps {
            if let Some(key) = restores {
                let depth = REVIEW_DEPTH + self.nodes[node].path.len() + 1 - ENTRY_DEPTH;
                self.carriers.insert(key, Carrier::Restores { step: self.steps, depth });
            }
            self.nodes[node].steps.push(step);
            self.steps += 1;
        }
        for (child, plan, old, new) in children {
            older.push(old);
            newer.push(new);
            self.node(child, plan, older, newer);
            older.pop();
            newer.pop();
        }
    }

    /// A field that only one version has, and the annotation that restores it here.
    fn one_sided(
        &mut self,
        node: usize,
        field: &Field,
        fill: Option<WriteFn>,
        gained: bool,
        key: String,
    ) -> (Step, Option<String>) {
        let slot = Slot::new(field);
        let fill = fill.and_then(written);
        if gained {
            (Step::Gain { to: slot, fill }, Some(key))
        } else {
            let member = self.nodes[node].add(field.wire, Role::Input);
            (Step::Lose { member, field: slot, fill, keep: key }, None)
        }
    }
}

fn join(path: &[&'static str], name: &'static str) -> Path {
    path.iter().copied().chain([name]).collect()
}

fn older_names(plan: &StructPlan) -> Path {
    let mut names = Path::new();
    for rule in plan.rules {
        match rule {
            Rule::Kept { older, .. } | Rule::Removed { older, .. } => names.push(older.wire),
            Rule::Converted { older, .. } => names.extend(older.iter().map(|field| field.wire)),
            Rule::Added { .. } => {}
        }
    }
    names
}

fn newer_names(plan: &StructPlan) -> Path {
    let mut names = Path::new();
    for rule in plan.rules {
        match rule {
            Rule::Kept { newer, .. } | Rule::Added { newer, .. } => names.push(newer.wire),
            Rule::Converted { newer, .. } => names.extend(newer.iter().map(|field| field.wire)),
            Rule::Removed { .. } => {}
        }
    }
    names
}
