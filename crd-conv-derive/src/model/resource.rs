//! A resource: its names, its versions, and how one version's layout became the next one's.

use std::rc::Rc;

use syn::{Ident, Type};

use super::{Moves, ValidationRule};
use crate::name::Name;

/// A resource enum.
pub(crate) struct Resource {
    pub(crate) ident: Ident,
    pub(crate) group: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
    pub(crate) singular: Option<String>,
    pub(crate) list_kind: Option<String>,
    pub(crate) short_names: Vec<String>,
    pub(crate) categories: Vec<String>,
    pub(crate) namespaced: bool,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) annotations: Vec<(String, String)>,
    pub(crate) descriptions: Descriptions,
    /// Whether its types have schemas.
    pub(crate) schema: bool,
    /// Oldest first.
    pub(crate) versions: Vec<Version>,
}

/// How much of the doc comments goes into the schemas.
#[derive(Clone, Copy)]
pub(crate) enum Descriptions {
    Full,
    Summary,
    None,
}

/// One version of a resource.
#[expect(clippy::struct_excessive_bools, reason = "they are Kubernetes' own")]
pub(crate) struct Version {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) served: bool,
    pub(crate) storage: bool,
    pub(crate) deprecated: bool,
    pub(crate) deprecation_warning: Option<String>,
    pub(crate) printer_columns: Vec<PrinterColumn>,
    pub(crate) status: bool,
    pub(crate) scale: Option<Scale>,
    pub(crate) selectable_fields: Vec<String>,
    pub(crate) validations: Vec<ValidationRule>,
    pub(crate) layout: Layout,
    /// How an object came from the version before it, or `None` for the oldest one.
    pub(crate) hop: Option<Hop>,
}

/// How a version's types are laid out in the object.
pub(crate) enum Layout {
    Root(Box<Type>),
    Stanzas(Vec<Rc<Stanza>>),
}

/// One stanza of an object.
pub(crate) struct Stanza {
    pub(crate) name: Name,
    pub(crate) wire: String,
    /// The type without its `Option`.
    pub(crate) ty: Type,
    pub(crate) optional: bool,
    /// The type as it is written in the enum.
    pub(crate) written: Type,
    /// Whether the author declares that no removed field became part of the stanza.
    pub(crate) is_new: bool,
}

/// How one version's layout became the next one's.
pub(crate) enum Hop {
    Root { older: Box<Type>, newer: Box<Type> },
    Stanzas { older: String, newer: String, rules: Vec<StanzaRule>, moves: Moves },
}

/// The rule of a stanza.
pub(crate) enum StanzaRule {
    Kept { older: Rc<Stanza>, newer: Rc<Stanza> },
    Added(Rc<Stanza>),
    Removed(Rc<Stanza>),
}

impl StanzaRule {
    /// The older and the newer stanza.
    pub(crate) fn sides(&self) -> (Option<Rc<Stanza>>, Option<Rc<Stanza>>) {
        match self {
            Self::Kept { older, newer } => (Some(Rc::clone(older)), Some(Rc::clone(newer))),
            Self::Added(newer) => (None, Some(Rc::clone(newer))),
            Self::Removed(older) => (Some(Rc::clone(older)), None),
        }
    }
}

/// One column of `kubectl get`.
pub(crate) struct PrinterColumn {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) json_path: String,
    pub(crate) format: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) priority: Option<i32>,
}

/// The paths of the scale subresource.
pub(crate) struct Scale {
    pub(crate) spec_replicas: String,
    pub(crate) status_replicas: String,
    pub(crate) label_selector: Option<String>,
}
