//! What happens in the values of the source, each described once.

use super::moves::Moves;
use super::names::Names;
use super::slot::Slot;
use super::variants::Union;
use crate::plan::Conversion;

/// The object itself.
pub(crate) const ROOT: usize = 0;
/// Its `metadata`.
pub(crate) const METADATA: usize = 1;
/// Its annotations, where the carrier is.
pub(crate) const ANNOTATIONS: usize = 2;
/// Its labels, of which one may say that it is incomplete.
pub(crate) const LABELS: usize = 3;

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

    /// Whether one of its steps is a converter.
    pub(crate) fn has_converters(&self) -> bool {
        let Self::Object(object) = self else { return false };
        object.steps.iter().any(|step| matches!(step, Step::Convert(_)))
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
    /// What any other name leads to.
    pub(crate) rest: Option<usize>,
}

/// What happens in an object.
#[derive(Debug)]
pub(crate) enum Step {
    /// The value gets another key.
    Rename { member: usize, to: &'static str },
    /// The variant gets another name, and perhaps the field that says it gets another key.
    Retag { member: usize, key: Option<&'static str>, to: &'static str },
    /// Only the target has the field.
    Add { to: Slot, fill: Option<String> },
    /// Only the source has the field.
    Remove { member: usize, field: Slot, fill: Option<String> },
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

impl Convert {
    /// The source's field by which its entry is named.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        self.inputs.first().map(|(_, slot)| slot.name)
    }

    /// The target's field by which its entry is named.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        self.outputs.first().map(|slot| slot.name)
    }
}

impl Step {
    /// The source's field by which its entry is named, if the step may write one.
    pub(crate) fn keeps(&self) -> Option<&'static str> {
        match self {
            Self::Remove { field, .. } => Some(field.name),
            Self::Convert(convert) => convert.keeps(),
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

    /// The target's field by which its entry is named, if the step may restore one.
    pub(crate) fn restores(&self) -> Option<&'static str> {
        match self {
            Self::Add { to, .. } | Self::Unset { slots: [_, to], restores: true, .. } => {
                Some(to.name)
            }
            Self::Convert(convert) => convert.restores(),
            Self::PutBack { name } => Some(name),
            Self::Rename { .. }
            | Self::Retag { .. }
            | Self::Remove { .. }
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
