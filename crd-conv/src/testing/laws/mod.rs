//! The laws: properties of every conversion between any two versions.

mod differences;
mod edits;
mod entries;
mod journey;
mod returns;
mod room;
mod status;
mod types;
mod variants;

use std::fmt;

pub(super) use variants::variant;

use super::{choices::Choices, stop::Stop, subject::Subject};

/// A law of conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Law {
    /// Converting an object to another version and back returns the same object.
    ExactReturn,
    /// The same holds with everything that the API server does to the object on the way.
    ExactReturnThroughServer,
    /// After an edit in another version, a round trip keeps every edit and changes nothing else.
    ///
    /// For this, the items of a list have distinct keys, even if only another version declares the keys.
    EditsWin,
    /// Converting by way of a third version gives the same object.
    PathIndependence,
    /// Reading an object at another version and writing it back unchanged doesn't change the stored
    /// object.
    IdempotentStore,
    /// Every object that a version's schema accepts converts, unless the author gives a reason why
    /// a converter may refuse it. Parts of objects, and nonsense, convert, or the message names the
    /// field. No converter panics.
    Total,
    /// The result has the types that the target's schema declares.
    ///
    /// For this, the items of a list have distinct keys, even if only another version declares the keys.
    Typed,
    /// Every entry is needed.
    Minimal,
    /// Changing a field changes only its own entry.
    OwnEntry,
    /// The same input gives the same output, byte for byte.
    Deterministic,
    /// A conversion doesn't change `metadata`, except for its own annotations.
    HandsOff,
    /// Whatever clients write into the annotations, except for tombstones, the conversion succeeds
    /// and restores only values of the right type.
    Untrusted,
    /// An entry that this release doesn't know is left unchanged, unless a version shows a new struct
    /// in place of the one that it belongs to.
    PreserveUnknown,
    /// Every dropped entry is counted.
    LossIsVisible,
    /// With the status subresource, writing an object never changes its status, writing its status
    /// never changes anything else, and a copy starts without a status.
    StatusApart,
    /// However full an object's annotations are, it can be read. If something is lacking, the
    /// result says so, and then can't be written into the storage version.
    Room,
}

impl Law {
    /// All laws.
    pub const ALL: [Self; 16] = [
        Self::ExactReturn,
        Self::ExactReturnThroughServer,
        Self::EditsWin,
        Self::PathIndependence,
        Self::IdempotentStore,
        Self::Total,
        Self::Typed,
        Self::Minimal,
        Self::OwnEntry,
        Self::Deterministic,
        Self::HandsOff,
        Self::Untrusted,
        Self::PreserveUnknown,
        Self::LossIsVisible,
        Self::StatusApart,
        Self::Room,
    ];

    /// Returns the law's name, in one word or a few.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExactReturn => "exact return",
            Self::ExactReturnThroughServer => "exact return through the server",
            Self::EditsWin => "edits win",
            Self::PathIndependence => "path independence",
            Self::IdempotentStore => "idempotent store",
            Self::Total => "total",
            Self::Typed => "typed",
            Self::Minimal => "minimal",
            Self::OwnEntry => "own entry",
            Self::Deterministic => "deterministic",
            Self::HandsOff => "hands off",
            Self::Untrusted => "untrusted",
            Self::PreserveUnknown => "preserve the unknown",
            Self::LossIsVisible => "loss is visible",
            Self::StatusApart => "status apart",
            Self::Room => "room",
        }
    }

    /// Returns what the law says, as a sentence.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::ExactReturn => {
                "Converting an object to another version and back returns the same object."
            }
            Self::ExactReturnThroughServer => {
                "Converting an object to another version and back returns the same object, also with everything that the API server does \
                 to it on the way."
            }
            Self::EditsWin => {
                "After an edit in another version, a round trip keeps every edit and changes nothing else."
            }
            Self::PathIndependence => "Converting by way of a third version gives the same object.",
            Self::IdempotentStore => {
                "Reading an object at another version and writing it back unchanged doesn't change the stored object."
            }
            Self::Total => {
                "Every object that a version's schema accepts converts, unless the author gives a reason why a converter may refuse it. \
                 Parts of objects, and nonsense, convert, or the message names the field. No converter panics."
            }
            Self::Typed => "The result has the types that the target's schema declares.",
            Self::Minimal => "Every entry is needed.",
            Self::OwnEntry => {
                "Changing a field changes only its own entry. Fields that move together count as one."
            }
            Self::Deterministic => "The same input gives the same output, byte for byte.",
            Self::HandsOff => {
                "A conversion doesn't change `metadata`, except for its own annotations."
            }
            Self::Untrusted => {
                "Whatever clients write into the annotations, except for tombstones, the conversion succeeds and restores only values of \
                 the right type."
            }
            Self::PreserveUnknown => {
                "An entry that this release doesn't know is left unchanged, unless a version shows a new struct in place of the one that it \
                 belongs to."
            }
            Self::LossIsVisible => "Every dropped entry is counted.",
            Self::StatusApart => {
                "With the status subresource, writing an object never changes its status, writing its status never changes anything \
                 else, and a copy starts without a status."
            }
            Self::Room => {
                "However full an object's annotations are, it can be read. If something is lacking, the result says so, and then can't \
                 be written into the storage version."
            }
        }
    }

    /// Returns the most common cause for breaking the law, and what to do.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::ExactReturn
            | Self::ExactReturnThroughServer
            | Self::EditsWin
            | Self::PathIndependence
            | Self::IdempotentStore => {
                "Look at the converter of that field, and at what the field's type reads and writes. A converter must return the same \
                 result for the same value, and a type must read what it writes. If neither is the cause, this is a bug in crd-conv: \
                 please report it with this message."
            }
            Self::Typed => {
                "The output of a converter, or of your own `Serialize`, must fit the schema. Fix it, or declare its output in the schema \
                 of the field's type."
            }
            Self::Deterministic => {
                "A converter must return the same result for the same value. Make sure that it doesn't depend on a clock, a counter or \
                 anything else."
            }
            Self::Total => {
                "One object that doesn't convert makes every list of the resource fail. Fix the converter; or let the schema refuse the \
                 value, with a pattern, an enum or bounds; or add `fallback(…)` to the converter, to say what the other version shows \
                 instead; or add `refuses(…)`, to say why nobody stores such a value. A panic is a bug in the converter. If this message \
                 names no converter, this is a bug in crd-conv: please report it."
            }
            Self::Minimal
            | Self::OwnEntry
            | Self::HandsOff
            | Self::Untrusted
            | Self::PreserveUnknown
            | Self::LossIsVisible
            | Self::StatusApart
            | Self::Room => {
                "No mapping should be able to break this law. This is a bug in crd-conv: please report it with this message."
            }
        }
    }

    /// Whether the law is only about neighboring versions, because it checks the entries of one hop.
    pub(super) const fn is_for_neighbours(self) -> bool {
        matches!(self, Self::Minimal | Self::OwnEntry | Self::Untrusted | Self::LossIsVisible)
    }

    /// Whether the law holds only if lists have distinct keys wherever one of the versions declares
    /// them. Otherwise, a version without the keys allows items that another version refuses, or
    /// that nobody can tell apart there.
    pub(super) const fn needs_keys(self) -> bool {
        matches!(self, Self::Typed | Self::EditsWin)
    }

    /// Tries one case.
    pub(super) fn check(
        self,
        subject: &Subject<'_>,
        choices: &mut Choices<'_>,
    ) -> Result<(), Stop> {
        let check = match self {
            Self::ExactReturn => returns::exact_return,
            Self::ExactReturnThroughServer => returns::exact_return_through_server,
            Self::EditsWin => edits::edits_win,
            Self::PathIndependence => returns::path_independence,
            Self::IdempotentStore => returns::idempotent_store,
            Self::Total => types::total,
            Self::Typed => types::typed,
            Self::Minimal => entries::minimal,
            Self::OwnEntry => edits::own_entry,
            Self::Deterministic => returns::deterministic,
            Self::HandsOff => returns::hands_off,
            Self::Untrusted => entries::untrusted,
            Self::PreserveUnknown => entries::preserve_unknown,
            Self::LossIsVisible => entries::loss_is_visible,
            Self::StatusApart => status::status_apart,
            Self::Room => room::room,
        };
        check(subject, choices)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
