//! Serde's rules for the names of fields.

/// A rule of `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Unchanged,
    Upper,
    Pascal,
    Camel,
    Kebab,
    ScreamingKebab,
}

impl Case {
    /// The rule of this name; `None` if serde has no such rule.
    pub(crate) fn named(rule: &str) -> Option<Self> {
        Some(match rule {
            // Serde takes a field's name for snake case already and doesn't touch it.
            "lowercase" | "snake_case" => Self::Unchanged,
            "UPPERCASE" | "SCREAMING_SNAKE_CASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// The name in JSON of a field with this Rust name.
    pub(crate) fn apply(self, field: &str) -> String {
        match self {
            Self::Unchanged => field.to_owned(),
            Self::Upper => field.to_ascii_uppercase(),
            Self::Pascal => pascal(field),
            Self::Camel => {
                let pascal = pascal(field);
                let mut chars = pascal.chars();
                chars
                    .next()
                    .map(|first| first.to_ascii_lowercase())
                    .into_iter()
                    .chain(chars)
                    .collect()
            }
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(field: &str) -> String {
    let mut out = String::new();
    let mut capitalize = true;
    for ch in field.chars() {
        if ch == '_' {
            capitalize = true;
        } else if capitalize {
            out.push(ch.to_ascii_uppercase());
            capitalize = false;
        } else {
            out.push(ch);
        }
    }
    out
}
