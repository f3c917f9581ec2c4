//! What restricts a value, depending on what it is to the server.

use super::{formats, schema::Schema};

/// What a value is to the server, which makes two schemas for its validators of one in a CustomResourceDefinition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An object, or a part of one.
    Object,
    /// A default. An int-or-string may be anything here, and formats that are no use are looked at.
    Default,
}

/// What restricts a value, as the server's validators get it.
pub(super) struct Rules<'s> {
    pub(super) own: &'s Schema,
    /// An int-or-string is of two.
    pub(super) types: &'s str,
    pub(super) format: &'s str,
}

impl<'s> Rules<'s> {
    pub(super) fn of(own: &'s Schema, role: Role) -> Self {
        let (ty, format) = (own.type_name(), own.format.as_deref().unwrap_or_default());
        match role {
            Role::Default => Self { own, types: ty, format },
            Role::Object => {
                let either = own.extensions.int_or_string;
                let [types, ty] = if either { ["integer,string", ""] } else { [ty, ty] };
                let format = if formats::is_known(ty, format) { format } else { "" };
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
