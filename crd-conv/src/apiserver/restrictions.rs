//! What restricts a value, depending on what it is to the server.

use super::{
    formats,
    node::{Node, Restrictions},
};

/// What a value is to the server, which makes two schemas for its validators of one in a CustomResourceDefinition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An object, or a part of one.
    Object,
    /// A default. An int-or-string may be anything here, and formats that are no use are looked at.
    Default,
}

/// What restricts a value, as the server's validators get it.
pub(super) struct Rules<'s, S> {
    pub(super) own: Restrictions<'s, S>,
    /// An int-or-string is of two.
    pub(super) types: &'s str,
    pub(super) format: &'s str,
}

impl<'s, S: Node> Rules<'s, S> {
    pub(super) fn of(schema: &'s S, role: Role) -> Self {
        let own = schema.restrictions();
        match role {
            Role::Default => Self { types: own.ty, format: own.format, own },
            Role::Object => {
                let types = if own.int_or_string { "integer,string" } else { own.ty };
                let ty = if own.int_or_string { "" } else { own.ty };
                let format = if formats::is_known(ty, own.format) { own.format } else { "" };
                Self { own, types, format }
            }
        }
    }

    pub(super) fn has_type(&self) -> bool {
        !self.types.is_empty() || !self.format.is_empty()
    }

    pub(super) fn allows(&self, ty: &str) -> bool {
        self.types.split(',').any(|own| own == ty)
    }
}
