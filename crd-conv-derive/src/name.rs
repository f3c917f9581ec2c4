//! Names: how messages show Rust's names, and which names Kubernetes accepts.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Ident, ext::IdentExt};

/// A field's name with its tokens.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) ident: Ident,
    /// The name without `r#`.
    pub(crate) text: String,
}

impl Name {
    pub(crate) fn new(ident: Ident) -> Self {
        let text = ident.unraw().to_string();
        Self { ident, text }
    }

    /// The identifier of the field, with the `r#` that attributes may leave out. `None` if no field
    /// can have this name.
    pub(crate) fn as_field(&self) -> Option<Ident> {
        match &*self.text {
            "self" | "Self" | "super" | "crate" | "_" => None,
            text if syn::parse_str::<Ident>(text).is_ok() => Some(self.ident.clone()),
            text => Some(Ident::new_raw(text, self.ident.span())),
        }
    }
}

/// A path to a field, as names separated by dots.
pub(crate) fn dotted(way: &[Name]) -> String {
    way.iter().map(|name| &*name.text).collect::<Vec<_>>().join(".")
}

/// A type or a path as its author wrote it, without spaces and without `super::`, `crate::` and
/// `self::`.
pub(crate) fn shown(tokens: &impl ToTokens) -> String {
    // rustc breaks long expressions into several lines.
    let spaced = tokens.to_token_stream().to_string().replace('\n', " ");
    let mut out = String::new();
    let mut chars = spaced.chars().peekable();
    while let Some(ch) = chars.next() {
        let joins = |ch: char| ch.is_alphanumeric() || ch == '_';
        if ch != ' ' {
            out.push(ch);
        } else if out.ends_with([',', ';'])
            || (out.ends_with(joins) && chars.peek().copied().is_some_and(joins))
        {
            out.push(' ');
        }
    }
    for prefix in ["super::", "crate::", "self::"] {
        out = out.replace(prefix, "");
    }
    // Drops the leading `::` of a path that starts at a crate.
    out.strip_prefix("::").map(str::to_owned).unwrap_or(out)
}

/// The spans of the first and the last token.
pub(crate) fn ends(tokens: &impl ToTokens) -> (Span, Span) {
    let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}

/// The nearest candidate, if one is near enough.
pub(crate) fn nearest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(far, candidate)| *far <= name.len().max(candidate.len()) / 3)
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// The candidate that shares the longest beginning or end with the name, if that is most of the
/// shorter of the two.
pub(crate) fn akin<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let count =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let begin = count(&mut name.chars().zip(candidate.chars()));
            let end = count(&mut name.chars().rev().zip(candidate.chars().rev()));
            let common = begin.max(end);
            let shorter = name.len().min(candidate.len());
            (common >= 3 && common * 3 >= shorter * 2).then_some((common, candidate))
        })
        .max_by_key(|(common, _)| *common)
        .map(|(_, candidate)| candidate)
}

/// The end of a sentence, "; did you mean `x`?", or an empty string.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> String {
    nearest(name, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Names separated by commas.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The edit distance: the number of letters that differ, are missing or are extra, plus the number
/// of swapped pairs.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let changed = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Checks a DNS-1035 label. The error says what is wrong with it.
pub(crate) fn dns_1035(label: &str) -> Result<(), &'static str> {
    if label.is_empty() {
        Err("it is empty")
    } else if label.len() > 63 {
        Err("it has more than 63 characters")
    } else if !label.starts_with(|ch: char| ch.is_ascii_lowercase()) {
        Err("it must start with a lowercase letter")
    } else if !label.chars().all(lower) {
        Err("it can contain only lowercase letters, digits and `-`")
    } else if label.ends_with('-') {
        Err("it must end with a letter or a digit")
    } else {
        Ok(())
    }
}

/// Checks the name of an API group. The error says what is wrong with it.
pub(crate) fn group(group: &str) -> Result<(), &'static str> {
    for label in group.split('.') {
        if label.is_empty() {
            return Err("it contains an empty part");
        }
        if !label.chars().all(lower) {
            return Err("it can contain only lowercase letters, digits, `-` and `.`");
        }
        if label.starts_with('-') || label.ends_with('-') {
            return Err("each part must start and end with a letter or a digit");
        }
        if label.len() > 63 {
            return Err("a part has more than 63 characters");
        }
    }
    if !group.contains('.') {
        return Err("it needs a dot, such as `example.com`");
    }
    // Kept values are stored in annotations whose keys start with `conversion.<group>`.
    if "conversion.".len() + group.len() > 253 {
        return Err("it has more than 242 characters");
    }
    Ok(())
}

fn lower(ch: char) -> bool {
    ch.is_ascii_lowercase() || ch.is_ascii_digit() || ch == '-'
}

/// The order of versions: by major number, then alpha, beta, stable, then by the last number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Age {
    major: u64,
    stage: u8,
    number: u64,
}

impl Age {
    /// `None` if the name isn't one that Kubernetes orders. It orders names such as `v1beta2`.
    pub(crate) fn of(version: &str) -> Option<Self> {
        let rest = version.strip_prefix('v')?;
        let (major, rest) = digits(rest)?;
        if rest.is_empty() {
            return Some(Self { major, stage: 2, number: 0 });
        }
        let (stage, rest) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
            (Some(rest), _) => (0, rest),
            (_, Some(rest)) => (1, rest),
            _ => return None,
        };
        let (number, rest) = digits(rest)?;
        rest.is_empty().then_some(Self { major, stage, number })
    }
}

/// A number without leading zeros, and the rest of the text after it.
fn digits(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|ch: char| !ch.is_ascii_digit()).unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    if number.starts_with('0') {
        return None;
    }
    Some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_shown_as_they_are_written() {
        let shown = |text: &str| {
            let ty: syn::Type = syn::parse_str(text).expect("invalid test case: a type");
            super::shown(&ty)
        };
        assert_eq!(shown("super::v1beta1::CronTabSpec"), "v1beta1::CronTabSpec");
        assert_eq!(shown("Option<crate::v1::Inner>"), "Option<v1::Inner>");
        assert_eq!(
            shown("::std::collections::BTreeMap<String, (u8, u8)>"),
            "std::collections::BTreeMap<String, (u8, u8)>"
        );
        assert_eq!(shown("&'static str"), "&'static str");
        assert_eq!(shown("Box<dyn Send + 'static>"), "Box<dyn Send+'static>");
    }

    #[test]
    fn ages() {
        let order = ["v1alpha1", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2", "v10"];
        let ages: Vec<_> = order.iter().map(|name| Age::of(name)).collect();
        assert!(ages.iter().all(Option::is_some));
        assert!(ages.is_sorted());
        for odd in ["v0", "1", "v1gamma1", "v1beta", "v01", "foo", "v1beta0", "v1beta1x"] {
            assert_eq!(Age::of(odd), None, "{odd}");
        }
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("renamed_form", ["added", "renamed_from"]), Some("renamed_from"));
        assert_eq!(nearest("xyz", ["added", "renamed_from"]), None);
        assert_eq!(nearest("form", ["from", "removed"]), Some("from"));
        assert_eq!(nearest("naem", ["name"]), Some("name"));
        assert_eq!(nearest("nmea", ["name"]), None);
    }

    #[test]
    fn akin_names() {
        let known = ["renamed_from", "added", "int_or_string", "preserve_unknown_fields", "map"];
        assert_eq!(akin("rename", known), Some("renamed_from"));
        assert_eq!(akin("add", known), Some("added"));
        assert_eq!(akin("mapped", known), Some("map"));
        assert_eq!(akin("x_kubernetes_int_or_string", known), Some("int_or_string"));
        assert_eq!(akin("unknown_fields", known), Some("preserve_unknown_fields"));
        assert_eq!(akin("previous", known), None);
        assert_eq!(akin("ad", known), None);
    }
}
