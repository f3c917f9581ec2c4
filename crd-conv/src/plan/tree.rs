//! The rules of a hop as a tree. All code that reads a plan reads it here.
//!
//! The derive writes a plan, and names what is inside a field by a function. A [`Tree`] calls each
//! of these functions once, and has one node for each type, even if the type contains itself. Its
//! rules are those for JSON: a flattened struct has no node of its own there, and the rules of its
//! fields are among those of the struct around it.
//!
//! A [`Branch`] is a node with everything inside it. Walks match on [`Branch::kind`]:
//!
//! - A walk that needs each type once iterates over [`Branch::reachable`].
//! - A walk that needs each place calls itself for the branches inside, and ends at types that
//!   contain themselves with [`Open`](super::Open).

use std::collections::HashMap;
use std::sync::OnceLock;

use super::flat::in_json;
use super::once::OncePerPlan;
use super::{EnumPlan, Field, Nested, Part, Rule, StructPlan, VariantRule};

/// The rules inside a value, resolved.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

/// The rules inside the values of one type, with the places of other nodes in the tree.
#[derive(Debug)]
enum Node {
    Struct {
        #[cfg(feature = "cli")]
        plan: &'static StructPlan,
        #[cfg(feature = "cli")]
        declared: Vec<Entry>,
        in_json: Vec<Entry>,
    },
    Enum {
        plan: &'static EnumPlan,
        inside: Vec<Option<usize>>,
    },
    /// A list. The keys are the fields that tell the items apart in the older and in the newer
    /// version.
    List {
        item: usize,
        keys: [ListKeys; 2],
    },
    Map(usize),
}

/// The fields that tell the items of a list apart, by their names in JSON. Empty if none do.
pub(crate) type ListKeys = &'static [&'static str];

/// A rule, and the node of what is inside its field.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    pub(super) inside: Option<usize>,
    /// See [`FieldRule::remembers`].
    answer: OnceLock<bool>,
}

/// A node of a tree, with everything inside it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    tree: &'static Tree,
    node: usize,
}

/// What a branch has rules for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An object with fields.
    Struct(Fields),
    /// An enum value.
    Enum(Variants),
    /// A list, with its items and the fields that tell them apart in the older and in the newer
    /// version.
    List(Branch, [ListKeys; 2]),
    /// An object with any keys, with its values.
    Map(Branch),
}

/// The rules for the fields of a struct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// The plan as the derive wrote it.
    #[cfg(feature = "cli")]
    pub(crate) plan: &'static StructPlan,
    tree: &'static Tree,
    #[cfg(feature = "cli")]
    declared: &'static [Entry],
    in_json: &'static [Entry],
}

/// The rules for the variants of an enum.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variants {
    /// The plan as the derive wrote it.
    pub(crate) plan: &'static EnumPlan,
    tree: &'static Tree,
    inside: &'static [Option<usize>],
}

/// A rule, with what is inside its field if that has rules of its own. For a flattened map, that is
/// what is inside its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRule {
    pub(crate) rule: &'static Rule,
    pub(crate) inside: Option<Branch>,
    answer: &'static OnceLock<bool>,
}

/// The path to a moved value in one version.
#[derive(Debug)]
pub(crate) struct Way {
    /// The fields that both versions have: the older one, the newer one, and the rules inside.
    pub(crate) shared: Vec<(Field, Field, Fields)>,
    /// The struct in which the rest of the path starts.
    pub(crate) within: Fields,
    /// The rest of the path, to the value. It isn't empty.
    pub(crate) own: &'static [Part],
}

impl Tree {
    /// Returns the tree of a value's plan. It is built when it is first needed.
    pub(crate) fn of(plan: Nested) -> Branch {
        static TREES: OncePerPlan<Tree> = OncePerPlan::new();
        let tree = TREES.get(plan, || {
            let mut builder = Builder::default();
            builder.add(plan);
            Tree { nodes: builder.nodes }
        });
        Branch { tree, node: 0 }
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    /// The nodes of the structs and enums so far.
    known: HashMap<usize, usize>,
}

impl Builder {
    /// Adds the node of a plan, and the nodes of what is inside. Returns the plan's place.
    fn add(&mut self, plan: Nested) -> usize {
        let address = match plan {
            Nested::Struct(plan) => Some(std::ptr::from_ref(plan).addr()),
            Nested::Enum(plan) => Some(std::ptr::from_ref(plan).addr()),
            Nested::List(_) | Nested::Map(_) => None,
        };
        if let Some(known) = address.and_then(|address| self.known.get(&address)) {
            return *known;
        }
        let place = self.nodes.len();
        // Reserves the place: the type may contain itself.
        self.nodes.push(Node::Map(place));
        self.known.extend(address.map(|address| (address, place)));
        self.nodes[place] = match plan {
            Nested::Struct(plan) => self.structure(plan),
            Nested::Enum(plan) => {
                let inside = plan.rules.iter().map(|rule| match rule {
                    VariantRule::Kept { nested, .. } => Some(self.add(nested.get()?)),
                    VariantRule::Added { .. } | VariantRule::Removed { .. } => None,
                });
                Node::Enum { plan, inside: inside.collect() }
            }
            Nested::List(item) => Node::List { item: self.add(item()), keys: [&[]; 2] },
            Nested::Map(value) => Node::Map(self.add(value())),
        };
        place
    }

    fn structure(&mut self, plan: &'static StructPlan) -> Node {
        let declared = plan.rules.iter().map(|rule| {
            let inside = rule.nested().map(|inside| self.add(inside));
            if let Some([older, newer]) = rule.kept()
                && let Some(Node::List { keys, .. }) = inside.map(|inside| &mut self.nodes[inside])
            {
                // Each list has a node of its own.
                *keys = [older.list_keys, newer.list_keys];
            }
            Entry::new(rule, inside)
        });
        let declared: Vec<_> = declared.collect();
        let in_json = in_json(&declared, |node| match &self.nodes[node] {
            Node::Struct { in_json, .. } => Some(in_json),
            Node::Enum { .. } | Node::List { .. } | Node::Map(_) => None,
        });
        Node::Struct {
            #[cfg(feature = "cli")]
            plan,
            #[cfg(feature = "cli")]
            declared,
            in_json,
        }
    }
}

impl Entry {
    pub(super) fn new(rule: &'static Rule, inside: Option<usize>) -> Self {
        Self { rule, inside, answer: OnceLock::new() }
    }
}

impl Branch {
    /// Returns what the branch has rules for.
    pub(crate) fn kind(self) -> Kind {
        let Self { tree, node } = self;
        match &tree.nodes[node] {
            #[cfg(feature = "cli")]
            Node::Struct { plan, declared, in_json } => {
                Kind::Struct(Fields { plan, tree, declared, in_json })
            }
            #[cfg(not(feature = "cli"))]
            Node::Struct { in_json } => Kind::Struct(Fields { tree, in_json }),
            Node::Enum { plan, inside } => Kind::Enum(Variants { plan, tree, inside }),
            Node::List { item, keys } => Kind::List(Self { tree, node: *item }, *keys),
            Node::Map(value) => Kind::Map(Self { tree, node: *value }),
        }
    }

    /// Returns the rules for the fields if it is a struct.
    pub(crate) fn fields(self) -> Option<Fields> {
        match self.kind() {
            Kind::Struct(fields) => Some(fields),
            Kind::Enum(_) | Kind::List(..) | Kind::Map(_) => None,
        }
    }

    /// Returns what is inside lists and maps.
    #[cfg(feature = "schema")]
    pub(crate) fn innermost(self) -> Self {
        match self.kind() {
            Kind::List(inner, _) | Kind::Map(inner) => inner.innermost(),
            Kind::Struct(_) | Kind::Enum(_) => self,
        }
    }

    /// Returns its place in the tree. The root's is 0.
    pub(crate) fn place(self) -> usize {
        self.node
    }

    /// Returns all branches of the tree, in the order of their places.
    pub(crate) fn all(self) -> impl Iterator<Item = Self> {
        (0..self.tree.nodes.len()).map(move |node| Self { tree: self.tree, node })
    }

    /// Returns this branch and those inside it, each once.
    pub(crate) fn reachable(self) -> Vec<Self> {
        let mut known = vec![false; self.tree.nodes.len()];
        known[self.node] = true;
        let mut found = vec![self];
        let mut next = 0;
        while let Some(branch) = found.get(next) {
            for inside in branch.inside() {
                if !std::mem::replace(&mut known[inside.node], true) {
                    found.push(inside);
                }
            }
            next += 1;
        }
        found
    }

    fn inside(self) -> Vec<Self> {
        match self.kind() {
            Kind::Struct(fields) => fields.rules().filter_map(|rule| rule.inside).collect(),
            Kind::Enum(variants) => variants.rules().filter_map(|(_, inside)| inside).collect(),
            Kind::List(inner, _) | Kind::Map(inner) => vec![inner],
        }
    }

    /// Whether everything inside keeps its place and its name, and `is_same` holds for each field
    /// in both versions.
    pub(crate) fn keeps_all(self, is_same: impl Fn(FieldRule, &Field, &Field) -> bool) -> bool {
        self.reachable().into_iter().all(|branch| match branch.kind() {
            Kind::Struct(fields) => fields.rules().all(|rule| match rule.rule.kept() {
                Some([older, newer]) => {
                    (older.wire, older.is_rest()) == (newer.wire, newer.is_rest())
                        && is_same(rule, older, newer)
                }
                None => false,
            }),
            Kind::Enum(Variants { plan, .. }) => {
                let is_kept = |rule: &VariantRule| match rule {
                    VariantRule::Kept { older, newer, .. } => older.wire == newer.wire,
                    VariantRule::Added { .. } | VariantRule::Removed { .. } => false,
                };
                plan.older_tagging == plan.newer_tagging && plan.rules.iter().all(is_kept)
            }
            Kind::List(..) | Kind::Map(_) => true,
        })
    }
}

impl Fields {
    /// Returns the rules for what is in JSON: instead of the rules of flattened structs, it has
    /// those of their fields.
    pub(crate) fn rules(self) -> impl Iterator<Item = FieldRule> {
        self.all(self.in_json)
    }

    /// Returns the rules as the author's struct has them, including those of flattened structs.
    #[cfg(feature = "cli")]
    pub(crate) fn declared(self) -> impl Iterator<Item = FieldRule> {
        self.all(self.declared)
    }

    fn all(self, entries: &'static [Entry]) -> impl Iterator<Item = FieldRule> {
        let branch = move |node: &usize| Branch { tree: self.tree, node: *node };
        entries.iter().map(move |Entry { rule, inside, answer }| FieldRule {
            rule,
            inside: inside.as_ref().map(branch),
            answer,
        })
    }

    /// Splits the path to a moved value into the part that both versions have and the rest. `newer`
    /// says which version's path it is.
    pub(crate) fn way(self, parts: &'static [Part], newer: bool) -> Way {
        let mut way = Way { shared: Vec::new(), within: self, own: parts };
        while let [first, rest @ ..] = way.own
            && !rest.is_empty()
            && let Some(shared) = way.within.both_have(&first.field, newer)
        {
            (way.within, way.own) = (shared.2, rest);
            way.shared.push(shared);
        }
        way
    }

    /// Returns a field of one version that the other one has, too, with the rules inside it.
    fn both_have(self, field: &Field, newer_side: bool) -> Option<(Field, Field, Fields)> {
        self.rules().find_map(|FieldRule { rule, inside, .. }| {
            let [older, newer] = rule.kept()?;
            let own = if newer_side { newer } else { older };
            let fields = inside?.fields()?;
            (own.wire == field.wire).then_some((*older, *newer, fields))
        })
    }
}

impl FieldRule {
    /// Returns what `find` returns about the rule. `find` is called once per process, so it must
    /// always return the same: whether the API server treats the field in the same way in both
    /// versions.
    pub(crate) fn remembers(self, find: impl FnOnce() -> bool) -> bool {
        *self.answer.get_or_init(find)
    }
}

impl Variants {
    /// Returns the rules, each with what is inside the variant if that has rules of its own.
    pub(crate) fn rules(self) -> impl Iterator<Item = (&'static VariantRule, Option<Branch>)> {
        let branch = move |node: &usize| Branch { tree: self.tree, node: *node };
        let inside = self.inside.iter().map(move |node| node.as_ref().map(branch));
        self.plan.rules.iter().zip(inside)
    }
}
