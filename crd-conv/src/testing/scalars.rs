//! Draws numbers and strings from their schemas.

use super::{
    choices::Choices,
    known::Known,
    pattern::matching,
    server::{read, write},
};
use crate::{
    apiserver::value::fits,
    json::{Json, Number},
    schema::Schema,
};

const TEXTS: [&str; 12] =
    ["a", "", "b", "a:1", "a b", "host:80", "a/b", "1", "0", "true", "A:b:", "90s"];

/// Numbers at the limits of Rust's types, and numbers that are slightly less or more than whole
/// units.
const INTEGERS: [i64; 16] = [
    0,
    1,
    2,
    7,
    -1,
    90,
    256,
    1_500,
    65_536,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    i32::MIN as i64 - 1,
    5_000_000_000,
    1 << 53,
    i64::MAX,
    i64::MIN,
];

const FLOATS: [f64; 8] = [0.0, 0.5, 1.0, -2.25, 1e21, 1e-7, 0.1, 3.0];

/// How many strings are drawn until one fits.
const MAX_TRIES: usize = 16;

pub(super) fn integer(schema: &Schema, choices: &mut Choices<'_>) -> Number {
    let (least, most) = match schema.format.as_deref() {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        _ => (i64::MIN, i64::MAX),
    };
    #[expect(clippy::cast_possible_truncation, reason = "a bound beyond is none")]
    let whole = |bound: Number, round: fn(f64) -> f64| match bound {
        Number::Signed(bound) => bound,
        bound => round(bound.as_f64()) as i64,
    };
    let is_whole = |bound: Number| bound.as_f64().fract() == 0.0;
    let least = schema.minimum.map_or(least, |bound| {
        let exclusive = schema.exclusive_minimum && is_whole(bound);
        whole(bound, f64::ceil).saturating_add(exclusive.into()).max(least)
    });
    let most = schema.maximum.map_or(most, |bound| {
        let exclusive = schema.exclusive_maximum && is_whole(bound);
        whole(bound, f64::floor).saturating_sub(exclusive.into()).min(most)
    });
    let drawn = choices.one_of(&INTEGERS).clamp(least, most.max(least));
    #[expect(clippy::cast_possible_truncation, reason = "whole steps of an integer")]
    let step = schema.multiple_of.map_or(1, |step| step.as_f64() as i64).max(1);
    let over = drawn.rem_euclid(step);
    let below = drawn.checked_sub(over).filter(|below| *below >= least);
    Number::Signed(below.unwrap_or_else(|| drawn.saturating_add(step - over)))
}

/// Draws a number that the server accepts as it is written. For the server, `1.0` is an integer,
/// and no multiple of 0.5.
pub(super) fn number(schema: &Schema, choices: &mut Choices<'_>) -> Number {
    let drawn = near(schema, choices.one_of(&FLOATS));
    let step = schema.multiple_of.map_or(0.25, Number::as_f64);
    let others = [0.0, 0.5, 1.0].into_iter().chain([1.0, -1.0].map(|steps| drawn + steps * step));
    let others = others.map(|float| near(schema, float));
    let right = |float: &f64| {
        let written = write(&Json::Number(Number::Float(*float)));
        read(&written).is_ok_and(|value| fits(&value, schema))
    };
    Number::Float(std::iter::once(drawn).chain(others).find(right).unwrap_or(drawn))
}

/// Draws an integer or a string for a field that accepts both.
pub(super) fn integer_or_text(schema: &Schema, known: &Known, choices: &mut Choices<'_>) -> Json {
    let usual = match choices.below(4) {
        0 => Json::Number(Number::Signed(1)),
        1 => Json::Text("50%".to_owned()),
        2 => Json::Number(Number::Signed(0)),
        _ => Json::Text("http".to_owned()),
    };
    match usual {
        usual if fits(&usual, schema) => usual,
        Json::Text(_) => Json::Text(text(schema, known, choices)),
        _ => Json::Number(integer(schema, choices)),
    }
}

/// Returns a number near the given one, within the bounds.
fn near(schema: &Schema, float: f64) -> f64 {
    let least = schema.minimum.map_or(f64::MIN, Number::as_f64);
    let most = schema.maximum.map_or(f64::MAX, Number::as_f64);
    let mut near = float.clamp(least, most.max(least));
    if let Some(step) = schema.multiple_of.map(Number::as_f64) {
        near = (near / step).floor() * step;
        near = if near < least { near + step } else { near };
    }
    let inside = |step: f64| {
        if most - least > 2.0 * step { step } else { (most - least) / 2.0 }
    };
    let step = inside(schema.multiple_of.map_or(1.0, Number::as_f64));
    if schema.exclusive_minimum && near <= least {
        near = least + step;
    } else if schema.exclusive_maximum && near >= most {
        near = most - step;
    }
    near
}

pub(super) fn text(schema: &Schema, known: &Known, choices: &mut Choices<'_>) -> String {
    let mut drawn = String::new();
    let right = |drawn: &str| fits(&Json::Text(drawn.to_owned()), schema);
    for _ in 0..MAX_TRIES {
        drawn = any_text(schema, known, choices);
        if right(&drawn) {
            return drawn;
        }
    }
    if schema.pattern.is_some() {
        // There may be no choices left. Then each try draws the same string.
        let mut random = fastrand::Rng::with_seed(0);
        for _ in 0..MAX_TRIES {
            let choices: Vec<u32> = (0..64).map(|_| random.u32(..)).collect();
            let other = any_text(schema, known, &mut Choices::new(&choices));
            if right(&other) {
                return other;
            }
        }
    } else {
        let least = schema.min_length.map_or(0, |least| usize::try_from(least).unwrap_or(0));
        let missing = least.saturating_sub(drawn.chars().count());
        drawn.extend(std::iter::repeat_n('a', missing));
        if let Some(most) = schema.max_length {
            drawn = drawn.chars().take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
        }
    }
    drawn
}

fn any_text(schema: &Schema, known: &Known, choices: &mut Choices<'_>) -> String {
    if let Some(pattern) = &schema.pattern {
        return known
            .pattern(pattern)
            .map(|pattern| matching(pattern, choices))
            .unwrap_or_default();
    }
    let of_format = schema.format.as_deref().and_then(of_format);
    choices.one_of(of_format.unwrap_or(&TEXTS)).to_owned()
}

/// Source: the formats that `k8s.io/kube-openapi/pkg/validation/strfmt` checks.
fn of_format(format: &str) -> Option<&'static [&'static str]> {
    Some(match format {
        "date" => &["2026-01-02", "1999-12-31"],
        "date-time" | "datetime" => {
            &["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05+02:00"]
        }
        "duration" => &["90s", "1m30s", "0s", "1500ms", "1h"],
        "email" => &["a@example.com", "b@example.com"],
        "hostname" => &["a.example.com", "b"],
        "ipv4" => &["10.0.0.1", "0.0.0.0"],
        "ipv6" => &["::1", "2001:db8::1"],
        "cidr" => &["10.0.0.0/8", "2001:db8::/32"],
        "mac" => &["00:00:5e:00:53:01", "00:00:5e:00:53:02"],
        "uri" => &["https://example.com/", "https://example.com/a?b=c"],
        "uuid" | "uuid4" => {
            &["5c4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f", "6d4f4f4e-7c8e-4f4b-9d2c-0f0f0f0f0f0f"]
        }
        "byte" => &["YQ==", "YWJj", "YWI="],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Extensions, SchemaType};

    #[test]
    fn what_is_drawn_fits() {
        let signed = |number| Some(Number::Signed(number));
        let float = |number| Some(Number::Float(number));
        let of = |ty| Schema { ty: Some(ty), ..Schema::default() };
        let number = || of(SchemaType::Number);
        let whole = || of(SchemaType::Integer);
        let text = || of(SchemaType::Text);
        let either = || Schema {
            extensions: Extensions { int_or_string: true, ..Extensions::default() },
            ..Schema::default()
        };
        let schemas = [
            whole(),
            Schema { format: Some("int32".to_owned()), ..whole() },
            Schema { minimum: signed(3), exclusive_minimum: true, maximum: signed(4), ..whole() },
            Schema { minimum: float(0.5), maximum: float(1.5), ..number() },
            Schema { minimum: signed(-7), multiple_of: signed(5), ..whole() },
            Schema { minimum: float(1.0), exclusive_minimum: true, ..number() },
            Schema { maximum: float(0.0), exclusive_maximum: true, ..number() },
            Schema {
                minimum: float(0.0),
                maximum: float(0.5),
                exclusive_minimum: true,
                exclusive_maximum: true,
                ..number()
            },
            Schema { minimum: float(-1.0), multiple_of: float(0.25), ..number() },
            Schema { min_length: Some(2), max_length: Some(3), ..text() },
            Schema {
                min_length: Some(3),
                max_length: Some(5),
                pattern: Some(r"^\w+(-\w+)?$".to_owned()),
                ..text()
            },
            Schema { format: Some("date-time".to_owned()), ..text() },
            Schema { minimum: signed(2), ..either() },
            Schema { pattern: Some("^[0-9]+(m|Gi)$".to_owned()), maximum: signed(0), ..either() },
        ];
        let known = Known::of(&schemas);
        let mut random = fastrand::Rng::with_seed(0);
        for schema in &schemas {
            for _ in 0..500 {
                let choices: Vec<u32> = (0..100).map(|_| random.u32(..)).collect();
                let mut choices = Choices::new(&choices);
                let drawn = match schema.ty {
                    Some(SchemaType::Integer) => Json::Number(integer(schema, &mut choices)),
                    Some(SchemaType::Number) => Json::Number(super::number(schema, &mut choices)),
                    None => integer_or_text(schema, &known, &mut choices),
                    _ => Json::Text(super::text(schema, &known, &mut choices)),
                };
                let drawn = read(&write(&drawn)).expect("JSON");
                assert!(fits(&drawn, schema), "{drawn} in {schema:?}");
            }
        }
    }
}
