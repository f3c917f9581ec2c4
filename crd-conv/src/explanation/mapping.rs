//! What a row says.

#[cfg(feature = "cli")]
use super::Row;

/// What a hop does with a field, a group of fields, or a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mapping {
    /// Both versions have it in the same place. Its type may have a mapping of its own, which has
    /// its own rows.
    Kept,
    /// Both versions have it, under different names.
    Renamed,
    /// The newer version has it in another place, with the same value.
    Moved,
    /// A struct that only one version has, and that exists if a moved field inside it does.
    Holder,
    /// Only the newer version has it.
    Added {
        /// The value that upgraded objects have if nothing is known about the field, as JSON.
        value: Option<String>,
    },
    /// Only the older version has it.
    Removed {
        /// The value that downgraded objects have if nothing is known about the field, as JSON.
        value: Option<String>,
    },
    /// A converter makes one side from the other. They may also be in different places.
    Converted {
        /// The converter, as the author named it.
        by: &'static str,
        /// What happens if the converter refuses the older version's values.
        upgrade: Refusal,
        /// What happens if the converter refuses the newer version's values.
        downgrade: Refusal,
    },
    /// Only the newer version has the variant.
    VariantAdded {
        /// The variant that older objects have instead.
        shown_as: &'static str,
    },
    /// Only the older version has the variant.
    VariantRemoved {
        /// The variant that newer objects have instead.
        shown_as: &'static str,
    },
}

/// What happens if a converter refuses a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The conversion fails. The author doesn't expect a refusal.
    Fails,
    /// The conversion fails, and the author says why the converter may refuse: `refuses("…")`.
    Expected(&'static str),
    /// The fields get these values, as JSON: `fallback(…)`. `None` is an absent field.
    Fallback(Vec<(&'static str, Option<String>)>),
}

#[cfg(feature = "cli")]
impl Mapping {
    /// Returns the word for the group of mappings, which readers tell apart at a glance.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Kept | Self::Holder => "kept",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
            Self::Added { .. } | Self::VariantAdded { .. } => "added",
            Self::Removed { .. } | Self::VariantRemoved { .. } => "removed",
            Self::Converted { .. } => "converted",
        }
    }
}

#[cfg(feature = "cli")]
impl Row {
    /// Returns the mapping, one line for each part.
    pub(crate) fn words(&self, [older, newer]: [&str; 2]) -> Vec<String> {
        let with_value = |value: &Option<String>| match value {
            Some(value) => format!("{}, value {value}", self.mapping.word()),
            None => self.mapping.word().to_owned(),
        };
        let mut text = match &self.mapping {
            Mapping::Kept | Mapping::Renamed | Mapping::Moved => self.mapping.word().to_owned(),
            Mapping::Holder => "there if a moved field is".to_owned(),
            Mapping::Added { value } | Mapping::Removed { value } => with_value(value),
            Mapping::VariantAdded { shown_as } | Mapping::VariantRemoved { shown_as } => {
                format!("{}, shown as {shown_as:?}", self.mapping.word())
            }
            Mapping::Converted { by, upgrade, downgrade } => {
                let mut texts = vec![format!("{} by {by}", self.mapping.word())];
                texts.extend(upgrade.words(newer));
                texts.extend(downgrade.words(older));
                return texts;
            }
        };
        if self.as_above.is_some() {
            text += ", mapped inside as above";
        }
        vec![text]
    }
}

#[cfg(feature = "cli")]
impl Refusal {
    fn words(&self, version: &str) -> Option<String> {
        match self {
            Self::Fails => None,
            Self::Expected(why) => Some(format!("may be refused on the way to {version}: {why}")),
            Self::Fallback(fields) => {
                let shown = fields.iter().map(|(name, value)| match value {
                    Some(value) => format!("{name} {value}"),
                    None => format!("no {name}"),
                });
                let shown: Vec<_> = shown.collect();
                Some(format!("if refused, {version} shows {}", shown.join(", ")))
            }
        }
    }
}
