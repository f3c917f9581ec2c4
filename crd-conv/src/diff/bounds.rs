//! Compares bounds of values.

use super::collect::{Changes, at, flag, text};
use crate::json::{Json, Number};

/// Each bound with its flag that excludes the bound itself.
const UPPER: [(&str, &str); 4] =
    [("maximum", "exclusiveMaximum"), ("maxLength", ""), ("maxItems", ""), ("maxProperties", "")];
const LOWER: [(&str, &str); 4] =
    [("minimum", "exclusiveMinimum"), ("minLength", ""), ("minItems", ""), ("minProperties", "")];

pub(super) fn bounds(old: &Json, new: &Json, changes: &mut Changes) {
    for (bounds, sign) in [(UPPER, 1.0), (LOWER, -1.0)] {
        for (name, exclusive) in bounds {
            if name == "maximum" && is_uint32(old, new) {
                changes.risky(
                    "bound-tightened",
                    format!("`maximum` is {}; the format `uint32` implied it, but the API server ignores that format", u32::MAX),
                    "make sure that no object has a greater value",
                );
                continue;
            }
            let bound = |schema| {
                let bound = number(schema, name)?;
                Some((bound.as_f64() * sign, bound, flag(schema, &[exclusive])))
            };
            compare(name, bound(old), bound(new), changes);
        }
    }
    multiple(old, new, changes);
}

/// Whether the new bound is the one that the old schema's format implies. Other generators write it
/// out.
fn is_uint32(old: &Json, new: &Json) -> bool {
    let bound = |schema| number(schema, "maximum").map(Number::as_f64);
    text(old, &["format"]) == Some("uint32")
        && bound(old).is_none()
        && bound(new) == Some(f64::from(u32::MAX))
        && !flag(new, &["exclusiveMaximum"])
}

fn number(schema: &Json, name: &str) -> Option<Number> {
    match at(schema, &[name])? {
        Json::Number(number) => Some(*number),
        _ => None,
    }
}

/// Compares two bounds. A bound is a number, its text, and whether it is exclusive. The smaller
/// number is stricter.
fn compare(
    name: &str,
    old: Option<(f64, Number, bool)>,
    new: Option<(f64, Number, bool)>,
    changes: &mut Changes,
) {
    let shown = |number: Number, exclusive: bool| {
        let exclusive = if exclusive { " (exclusive)" } else { "" };
        format!("{}{exclusive}", Json::Number(number))
    };
    let (what, tightened) = match (old, new) {
        (None, Some((_, new, exclusive))) => {
            (format!("`{name}` is {} and was absent", shown(new, exclusive)), true)
        }
        (Some(_), None) => (format!("`{name}` is gone"), false),
        (Some((old_size, old, was_exclusive)), Some((new_size, new, exclusive)))
            if old != new || was_exclusive != exclusive =>
        {
            let tightened = new_size < old_size || (old == new && exclusive);
            let [old, new] = [shown(old, was_exclusive), shown(new, exclusive)];
            (format!("`{name}` was {old} and is {new}"), tightened)
        }
        _ => return,
    };
    if tightened {
        changes.breaking(
            "bound-tightened",
            format!("{what}: objects beyond it are refused when the value changes, and before Kubernetes 1.30 on every write"),
            "keep the bound, and let the controller refuse new values beyond it",
        );
    } else {
        changes.safe("bound-loosened", what);
    }
}

fn multiple(old: &Json, new: &Json, changes: &mut Changes) {
    let [before, now] = [old, new].map(|schema| number(schema, "multipleOf"));
    let Some(now) = now else {
        if before.is_some() {
            changes.safe("bound-loosened", "`multipleOf` is gone");
        }
        return;
    };
    let now_shown = Json::Number(now);
    match before {
        Some(before) if before == now => {}
        // Every multiple of the old number is a multiple of the new one, too.
        Some(before) if before.as_f64() % now.as_f64() == 0.0 => {
            changes.safe(
                "bound-loosened",
                format!("`multipleOf` is {now_shown}, and the old number is a multiple of it"),
            );
        }
        _ => changes.breaking(
            "bound-tightened",
            format!("`multipleOf` is {now_shown}: other numbers are refused"),
            "leave it out, and let the controller refuse new values that don't match",
        ),
    }
}
