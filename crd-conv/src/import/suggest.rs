//! Guesses which removed field an added one may come from, for comments.
//!
//! A guess is never code: a document doesn't say that two fields are one. Fields that may have moved into another struct are
//! among the hints of the command `crd`.

use super::{
    kind::{Kind, kind, values},
    names::{camel, raw, singular},
    types::{Field, Ty, TypeId, Types},
};

/// A guess about an added field, in the words of a comment.
pub(super) struct Suggestion {
    /// The field's position in the struct.
    pub(super) field: usize,
    pub(super) lines: Vec<String>,
}

/// The guesses about a struct. `version` is the name of the version before.
pub(super) fn suggestions(types: &Types<'_>, id: TypeId, version: &str) -> Vec<Suggestion> {
    let newer = types.structure(id);
    let older = types.get(id).from.and_then(|from| types.structure(from));
    let (Some(newer), Some(older)) = (newer, older) else { return Vec::new() };
    let mut removed: Vec<_> =
        older.fields.iter().filter(|field| newer.removed.contains(&field.name)).collect();
    let added: Vec<_> =
        newer.fields.iter().enumerate().filter(|(_, field)| field.is_added).collect();
    let mut found: Vec<Suggestion> = Vec::new();
    // A field with the same name is the likeliest one, then one with the same description.
    for is_near in [have_one_name, have_one_description, have_alike_names] {
        for (place, new) in &added {
            if found.iter().any(|suggestion| suggestion.field == *place) {
                continue;
            }
            let guess = removed.iter().enumerate().find_map(|(at, old)| {
                let guess = is_near(old, new).then(|| guess(types, old, new)).flatten()?;
                Some((at, guess))
            });
            if let Some((at, guess)) = guess {
                let old = removed.remove(at);
                found.push(Suggestion { field: *place, lines: guess.lines(old, new, version) });
            }
        }
    }
    found
}

fn have_one_name(old: &Field<'_>, new: &Field<'_>) -> bool {
    old.json == new.json
}

/// Whether two descriptions are the same, apart from the field's name at the start, as is usual in Go.
fn have_one_description(old: &Field<'_>, new: &Field<'_>) -> bool {
    let text = |field: &Field<'_>| {
        let text = field.schema.description.as_deref()?.trim();
        let name = text.split_whitespace().next()?;
        let text = if name.eq_ignore_ascii_case(field.json) { &text[name.len()..] } else { text };
        (!text.is_empty()).then(|| text.to_owned())
    };
    text(old).is_some_and(|old| text(new) == Some(old))
}

/// Whether the words of one name start words of the other, as in `timeout` and `timeoutSeconds`, but not in `available`
/// and `unavailable`.
fn have_alike_names(old: &Field<'_>, new: &Field<'_>) -> bool {
    let words = |field: &Field<'_>| -> Vec<String> {
        let words = field.name.split('_').filter(|word| !word.is_empty());
        words.map(|word| singular(word).unwrap_or_else(|| word.to_owned())).collect()
    };
    let size = |words: &[String]| (words.len(), words.iter().map(String::len).sum::<usize>());
    let [old, new] = [words(old), words(new)];
    let [short, long] = if size(&old) < size(&new) { [old, new] } else { [new, old] };
    let start =
        |words: &[String]| words.iter().zip(&short).all(|(word, short)| word.starts_with(&**short));
    size(&short).1 > 2 && long.windows(short.len()).any(start)
}

struct Guess {
    /// The converter, unless both fields have one type.
    converter: Option<String>,
    /// Why the fields may be one.
    why: &'static str,
    /// What is known about the laws.
    laws: &'static str,
    /// The older version's type, if the field needs it.
    ty: Option<String>,
}

impl Guess {
    fn lines(&self, old: &Field<'_>, new: &Field<'_>, version: &str) -> Vec<String> {
        let (from, to) = (raw(&old.name), raw(&new.name));
        let mut items = Vec::new();
        if from != to {
            items.push(format!("renamed_from = {from}"));
        }
        items.extend(self.converter.as_ref().map(|converter| format!("with = {converter}")));
        let ty = self.ty.as_ref().map(|ty| format!(", with the type `{ty}` of that version"));
        let ty = ty.unwrap_or_default();
        vec![
            format!(
                "import: `{from}` of {version} may be `{to}` here ({}). Then write{ty}:",
                self.why
            ),
            format!(
                "  #[versioned({})]   instead of `added`, and no `removed({from})`",
                items.join(", ")
            ),
            format!("  laws: {}", self.laws),
        ]
    }
}

/// How the older value becomes the newer one.
fn guess(types: &Types<'_>, old: &Field<'_>, new: &Field<'_>) -> Option<Guess> {
    let with = |converter: String, why, laws| {
        Some(Guess { converter: Some(converter), why, laws, ty: None })
    };
    if are_one(types, &old.ty, &new.ty) && !have_one_name(old, new) {
        return Some(rename(types, old, new));
    }
    let is_integer = |ty: &Ty| matches!(ty, Ty::I32 | Ty::I64);
    match (&old.ty, &new.ty) {
        (Ty::Text, newer) if is_integer(newer) => match unit(old, new) {
            Some(unit) => with(
                format!("crd_conv::with::GoDuration::{unit}"),
                "a duration became a number; if it counts another unit, write that",
                "*total* needs `fallback(upgrade = _, downgrade = _)`, unless the schemas allow only durations",
            ),
            None if have_one_name(old, new) => with(
                "crd_conv::with::Inverse(crd_conv::with::IntText)".to_owned(),
                "a text became a number",
                "*total* needs `fallback(upgrade = _)`, because the older schema allows any string",
            ),
            None => None,
        },
        (older, Ty::Text) if is_integer(older) && have_one_name(old, new) => with(
            "crd_conv::with::IntText".to_owned(),
            "a number became a text",
            "*total* needs `fallback(downgrade = _)`, because the newer schema allows any string",
        ),
        (older, Ty::List(items)) if are_one(types, older, items) => with(
            "crd_conv::with::First".to_owned(),
            "one value became a list",
            "hold where both schemas allow the same values",
        ),
        (Ty::List(items), newer) if are_one(types, items, newer) => with(
            "crd_conv::with::Inverse(crd_conv::with::First)".to_owned(),
            "a list became one value",
            "hold where both schemas allow the same values",
        ),
        (Ty::Map(values), Ty::List(items)) => {
            let converter = keyed(types, values, items)?;
            with(
                format!("crd_conv::with::Inverse({converter})"),
                "a map became a list",
                "items without a key or with the same key need a `fallback`, unless they have `list_map_keys`",
            )
        }
        (Ty::List(items), Ty::Map(values)) => with(
            keyed(types, values, items)?,
            "a list became a map",
            "items without a key or with the same key need a `fallback`, unless they have `list_map_keys`",
        ),
        _ => None,
    }
}

fn rename(types: &Types<'_>, old: &Field<'_>, new: &Field<'_>) -> Guess {
    let plain = |field: &Field<'_>| {
        let mut schema = field.schema.clone();
        schema.description = None;
        schema
    };
    let why = if have_one_description(old, new) {
        "the same type and description"
    } else {
        "the same type, and a similar name"
    };
    let laws = if plain(old) == plain(new) {
        "hold"
    } else {
        "hold where both schemas allow the same values"
    };
    // The newer type says nothing about the older one.
    let ty = (old.ty.named() != new.ty.named()).then(|| old.ty.named()).flatten();
    let ty = ty.map(|id| types.get(id).name.clone());
    Guess { converter: None, why, laws, ty }
}

/// Whether two types have the same text.
fn are_one(types: &Types<'_>, old: &Ty, new: &Ty) -> bool {
    match (old, new) {
        (Ty::List(old), Ty::List(new))
        | (Ty::Map(old), Ty::Map(new))
        | (Ty::Option(old), Ty::Option(new)) => are_one(types, old, new),
        (Ty::Named(old), Ty::Named(new)) => types.are_alike(*old, *new),
        (old, new) => old == new,
    }
}

/// The unit of a number that may be a duration.
fn unit(old: &Field<'_>, new: &Field<'_>) -> Option<&'static str> {
    const UNITS: [(&str, &str); 8] = [
        ("milliseconds", "MILLISECONDS"),
        ("millis", "MILLISECONDS"),
        ("ms", "MILLISECONDS"),
        ("seconds", "SECONDS"),
        ("secs", "SECONDS"),
        ("minutes", "MINUTES"),
        ("mins", "MINUTES"),
        ("hours", "HOURS"),
    ];
    let name = new.json.to_ascii_lowercase();
    let older = old.json.to_ascii_lowercase();
    let is_one = values(old.schema).is_none() && matches!(kind(old.schema), Kind::Text);
    if !is_one {
        return None;
    }
    let Some((end, unit)) = UNITS.into_iter().find(|(end, _)| name.ends_with(end)) else {
        return (name == older && name.contains("duration")).then_some("SECONDS");
    };
    let stem = &name[..name.len() - end.len()];
    (!stem.is_empty() && older.starts_with(stem)).then_some(unit)
}

/// The converter of a list whose items are a map's values with a key.
fn keyed(types: &Types<'_>, values: &Ty, items: &Ty) -> Option<String> {
    let items = types.structure(items.named()?)?;
    if items.rest.is_some() {
        return None;
    }
    let text = |field: &&Field<'_>| field.ty == Ty::Text;
    let Ty::Named(values) = values else {
        // A plain value is in the other one of two fields.
        let [a, b] = &*items.fields else { return None };
        let (key, value) = [(a, b), (b, a)].into_iter().find(|(key, value)| {
            text(key) && ["name", "key"].contains(&key.json) && value.ty == *values
        })?;
        return Some(format!("crd_conv::with::Pairs({:?}, {:?})", key.json, value.json));
    };
    let fields: Vec<&str> =
        types.structure(*values)?.fields.iter().map(|field| field.json).collect();
    let mut others = items.fields.iter().filter(|field| !fields.contains(&field.json));
    let (key, None) = (others.next()?, others.next()) else { return None };
    // Such a name is plain text in a comment.
    let is_plain = camel(&key.name) == key.json;
    (text(&key) && is_plain && items.fields.len() == fields.len() + 1)
        .then(|| format!("crd_conv::with::KeyedBy({:?})", key.json))
}
