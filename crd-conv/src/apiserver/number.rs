//! Numbers, as Go's validators compare them.

use super::{
    cause::{Findings, shown_float},
    finding::Kind,
    path::Path,
    restrictions::Rules,
};
use crate::json::{Json, Number};

/// What Go makes of a number.
#[derive(Clone, Copy)]
pub(crate) enum GoNumber {
    Integer(i64),
    Float(f64),
}

impl From<Number> for GoNumber {
    fn from(number: Number) -> Self {
        match number {
            Number::Signed(n) => Self::Integer(n),
            Number::Unsigned(_) | Number::Float(_) => Self::Float(number.as_f64()),
        }
    }
}

impl GoNumber {
    #[expect(clippy::cast_precision_loss, reason = "what Go does")]
    fn as_f64(self) -> f64 {
        match self {
            Self::Integer(n) => n as f64,
            Self::Float(n) => n,
        }
    }
}

/// The type and the format, as far as they are about numbers.
#[derive(Clone, Copy)]
struct Range<'s> {
    ty: &'s str,
    format: &'s str,
}

impl<'s> Range<'s> {
    fn of(rules: &Rules<'s>) -> Self {
        match (rules.types, rules.format) {
            ("integer", "int32" | "int64") | ("number", "float" | "double") => {
                Self { ty: rules.types, format: rules.format }
            }
            (ty @ ("integer" | "number"), _) => Self { ty, format: "" },
            _ => Self { ty: "", format: "" },
        }
    }

    /// The server writes a float with its fewest digits and reads those as an integer: -2⁶³ is too small.
    fn holds(self, number: GoNumber) -> bool {
        match (self.ty, number) {
            ("integer", GoNumber::Integer(n)) => self.format != "int32" || i32::try_from(n).is_ok(),
            ("integer", GoNumber::Float(n)) => n
                .to_string()
                .parse()
                .is_ok_and(|n: i64| self.format != "int32" || i32::try_from(n).is_ok()),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "whether it becomes infinite is the question"
            )]
            (_, number) => self.format != "float" || (number.as_f64() as f32).is_finite(),
        }
    }

    /// Says that a number is out of range.
    fn check(self, path: &Path<'_>, what: &str, number: GoNumber, found: &mut Findings) -> bool {
        let holds = self.holds(number);
        if !holds {
            let Self { ty, format } = self;
            let format = if format.is_empty() {
                "(default format)".to_owned()
            } else {
                format!("with format {format}")
            };
            let detail = format!("{what} value must be of type {ty} {format} in {path}");
            found.refuse(path, Kind::Invalid, Some("\"\"".to_owned()), detail);
        }
        holds
    }
}

/// Checks a number against its type and its bounds.
pub(super) fn check(path: &Path<'_>, number: GoNumber, rules: &Rules<'_>, found: &mut Findings) {
    let range = Range::of(rules);
    range.check(path, "Checked", number, found);
    let own = &rules.own;
    let mut bound = |what: &str, bound: Option<f64>, problem: &dyn Fn(Pair) -> Option<String>| {
        let Some(bound) = bound else { return };
        let pair = match number {
            // A bound that isn't of the type is compared as a float.
            number if !range.check(path, what, GoNumber::Float(bound), found) => {
                Pair::Floats(number.as_f64(), bound)
            }
            GoNumber::Float(number) => Pair::Floats(number, bound),
            // What Go makes of such a bound depends on the processor.
            GoNumber::Integer(_) if bound.abs() >= 9.2e18 => {
                return found.pass_over(path, format!("whether it keeps a bound of {bound}"));
            }
            #[expect(clippy::cast_possible_truncation, reason = "what Go does")]
            GoNumber::Integer(number) => Pair::Integers(number, bound as i64),
        };
        if let Some(problem) = problem(pair) {
            let is_bound = what == "MultipleOf" && !pair.is_step();
            let value = if is_bound { pair.bound() } else { pair.number() };
            found.refuse(path, Kind::Invalid, Some(value), problem);
        }
    };
    bound("MultipleOf", own.multiple_of.map(Number::as_f64), &|pair| {
        let factor = pair.bound();
        if !pair.is_step() {
            return Some(format!(
                "factor MultipleOf declared for {path} must be positive: {factor}"
            ));
        }
        (!pair.is_multiple()).then(|| format!("{path} in body should be a multiple of {factor}"))
    });
    bound("Minimum boundary", own.minimum.map(Number::as_f64), &|pair| {
        let (exclusive, min) = (own.exclusive_minimum, pair.bound());
        let words = if exclusive { "greater than" } else { "greater than or equal to" };
        (pair.is_below() || exclusive && pair.is_equal())
            .then(|| format!("{path} in body should be {words} {min}"))
    });
    bound("Maximum boundary", own.maximum.map(Number::as_f64), &|pair| {
        let (exclusive, max) = (own.exclusive_maximum, pair.bound());
        let words = if exclusive { "less than" } else { "less than or equal to" };
        (!pair.is_below() && (exclusive || !pair.is_equal()))
            .then(|| format!("{path} in body should be {words} {max}"))
    });
}

/// A number and its bound, which are of one type to Go.
#[derive(Clone, Copy)]
enum Pair {
    Integers(i64, i64),
    Floats(f64, f64),
}

impl Pair {
    fn number(self) -> String {
        match self {
            Self::Integers(number, _) => number.to_string(),
            Self::Floats(number, _) => shown_float(number),
        }
    }

    fn bound(self) -> String {
        match self {
            Self::Integers(_, bound) => bound.to_string(),
            Self::Floats(_, bound) => shown_float(bound),
        }
    }

    fn is_below(self) -> bool {
        match self {
            Self::Integers(number, bound) => number < bound,
            Self::Floats(number, bound) => number < bound,
        }
    }

    #[expect(clippy::float_cmp, reason = "it is the very number or not")]
    fn is_equal(self) -> bool {
        match self {
            Self::Integers(number, bound) => number == bound,
            Self::Floats(number, bound) => number == bound,
        }
    }

    /// Nothing is a multiple of what isn't positive. To an integer 0.5 is 0.
    fn is_step(self) -> bool {
        match self {
            Self::Integers(_, factor) => factor > 0,
            Self::Floats(_, factor) => factor > 0.0,
        }
    }

    fn is_multiple(self) -> bool {
        match self {
            Self::Integers(number, factor) => number % factor == 0,
            Self::Floats(number, factor) => {
                is_whole(if factor < 1.0 { 1.0 / factor * number } else { number / factor })
            }
        }
    }
}

/// `IsFloat64AJSONInteger` of `github.com/go-openapi/swag`, as Kubernetes has it since 1.37: nearly whole, and not beyond what a float can count.
pub(super) fn is_whole(n: f64) -> bool {
    const MAX: f64 = 9_007_199_254_740_991.0;
    let whole = n.round();
    // Zero is whole, and nothing else is nearly zero.
    (-MAX..=MAX).contains(&n) && ((n - whole).abs() < 1e-9 * whole.abs() || n == 0.0)
}

/// Whether a value is one of an enum's. Go compares after it converted the value to the other's type.
pub(super) fn is_listed(value: &Json, listed: &Json) -> bool {
    let (Json::Number(number), listed) = (value, listed) else {
        return *value != Json::Null && same(value, listed);
    };
    match (GoNumber::from(*number), listed) {
        (number, Json::Number(listed)) => match (number, GoNumber::from(*listed)) {
            (GoNumber::Integer(a), GoNumber::Integer(b)) => a == b,
            #[expect(clippy::cast_possible_truncation, reason = "what Go does")]
            (GoNumber::Float(a), GoNumber::Integer(b)) => a as i64 == b,
            #[expect(clippy::float_cmp, reason = "it is the very number or not")]
            (a, GoNumber::Float(b)) => a.as_f64() == b,
        },
        // An integer becomes the character of that number.
        (GoNumber::Integer(code), Json::Text(text)) => {
            let c = u32::try_from(code).ok().and_then(char::from_u32);
            let mut chars = text.chars();
            chars.next() == Some(c.unwrap_or(char::REPLACEMENT_CHARACTER)) && chars.next().is_none()
        }
        _ => false,
    }
}

/// Whether two values are deeply equal to Go: an integer is never a float.
pub(super) fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => match (GoNumber::from(*a), GoNumber::from(*b)) {
            (GoNumber::Integer(a), GoNumber::Integer(b)) => a == b,
            #[expect(clippy::float_cmp, reason = "it is the very number or not")]
            (GoNumber::Float(a), GoNumber::Float(b)) => a == b,
            _ => false,
        },
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && same(a, b))
        }
        _ => a == b,
    }
}
