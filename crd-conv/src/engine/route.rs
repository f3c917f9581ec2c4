//! A hop in one direction, resolved from the plans into what the walk and the steps want.

use std::collections::HashMap;
use std::sync::Arc;

use super::build::Builder;
use super::moves::Moves;
use super::resources::Resources;
use super::served::Served;
use super::union::Union;
use crate::complement::{Guide, annotation_prefix};
use crate::definition::VersionDefinition;
use crate::json::quote;
use crate::plan::{Conversion, Field, JsonType, Nested, StructPlan};

/// The object itself.
pub(crate) const ROOT: usize = 0;
/// Its `metadata`.
pub(crate) const METADATA: usize = 1;
/// Its annotations, where the carrier is.
pub(crate) const ANNOTATIONS: usize = 2;

/// What stands in a path for the names in a flattened map: no field is called so.
pub(crate) const REST: &str = "*";

/// A hop in one direction.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The value that `apiVersion` gets, in quotes.
    pub(crate) api_version: String,
    /// What the annotations of the carrier start with.
    pub(crate) prefix: String,
    /// The values in which something happens, each described once, also where types hold themselves.
    pub(crate) nodes: Vec<Node>,
    /// Whether values move in any of them.
    pub(crate) has_moves: bool,
    /// What the source and the target know of these values.
    pub(crate) guides: [Guide; 2],
    /// The fields in which the source's enums say which variant they are.
    pub(crate) tags: Vec<&'static str>,
    /// The annotations that this hop reads: where nothing is found that they belong to, it is gone.
    pub(crate) restores: Arc<Restores>,
    /// All versions of the resource, oldest first; none if there is no more than this hop.
    pub(crate) versions: &'static [VersionDefinition],
    /// The annotations for each of them that the hops to it read.
    pub(crate) homes: Arc<[Home]>,
}

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

/// A value in the source text, in which something happens.
#[derive(Debug)]
pub(crate) enum Node {
    Object(Object),
    /// An array with such items.
    List {
        item: usize,
        keys: ListKeys,
    },
    /// An object with such values under any keys.
    Map {
        value: usize,
    },
    /// One of an enum's variants.
    Union(Union),
}

impl Node {
    /// The values that go to other places in an object.
    pub(crate) fn moves(&self) -> Option<&Moves> {
        match self {
            Self::Object(object) => object.steps.iter().find_map(Step::moves),
            Self::List { .. } | Self::Map { .. } | Self::Union(_) => None,
        }
    }
}

/// The fields that tell the items of a list apart, by version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListKeys {
    pub(crate) source: &'static [&'static str],
    pub(crate) target: &'static [&'static str],
}

/// An object with fields.
#[derive(Debug, Default)]
pub(crate) struct Object {
    pub(crate) members: Vec<Member>,
    /// Bit n is set if a member's name has n bytes (63: or more).
    lengths: u64,
    pub(crate) steps: Vec<Step>,
    /// What any other name leads to.
    pub(crate) rest: Option<usize>,
}

/// A name that the walk looks for.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: &'static str,
    /// Its name in the target version.
    pub(crate) target: &'static str,
    pub(crate) role: Role,
}

/// What the walk does with a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    ApiVersion,
    Kind,
    /// A value to walk through.
    Child(usize),
    /// A value that a step uses.
    Input,
}

/// What happens in an object.
#[derive(Debug)]
pub(crate) enum Step {
    /// The value gets another key.
    Rename { member: usize, to: &'static str },
    /// The variant gets another name, and perhaps the field that says it gets another key.
    Retag { member: usize, key: Option<&'static str>, to: &'static str },
    /// Only the target has the field.
    Gain { to: Slot, fill: Option<String> },
    /// Only the source has the field.
    Lose { member: usize, field: Slot, fill: Option<String> },
    /// Both have the field, but one of them can't leave it out, or can't say null: the target, the source, or each another
    /// of the two.
    Unset { member: usize, slots: [Slot; 2], keeps: bool, restores: bool },
    /// Values go to other places.
    Move(Moves),
    /// A converter makes the outputs from the inputs.
    Convert(Convert),
    /// The source holds, as an unknown field, a name of the target.
    SetAside { member: usize, name: &'static str },
    /// What [`SetAside`](Step::SetAside) kept on the way here.
    PutBack { name: &'static str },
}

/// A converted group of fields.
#[derive(Debug)]
pub(crate) struct Convert {
    pub(crate) inputs: Vec<(usize, Slot)>,
    pub(crate) outputs: Vec<Slot>,
    pub(crate) forth: Conversion,
    pub(crate) back: Conversion,
}

/// A field as a step needs to know it.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: &'static str,
    pub(crate) optional: bool,
    pub(crate) nullable: bool,
    pub(crate) kind: JsonType,
    pub(crate) resources: Option<Resources>,
    /// The canonical form of what the API server fills in.
    pub(crate) default: Option<String>,
    /// What the API server makes of its values.
    pub(crate) served: Served,
}

impl Step {
    /// The source's field by which its entry is named, if the step may write one.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        match self {
            Self::Lose { field, .. } => Some(field.name),
            Self::Convert(convert) => convert.inputs.first().map(|(_, slot)| slot.name),
            Self::SetAside { name, .. } => Some(name),
            Self::Unset { slots: [from, _], keeps: true, .. } => Some(from.name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Gain { .. }
            | Self::PutBack { .. }
            | Self::Unset { .. }
            | Self::Move(_) => None,
        }
    }

    /// The target's field by which its entry is named, if the step may restore one.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        match self {
            Self::Gain { to, .. } | Self::Unset { slots: [_, to], restores: true, .. } => {
                Some(to.name)
            }
            Self::Convert(convert) => convert.outputs.first().map(|slot| slot.name),
            Self::PutBack { name } => Some(name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Lose { .. }
            | Self::SetAside { .. }
            | Self::Unset { .. }
            | Self::Move(_) => None,
        }
    }

    /// The values that go to other places.
    pub(crate) fn moves(&self) -> Option<&Moves> {
        match self {
            Self::Move(moves) => Some(moves),
            _ => None,
        }
    }
}

impl Slot {
    pub(crate) fn new(field: &Field) -> Self {
        let served = Served::new(field);
        Self {
            name: field.wire,
            optional: field.optional,
            nullable: field.nullable,
            kind: (field.kind)(),
            resources: Resources::of(field),
            default: field.default.and_then(|default| served.written(default)),
            served,
        }
    }
}

impl Object {
    /// The member with this name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        if self.lengths >> name.len().min(63) & 1 == 0 {
            return None;
        }
        self.members.iter().position(|member| member.name == name)
    }

    pub(crate) fn add(&mut self, name: &'static str, target: &'static str, role: Role) -> usize {
        self.lengths |= 1 << name.len().min(63);
        self.members.push(Member { name, target, role });
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
    pub(crate) fn new(ends: Ends, plan: Option<&'static StructPlan>, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        if let Some(plan) = plan {
            builder.root(plan);
        }
        Self::resolve(ends, direction, builder)
    }

    /// Resolves one direction of a hop of a value, which stands in the object's field `value`.
    pub(crate) fn of_value(ends: Ends, plan: Nested, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        builder.value("value", plan);
        Self::resolve(ends, direction, builder)
    }

    /// Learns of all versions of the resource.
    pub(crate) fn meet(&mut self, versions: &'static [VersionDefinition], homes: &Arc<[Home]>) {
        self.versions = versions;
        self.homes = Arc::clone(homes);
    }

    fn resolve(ends: Ends, direction: Direction, builder: Builder) -> Self {
        let Ends { group, older, newer } = ends;
        let (from, to) = match direction {
            Direction::Upgrade => (older, newer),
            Direction::Downgrade => (newer, older),
        };
        let mut api_version = String::new();
        quote(&format!("{group}/{to}"), &mut api_version);
        let mut route = Self {
            from,
            to,
            api_version,
            prefix: annotation_prefix(group),
            has_moves: builder.nodes.iter().any(|node| node.moves().is_some()),
            nodes: builder.nodes,
            guides: builder.guides.finish(),
            tags: builder.tags,
            restores: Arc::default(),
            versions: &[],
            homes: Arc::default(),
        };
        route.learn_restores();
        route
    }
}
