//! The kinds of JSON value that a type accepts.

/// A set of kinds of JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonType(u8);

impl JsonType {
    /// No value.
    pub const NONE: Self = Self(0);
    /// `null`.
    pub const NULL: Self = Self(1);
    /// `true` and `false`.
    pub const BOOLEAN: Self = Self(2);
    /// A number without a fraction.
    pub const INTEGER: Self = Self(4);
    /// Any number.
    pub const NUMBER: Self = Self(4 | 8);
    /// A string.
    pub const STRING: Self = Self(16);
    /// An array.
    pub const ARRAY: Self = Self(32);
    /// An object.
    pub const OBJECT: Self = Self(64);
    /// Any value.
    pub const ANY: Self = Self(127);

    /// Returns the kind of a JSON text.
    pub(crate) fn of(text: &str) -> Self {
        match text.as_bytes().first() {
            Some(b'n') => Self::NULL,
            Some(b't' | b'f') => Self::BOOLEAN,
            Some(b'"') => Self::STRING,
            Some(b'[') => Self::ARRAY,
            Some(b'{') => Self::OBJECT,
            _ if equals_integer(text) => Self::INTEGER,
            _ => Self::NUMBER,
        }
    }

    /// Returns the kinds that are in at least one of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether a kind is in both sets.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns a kind that is in both sets, in words.
    pub(crate) const fn shared(self, other: Self) -> &'static str {
        match self.0 & other.0 {
            kinds if kinds & Self::NULL.0 != 0 => "null",
            kinds if kinds & Self::BOOLEAN.0 != 0 => "`true` or `false`",
            kinds if kinds & Self::NUMBER.0 != 0 => "a number",
            kinds if kinds & Self::STRING.0 != 0 => "a string",
            kinds if kinds & Self::ARRAY.0 != 0 => "an array",
            _ => "an object",
        }
    }

    /// Returns whether every kind of `other` is in this set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Whether a number has no fraction, however it is written.
fn equals_integer(text: &str) -> bool {
    text.parse::<i128>().is_ok()
        || text.parse::<f64>().is_ok_and(|float| float.is_finite() && float.fract() == 0.0)
}
