//! Names of fields, variants, types and modules.

use std::collections::BTreeSet;

/// Keywords that may be names with `r#`.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Keywords that can't be names even with `r#`.
const PATHS: [&str; 4] = ["self", "super", "crate", "Self"];

/// Names in the prelude or imported in every module.
const TYPES: [&str; 30] = [
    "AsMut",
    "AsRef",
    "BTreeMap",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Drop",
    "Eq",
    "Err",
    "From",
    "Into",
    "IntOrString",
    "Iterator",
    "JsonSchema",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "Result",
    "Self",
    "Serialize",
    "Some",
    "String",
    "Value",
    "Vec",
    "Versioned",
];

/// Crates, and modules that the import writes.
const MODULES: [&str; 11] = [
    "alloc",
    "common",
    "core",
    "crd_conv",
    "main",
    "mod",
    "schemars",
    "serde",
    "serde_json",
    "shared",
    "std",
];

/// The words of a name in any case, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().collect();
    for (place, &each) in chars.iter().enumerate() {
        let before = place.checked_sub(1).map_or('_', |place| chars[place]);
        let after = chars.get(place + 1).copied().unwrap_or('_');
        // `IPs` is one word.
        let is_plural = after == 's' && !chars.get(place + 2).is_some_and(char::is_ascii_lowercase);
        let starts = each.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && after.is_ascii_lowercase() && !is_plural);
        if !each.is_ascii_alphanumeric() || starts {
            words.push(String::new());
        }
        if each.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(each.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A field's name, which may be a keyword.
fn snake(name: &str) -> String {
    let name = words(name).join("_");
    match name.chars().next() {
        None => "field".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("f_{name}"),
        Some(_) => name,
    }
}

/// A type's or a variant's name, which may be `Self`.
pub(super) fn pascal(name: &str) -> String {
    let name: String = words(name).iter().map(|word| capital(word)).collect();
    match name.chars().next() {
        None => "Value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{name}"),
        Some(_) => name,
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// The JSON name that serde's `camelCase` makes of a field's name.
pub(super) fn camel(field: &str) -> String {
    let pascal: String = field.split('_').map(capital).collect();
    let mut chars = pascal.chars();
    chars.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

/// A rule of serde's `rename_all` for the names of variants.
type VariantRule = (&'static str, fn(&str) -> String);

/// The JSON names that serde's rules make of a variant's name.
pub(super) const VARIANT_RULES: [VariantRule; 6] = [
    ("lowercase", |name| name.to_ascii_lowercase()),
    ("UPPERCASE", |name| name.to_ascii_uppercase()),
    ("camelCase", camel),
    ("kebab-case", |name| separated(name, '-')),
    ("snake_case", |name| separated(name, '_')),
    ("SCREAMING_SNAKE_CASE", |name| separated(name, '_').to_ascii_uppercase()),
];

fn separated(variant: &str, separator: char) -> String {
    let mut out = String::new();
    for (place, each) in variant.char_indices() {
        if place > 0 && each.is_ascii_uppercase() {
            out.push(separator);
        }
        out.push(each.to_ascii_lowercase());
    }
    out
}

/// The name of one item of several, if the name is a plural.
pub(super) fn singular(name: &str) -> Option<String> {
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let without = |count: usize| name[..name.len() - count].to_owned();
    if ends(&["ies"]) {
        Some(without(3) + "y")
    } else if ends(&["sses", "xes", "ches", "shes"]) {
        Some(without(2))
    } else if ends(&["s"]) && !ends(&["ss", "us", "is"]) && name.len() > 1 {
        Some(without(1))
    } else {
        None
    }
}

/// A name in Rust's code.
pub(super) fn raw(name: &str) -> String {
    if PATHS.contains(&name) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name) {
        format!("r#{name}")
    } else {
        name.to_owned()
    }
}

/// The first name that isn't taken, which is then.
fn take(wanted: &str, taken: &mut BTreeSet<String>, separator: &str) -> String {
    let mut name = wanted.to_owned();
    let mut count = 1;
    while !taken.insert(name.clone()) {
        count += 1;
        name = format!("{wanted}{separator}{count}");
    }
    name
}

/// The names of a struct's fields, in Rust and not yet raw.
pub(super) fn fields<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = PATHS.iter().map(|&name| name.to_owned()).collect();
    names
        .map(|name| {
            let name = snake(name);
            // `self_` and `self` would both become `self_`.
            let is_path = PATHS.contains(&&*name);
            if is_path && taken.insert(format!("{name}_")) {
                return format!("{name}_");
            }
            take(&name, &mut taken, "_")
        })
        .collect()
}

/// The name of the field for what a struct doesn't declare.
pub(super) fn rest(fields: &[String]) -> String {
    let mut taken = fields.iter().cloned().collect();
    take("others", &mut taken, "_")
}

/// The names of an enum's variants. They don't depend on the order of the values.
pub(super) fn variants(values: &[&str]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut sorted: Vec<_> = values.iter().enumerate().collect();
    sorted.sort_by_key(|(_, value)| **value);
    let mut names = vec![String::new(); values.len()];
    for (place, value) in sorted {
        let name = match pascal(value) {
            _ if value.is_empty() => "Empty".to_owned(),
            name if name == "Self" => "SelfValue".to_owned(),
            name => name,
        };
        names[place] = take(&name, &mut taken, "");
    }
    names
}

/// Whether a type can't have this name.
pub(super) fn is_reserved(name: &str) -> bool {
    TYPES.contains(&name)
}

/// The name of the enum for a kind.
pub(super) fn of_kind(kind: &str) -> String {
    let is_name = kind.starts_with(|first: char| first.is_ascii_uppercase())
        && kind.chars().all(|each| each.is_ascii_alphanumeric());
    let name = if is_name { kind.to_owned() } else { pascal(kind) };
    if is_reserved(&name) { name + "Resource" } else { name }
}

/// The names of modules.
pub(super) fn modules<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = MODULES.iter().map(|&name| name.to_owned()).collect();
    taken.extend(KEYWORDS.iter().chain(&PATHS).map(|&name| name.to_owned()));
    names
        .map(|name| {
            let plain = |each: char| if each.is_ascii_alphanumeric() { each } else { '_' };
            let name: String = name.chars().map(plain).collect::<String>().to_ascii_lowercase();
            let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
            take(&if starts { name } else { format!("m{name}") }, &mut taken, "_")
        })
        .collect()
}

/// The names of the versions' variants.
pub(super) fn versions<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken = BTreeSet::from(["Self".to_owned()]);
    names.map(|name| take(&pascal(name), &mut taken, "")).collect()
}
