//! Whether a value fits a schema, in the API server's opinion.
//!
//! Source: `k8s.io/kube-openapi/pkg/validation/validate`.

use std::collections::BTreeMap;

use super::{formats, pattern, props::Props, read::GoNumber};
use crate::schema::Json;

/// Whether a value fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    No(String),
    /// It fits, unless what is named here says otherwise.
    Unknown(String),
}

impl Fit {
    fn when(fits: bool, problem: impl FnOnce() -> String) -> Self {
        if fits { Self::Yes } else { Self::No(problem()) }
    }

    /// Both must hold.
    fn and(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::No(_) => self,
            Self::Yes => other(),
            Self::Unknown(_) => match other() {
                Self::No(problem) => Self::No(problem),
                _ => self,
            },
        }
    }

    fn all<T>(items: impl IntoIterator<Item = T>, mut fit: impl FnMut(T) -> Self) -> Self {
        items.into_iter().fold(Self::Yes, |all, item| all.and(|| fit(item)))
    }
}

/// Whether a value fits a schema outside of junctors.
pub(super) fn fit(value: &Json, schema: &Props) -> Fit {
    fit_at("", value, schema, false)
}

/// `path` is where the value stands, such as `.a[0]`. What is in a junctor closes no object: the server drops that.
fn fit_at(path: &str, value: &Json, schema: &Props, in_junctor: bool) -> Fit {
    let mut all = of_type(value, schema, path);
    if *value != Json::Null {
        all = all.and(|| junctors(path, value, schema)).and(|| match value {
            Json::Text(text) => of_text(text, schema, path),
            Json::Number(number) => of_number((*number).into(), schema, path),
            Json::Array(items) => of_list(path, items, schema, in_junctor),
            Json::Object(members) => of_object(path, members, schema, in_junctor),
            Json::Null | Json::Boolean(_) => Fit::Yes,
        });
    }
    all.and(|| {
        let listed =
            schema.values.is_empty() || schema.values.iter().any(|own| is_listed(value, own));
        Fit::when(listed, || format!("{}isn't among the values of the enum", at(path, value)))
    })
}

fn at(path: &str, value: &Json) -> String {
    if path.is_empty() { format!("{value} ") } else { format!("`{path}`, {value}, ") }
}

fn of_type(value: &Json, schema: &Props, path: &str) -> Fit {
    let ty = schema.ty.as_str();
    if *value == Json::Null {
        return Fit::when(ty.is_empty() || schema.nullable, || {
            format!("{}is null where the schema has no `nullable: true`", at(path, value))
        });
    }
    if ty.is_empty() && schema.format.is_empty() {
        return Fit::Yes;
    }
    let (found, format) = match value {
        Json::Boolean(_) => ("boolean", ""),
        Json::Text(_) => ("string", ""),
        Json::Array(_) => ("array", ""),
        Json::Object(_) => ("object", ""),
        Json::Number(number) => match GoNumber::from(*number) {
            GoNumber::Integer(_) => ("integer", "int64"),
            GoNumber::Float(_) => ("number", "float64"),
        },
        Json::Null => ("null", ""),
    };
    let whole = matches!(value, Json::Number(n) if found == "number" && is_whole(n.as_f64()))
        && ty == "integer";
    let same = found == ty || whole || found == "integer" && ty == "number";
    let wrong = || {
        format!(
            "{}is of type {found}, not {}",
            at(path, value),
            if ty.is_empty() { &schema.format } else { ty }
        )
    };
    let texts = matches!(value, Json::Text(_) | Json::Array(_));
    if !texts && !schema.format.is_empty() && !same && format != schema.format {
        return Fit::No(wrong());
    }
    // So the server takes a list for a string with a format.
    if !matches!(ty, "number" | "integer") && !schema.format.is_empty() && texts {
        return Fit::Yes;
    }
    Fit::when(same, wrong)
}

/// Go compares after it converted a number to the type of the enum's.
fn is_listed(value: &Json, listed: &Json) -> bool {
    match (value, listed) {
        (Json::Null, _) => false,
        (Json::Number(value), Json::Number(listed)) => {
            match (GoNumber::from(*value), GoNumber::from(*listed)) {
                (GoNumber::Integer(a), GoNumber::Integer(b)) => a == b,
                #[expect(clippy::cast_possible_truncation, reason = "what Go does")]
                (GoNumber::Float(a), GoNumber::Integer(b)) => a as i64 == b,
                _ => value.as_f64().total_cmp(&listed.as_f64()).is_eq(),
            }
        }
        _ => value == listed,
    }
}

fn of_text(text: &str, schema: &Props, path: &str) -> Fit {
    let length = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let value = Json::Text(text.to_owned());
    let at = || at(path, &value);
    Fit::when(schema.max_length.is_none_or(|max| length <= max), || {
        format!("{}is longer than `maxLength`", at())
    })
    .and(|| {
        Fit::when(schema.min_length.is_none_or(|min| length >= min), || {
            format!("{}is shorter than `minLength`", at())
        })
    })
    .and(|| {
        if schema.pattern.is_empty() {
            return Fit::Yes;
        }
        match pattern::parse(&schema.pattern).ok().and_then(|pattern| pattern.is_match(text)) {
            Some(true) => Fit::Yes,
            Some(false) => Fit::No(format!("{}doesn't match `{}`", at(), schema.pattern)),
            None => Fit::Unknown(format!("the pattern `{}`", schema.pattern)),
        }
    })
    .and(|| match formats::fits(&schema.format, text) {
        Some(fits) => {
            Fit::when(fits, || format!("{}isn't of the format `{}`", at(), schema.format))
        }
        None => Fit::Unknown(format!("the format `{}`", schema.format)),
    })
}

fn of_number(number: GoNumber, schema: &Props, path: &str) -> Fit {
    let is_integer = schema.ty == "integer";
    let in_range = |number: GoNumber| match number {
        GoNumber::Integer(n) => !is_integer || schema.format != "int32" || i32::try_from(n).is_ok(),
        GoNumber::Float(n) if is_integer => {
            let limit = if schema.format == "int32" {
                2_147_483_648.0
            } else {
                9_223_372_036_854_775_808.0
            };
            n.fract() == 0.0 && n >= -limit && n < limit
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whether it becomes infinite is the question"
        )]
        GoNumber::Float(n) => {
            schema.ty != "number" || schema.format != "float" || (n as f32).is_finite()
        }
    };
    let what = |text: &str| {
        let place = if path.is_empty() { "the number".to_owned() } else { format!("`{path}`") };
        format!("{place} {text}")
    };
    let bounds = [
        ("multipleOf", schema.multiple_of),
        ("maximum", schema.maximum),
        ("minimum", schema.minimum),
    ];
    Fit::when(in_range(number), || what("doesn't fit into its format")).and(|| {
        Fit::all(bounds, |(name, bound)| {
            let Some(bound) = bound else { return Fit::Yes };
            // The server converts such bounds to whole numbers as its processor does.
            if matches!(number, GoNumber::Integer(_)) && bound.abs() >= 9.2e18 {
                return Fit::Unknown(format!("`{name}` of {bound}"));
            }
            let as_written = in_range(GoNumber::Float(bound));
            Fit::when(as_written, || {
                what(&format!("has `{name}: {bound}`, which isn't of the same type"))
            })
            .and(|| {
                Fit::when(keeps(name, number, bound, schema), || {
                    what(&format!("doesn't keep `{name}: {bound}`"))
                })
            })
        })
    })
}

#[expect(clippy::cast_possible_truncation, reason = "what Go does")]
fn keeps(name: &str, number: GoNumber, bound: f64, schema: &Props) -> bool {
    match (name, number) {
        ("maximum", GoNumber::Integer(n)) => {
            let max = bound as i64;
            if schema.exclusive_maximum { n < max } else { n <= max }
        }
        ("maximum", GoNumber::Float(n)) => {
            if schema.exclusive_maximum {
                n < bound
            } else {
                n <= bound
            }
        }
        ("minimum", GoNumber::Integer(n)) => {
            let min = bound as i64;
            if schema.exclusive_minimum { n > min } else { n >= min }
        }
        ("minimum", GoNumber::Float(n)) => {
            if schema.exclusive_minimum {
                n > bound
            } else {
                n >= bound
            }
        }
        (_, GoNumber::Integer(n)) => {
            let factor = bound as i64;
            factor > 0 && n % factor == 0
        }
        (_, GoNumber::Float(n)) => {
            bound > 0.0 && is_whole(if bound < 1.0 { 1.0 / bound * n } else { n / bound })
        }
    }
}

/// `IsFloat64AJSONInteger`: nearly whole, and not beyond what a float can count.
fn is_whole(n: f64) -> bool {
    const MAX: f64 = 9_007_199_254_740_991.0;
    if !(-MAX..=MAX).contains(&n) {
        return false;
    }
    let whole = n.trunc();
    #[expect(clippy::float_cmp, reason = "it is the very number or not")]
    let same = n == whole;
    // For what is negative Go's cast gives a number that is far away.
    same || n > 0.0 && whole != 0.0 && (n - whole).abs() / (n + whole) < 1e-9
}

fn of_list(path: &str, items: &[Json], schema: &Props, in_junctor: bool) -> Fit {
    let count = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let what = |text: &str| {
        let place = if path.is_empty() { "the list".to_owned() } else { format!("`{path}`") };
        format!("{place} {text}")
    };
    Fit::all(items.iter().enumerate(), |(i, item)| {
        schema
            .item()
            .map_or(Fit::Yes, |schema| fit_at(&format!("{path}[{i}]"), item, schema, in_junctor))
    })
    .and(|| {
        Fit::when(schema.min_items.is_none_or(|min| count >= min), || {
            what("has fewer items than `minItems`")
        })
    })
    .and(|| {
        Fit::when(schema.max_items.is_none_or(|max| count <= max), || {
            what("has more items than `maxItems`")
        })
    })
}

fn of_object(
    path: &str,
    members: &BTreeMap<String, Json>,
    schema: &Props,
    in_junctor: bool,
) -> Fit {
    let count = i64::try_from(members.len()).unwrap_or(i64::MAX);
    let what = |text: &str| {
        let place = if path.is_empty() { "the object".to_owned() } else { format!("`{path}`") };
        format!("{place} {text}")
    };
    let closed = !in_junctor
        && schema.additional_properties.as_ref().is_some_and(|additional| !additional.allows);
    Fit::when(schema.min_properties.is_none_or(|min| count >= min), || {
        what("has fewer properties than `minProperties`")
    })
    .and(|| {
        Fit::when(schema.max_properties.is_none_or(|max| count <= max), || {
            what("has more properties than `maxProperties`")
        })
    })
    .and(|| {
        Fit::all(members, |(name, member)| match schema.member(name) {
            Some(schema) => fit_at(&format!("{path}.{name}"), member, schema, in_junctor),
            None => Fit::when(!closed, || what(&format!("has the undeclared `{name}`"))),
        })
    })
    .and(|| {
        Fit::all(&schema.required, |name| {
            Fit::when(members.contains_key(name), || what(&format!("misses the required `{name}`")))
        })
    })
}

fn junctors(path: &str, value: &Json, schema: &Props) -> Fit {
    let fit = |branch: &Props| fit_at(path, value, branch, true);
    let what = |text: &str| format!("{}{text}", at(path, value));
    let fits = |branches: &[Props]| -> (usize, Option<String>) {
        let mut unknown = None;
        let mut count = 0;
        for branch in branches {
            match fit(branch) {
                Fit::Yes => count += 1,
                Fit::No(_) => {}
                Fit::Unknown(doubt) => unknown = Some(doubt),
            }
        }
        (count, unknown)
    };
    let any = match (schema.any_of.is_empty(), fits(&schema.any_of)) {
        (true, _) | (_, (1.., _)) => Fit::Yes,
        (_, (_, Some(doubt))) => Fit::Unknown(doubt),
        _ => Fit::No(what("fits none of `anyOf`")),
    };
    let one = || match (schema.one_of.is_empty(), fits(&schema.one_of)) {
        (true, _) | (_, (1, None)) => Fit::Yes,
        (_, (0 | 1, Some(doubt))) => Fit::Unknown(doubt),
        (_, (count, _)) => Fit::No(what(&format!("fits {count} of `oneOf`, not exactly one"))),
    };
    let not = || match &schema.not {
        None => Fit::Yes,
        Some(branch) => match fit(branch) {
            Fit::Yes => Fit::No(what("fits what `not` excludes")),
            Fit::No(_) => Fit::Yes,
            Fit::Unknown(doubt) => Fit::Unknown(doubt),
        },
    };
    any.and(one).and(|| Fit::all(&schema.all_of, fit)).and(not)
}
