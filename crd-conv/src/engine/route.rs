//! A hop in one direction, resolved from the plans into what the walk and the steps want.

use std::collections::HashSet;

use super::build::Builder;
use super::union::Union;
use crate::__private::JsonType;
use crate::complement::annotation_prefix;
use crate::json::{Fidelity, canonical, quote};
use crate::plan::{ConvertFn, Field, Nested, StructPlan, WriteFn};

/// The object itself.
pub(crate) const ROOT: usize = 0;
/// Its `metadata`.
pub(crate) const METADATA: usize = 1;
/// Its annotations, where the carrier is.
pub(crate) const ANNOTATIONS: usize = 2;

/// A hop in one direction.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) group: &'static str,
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The value that `apiVersion` gets, in quotes.
    pub(crate) api_version: String,
    /// What the annotations of the carrier start with.
    pub(crate) prefix: String,
    /// The values in which something happens, each described once, also where types hold themselves.
    pub(crate) nodes: Vec<Node>,
    /// The fields in which the source's enums say which variant they are.
    pub(crate) tags: Vec<&'static str>,
    /// The annotations that this hop reads: where nothing is found that they belong to, it is gone.
    pub(crate) restores: HashSet<String>,
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
    /// Fields go into a struct of their own.
    Gather(Moves),
    /// Fields come out of the struct that the source has them in.
    Scatter(Moves),
    /// A converter makes the outputs from the inputs.
    Convert(Convert),
    /// The source holds, as an unknown field, a name of the target.
    SetAside { member: usize, name: &'static str },
    /// What [`SetAside`](Step::SetAside) kept on the way here.
    PutBack { name: &'static str },
}

/// Fields that stand beside each other in one version and in a struct of their own in the other.
#[derive(Debug)]
pub(crate) struct Moves {
    pub(crate) holder: Slot,
    /// The struct in the source, if it is there.
    pub(crate) member: Option<usize>,
    pub(crate) fields: Vec<Moved>,
    /// What the API server fills into the struct's other fields.
    pub(crate) fills: Vec<(&'static str, String)>,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Moved {
    pub(crate) outside: Slot,
    /// The field outside in the source, if it is there.
    pub(crate) member: Option<usize>,
    /// Its name in the struct.
    pub(crate) inside: &'static str,
}

/// A converted group of fields.
#[derive(Debug)]
pub(crate) struct Convert {
    pub(crate) inputs: Vec<(usize, Slot)>,
    pub(crate) outputs: Vec<Slot>,
    pub(crate) forth: ConvertFn,
    pub(crate) back: ConvertFn,
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

impl Step {
    /// The source's field by which its entry is named, if the step may write one.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        match self {
            Self::Lose { field, .. } => Some(field.name),
            Self::Scatter(moves) => Some(moves.holder.name),
            Self::Convert(convert) => convert.inputs.first().map(|(_, slot)| slot.name),
            Self::SetAside { name, .. } => Some(name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Gain { .. }
            | Self::PutBack { .. }
            | Self::Gather(_) => None,
        }
    }

    /// The target's field by which its entry is named, if the step may restore one.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        match self {
            Self::Gain { to, .. } => Some(to.name),
            Self::Gather(moves) => Some(moves.holder.name),
            Self::Convert(convert) => convert.outputs.first().map(|slot| slot.name),
            Self::PutBack { name } => Some(name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Lose { .. }
            | Self::SetAside { .. }
            | Self::Scatter(_) => None,
        }
    }
}

impl Slot {
    pub(crate) fn new(field: &Field) -> Self {
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
pub(crate) fn written(write: WriteFn) -> Option<String> {
    let (mut text, mut out) = (String::new(), String::new());
    let there = write(&mut text).unwrap_or(false);
    (there && canonical(&text, Fidelity::AsServed, &mut out).is_some()).then_some(out)
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

    fn resolve(ends: Ends, direction: Direction, builder: Builder) -> Self {
        let Ends { group, older, newer } = ends;
        let (from, to) = match direction {
            Direction::Upgrade => (older, newer),
            Direction::Downgrade => (newer, older),
        };
        let mut api_version = String::new();
        quote(&format!("{group}/{to}"), &mut api_version);
        let mut route = Self {
            group,
            from,
            to,
            api_version,
            prefix: annotation_prefix(group),
            nodes: builder.nodes,
            tags: builder.tags,
            restores: HashSet::new(),
        };
        route.learn_restores();
        route
    }
}
