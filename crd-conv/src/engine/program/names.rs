//! The names that the scan looks for in an object.

/// Names of members. They are found by length first.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) members: Vec<Member>,
    /// Bit n is set if a member's name has n bytes. Bit 63 is for all names with at least 63 bytes.
    lengths: u64,
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
    /// In a joined route, a value for which each hop has to run by itself.
    Alone,
}

impl Names {
    /// Returns the index of the member with this name.
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
