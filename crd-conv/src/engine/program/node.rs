//! What happens in the values of the source. Each is described once.

use super::build::Direction;
use super::moves::Moves;
use super::names::Names;
use super::slot::Slot;
use super::variants::Union;
use crate::plan::{Conversion, Nested};

/// The object itself.
pub(crate) const ROOT: usize = 0;
/// Its `metadata`.
pub(crate) const METADATA: usize = 1;
/// Its annotations. The carrier uses some of them.
pub(crate) const ANNOTATIONS: usize = 2;
/// Its labels. One of them may say that it is incomplete.
pub(crate) const LABELS: usize = 3;

/// A value in the source's text in which something happens.
#[derive(Debug)]
pub(crate) enum Node {
    Object(Object),
    /// An array, with the node of its items.
    List {
        item: usize,
        keys: ListKeys,
    },
    /// An object with any keys, with the node of its values.
    Map {
        value: usize,
    },
    /// The value of an enum.
    Union(Union),
}

impl Node {
    /// Returns the moves in an object.
    pub(crate) fn moves(&self) -> Option<&Moves> {
        match self {
            Self::Object(object) => object.steps.iter().find_map(Step::moves),
            Self::List { .. } | Self::Map { .. } | Self::Union(_) => None,
        }
    }

    /// Whether one of its steps is a converter.
    pub(crate) fn has_converters(&self) -> bool {
        let Self::Object(object) = self else { return false };
        object.steps.iter().any(|step| match step {
            Step::Convert(_) => true,
            Step::Move(Moves { moves, groups, .. }) => {
                !groups.is_empty() || moves.iter().any(|a_move| a_move.change.is_some())
            }
            _ => false,
        })
    }
}

/// The fields that tell the items of a list apart, by version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListKeys {
    pub(crate) source: crate::plan::ListKeys,
    pub(crate) target: crate::plan::ListKeys,
}

/// An object with fields.
#[derive(Debug, Default)]
pub(crate) struct Object {
    pub(crate) names: Names,
    pub(crate) steps: Vec<Step>,
    /// The node of the values under all other names.
    pub(crate) rest: Option<usize>,
}

/// One of the things that happen in an object.
#[derive(Debug)]
pub(crate) enum Step {
    /// The value gets another key.
    Rename { member: usize, to: &'static str },
    /// The variant gets another name. The field that contains the name may get another key.
    Retag { member: usize, key: Option<&'static str>, to: &'static str },
    /// Only the target has the field.
    Add { to: Slot, fill: Option<String> },
    /// Only the source has the field.
    Remove { member: usize, field: Slot, fill: Option<String> },
    /// Both versions have the field, but one can't leave it out, or can't have it null. `keeps`:
    /// this is the target. `restores`: this is the source. Both: each of them lacks one of the two.
    Unset { member: usize, slots: [Slot; 2], keeps: bool, restores: bool },
    /// Values move to other places.
    Move(Moves),
    /// A converter makes the outputs from the inputs.
    Convert(Convert),
    /// The source has an unknown field with a name that only the target knows.
    SetAside { member: usize, name: &'static str },
    /// Restores what [`SetAside`](Step::SetAside) kept on the way here.
    PutBack { name: &'static str },
}

/// Fields that a converter replaces in place.
#[derive(Debug)]
pub(crate) struct Convert {
    /// The members with the inputs.
    pub(crate) members: Vec<usize>,
    pub(crate) group: Group,
}

impl Convert {
    /// Returns the inputs, each with its member.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (usize, &Slot)> {
        self.members.iter().copied().zip(&self.group.inputs)
    }
}

/// Values that are converted together, wherever they are.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) inputs: Vec<Slot>,
    pub(crate) outputs: Vec<Slot>,
    pub(crate) forth: Code,
    pub(crate) back: Code,
}

/// What makes one side of a group from the other.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    /// The author's code.
    Author(Conversion),
    /// The rules inside the value. The group has one value on each side.
    Rules(Nested, Direction),
}

impl Group {
    /// Returns the source's field that gives its entry the name.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        self.inputs.first().map(|slot| slot.name)
    }

    /// Returns the target's field that gives its entry the name.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        self.outputs.first().map(|slot| slot.name)
    }
}

impl Step {
    /// Returns the source's field that gives its entry the name, if the step may write an entry.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        match self {
            Self::Remove { field, .. } => Some(field.name),
            Self::Convert(convert) => convert.group.keeps(),
            Self::SetAside { name, .. } => Some(name),
            Self::Unset { slots: [from, _], keeps: true, .. } => Some(from.name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Add { .. }
            | Self::PutBack { .. }
            | Self::Unset { .. }
            | Self::Move(_) => None,
        }
    }

    /// Returns the target's field that gives its entry the name, if the step may restore an entry.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        match self {
            Self::Add { to, .. } | Self::Unset { slots: [_, to], restores: true, .. } => {
                Some(to.name)
            }
            Self::Convert(convert) => convert.group.restores(),
            Self::PutBack { name } => Some(name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Remove { .. }
            | Self::SetAside { .. }
            | Self::Unset { .. }
            | Self::Move(_) => None,
        }
    }

    /// Returns the moves of the step.
    pub(crate) fn moves(&self) -> Option<&Moves> {
        match self {
            Self::Move(moves) => Some(moves),
            _ => None,
        }
    }
}
