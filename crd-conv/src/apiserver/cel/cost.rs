//! The highest cost that the server's evaluator counts for an expression. The server refuses schemas and objects beyond its limits.
//!
//! Source: `checker/cost.go` of `cel-go`, `k8s.io/apiserver/pkg/cel/library/cost.go`.

use super::{
    sizes::{At, Declared, Size, Sizes, Step},
    types::Type,
};

/// The limits for one evaluation, and for all evaluations of an object.
pub(super) const PER_CALL: u64 = 1_000_000;
pub(super) const PER_OBJECT: u64 = 10_000_000;

/// The cost of a name, of a field, and of a call that doesn't look at all of its arguments.
pub(super) const STEP: u64 = 1;
pub(super) const NEW_LIST: u64 = 10;
/// The cost of a character, and of one in a pattern.
const OF_TEXT: f64 = 0.1;
const OF_PATTERN: f64 = 0.25;
/// The longest pattern of a format.
const MAX_FORMAT: f64 = 128.0;

/// A part of an expression.
#[derive(Clone)]
pub(super) struct Part<'s> {
    pub(super) ty: Type<'s>,
    pub(super) cost: u64,
    pub(super) size: Option<Size>,
    /// The size of an item, if the expression makes the list.
    pub(super) item: Option<Size>,
    pub(super) at: At<'s>,
}

impl<'s> Part<'s> {
    /// A value about which only the type is known.
    pub(super) fn new(ty: Type<'s>, cost: u64) -> Self {
        let size = ty.is_scalar().then_some(Size::exactly(1));
        Self { ty, cost, size, item: None, at: At::Nowhere }
    }

    /// A value with a place in the schema.
    pub(super) fn declared(ty: Type<'s>, cost: u64, at: At<'s>, sizes: Sizes) -> Self {
        let new = Self::new(ty, cost);
        Self { size: sizes.at(at).or(new.size), at, ..new }
    }
}

/// The cost of a call without its arguments, and the size of its result.
pub(super) struct Call {
    pub(super) cost: u64,
    pub(super) size: Option<Size>,
    pub(super) item: Option<Size>,
}

impl Call {
    fn of(cost: u64) -> Self {
        Self { cost, size: None, item: None }
    }

    fn sized(cost: u64, size: Size) -> Self {
        Self { size: Some(size), ..Self::of(cost) }
    }
}

/// Estimates a call. The target of a method is the first argument.
pub(super) fn of_call<'s>(
    name: &str,
    parts: &[&Part<'s>],
    root: Declared<'s>,
    sizes: Sizes,
) -> Call {
    let size = |part: &Part<'_>| part.size.unwrap_or(sizes.unknown());
    let text = |part: &Part<'_>| factor(size(part).max, OF_TEXT);
    match (name, parts) {
        ("_&&_" | "_||_", _) => Call::of(0),
        ("_?_:_", [_, yes, no]) => {
            let item = yes.item.zip(no.item).map(|(yes, no)| yes.or(no));
            // Only one of them is evaluated.
            let cost = yes.cost.max(no.cost);
            Call { item, ..Call::sized(cost, size(yes).or(size(no))) }
        }
        ("@in", [_, list]) if matches!(list.ty, Type::List(..)) => Call::of(size(list).max),
        ("_==_" | "_!=_", [a, b]) => Call::of(factor(size(a).max.min(size(b).max), OF_TEXT)),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [a, b]) => {
            let is_text = |part: &Part<'_>| matches!(part.ty, Type::Text);
            let may_be_text = |part: &Part<'_>| matches!(part.ty, Type::Text | Type::Dyn);
            let as_text = if may_be_text(a) && may_be_text(b) {
                factor(size(a).max.min(size(b).max), OF_TEXT)
            } else {
                0
            };
            let other = if is_text(a) || is_text(b) { 0 } else { STEP };
            Call::of(as_text.max(other))
        }
        ("_+_", [a, b]) => {
            let sum = size(a).plus(size(b));
            match a.ty {
                Type::Text => Call::sized(factor(sum.max, OF_TEXT), sum),
                Type::List(..) => {
                    let item = a.item.zip(b.item).map(|(a, b)| a.or(b));
                    Call { item, ..Call::sized(STEP, sum) }
                }
                _ => Call::of(STEP),
            }
        }
        ("_[_]", [of, _]) => Call { size: of.item, ..Call::of(STEP) },
        ("startsWith" | "endsWith", [_, b]) => Call::of(text(b)),
        ("contains", [a, b]) => Call::of(text(a).saturating_mul(text(b))),
        ("matches", [a, b]) => {
            let read = factor(size(a).max.saturating_add(1), OF_TEXT);
            Call::of(read.saturating_mul(factor(size(b).max, OF_PATTERN)))
        }
        ("indexOf" | "lastIndexOf" | "quantity" | "isCIDR", [a, ..]) => Call::of(text(a)),
        ("lowerAscii" | "upperAscii" | "trim" | "substring" | "url", [a, ..]) => {
            Call::sized(text(a), size(a))
        }
        ("replace", [a, old, new]) => {
            let result = replaced(size(a), size(old), size(new));
            Call::sized(factor(size(a).max, 2.0 * OF_TEXT), result)
        }
        ("split", [a, ..]) => {
            let most = size(a).max;
            Call::sized(factor(most, 2.0 * OF_TEXT), Size::up_to(most))
        }
        ("join", [list, between @ ..]) => {
            let item = match list.at {
                At::Nowhere => None,
                at => sizes.at(at.step(Step::Element, root)),
            };
            let count = size(list);
            let mut sum = count.times(item.unwrap_or(sizes.unknown()));
            if let [between] = between {
                let one_less =
                    Size { min: count.min.saturating_sub(1), max: count.max.saturating_sub(1) };
                sum = sum.plus(size(between).times(one_less));
            }
            Call::sized(factor(sum.max, OF_TEXT), sum)
        }
        _ => Call::of(STEP),
    }
}

/// The cost of `format.….validate(text).hasValue()` without the text.
pub(super) fn of_format(text: &Part<'_>, sizes: Sizes) -> u64 {
    let read = factor(text.size.unwrap_or(sizes.unknown()).max, OF_TEXT);
    factor(read, MAX_FORMAT * OF_PATTERN).saturating_add(2 * STEP)
}

/// The size of a text in which some parts are replaced by others.
fn replaced(text: Size, old: Size, new: Size) -> Size {
    let (most, kept) = if old.min == 0 {
        // The new part is put around each character.
        (text.max.saturating_add(1), text.max)
    } else if new.max <= old.min {
        (0, text.max)
    } else {
        (text.max.div_ceil(old.min), 0)
    };
    let (least, kept_least) = if old.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if old.max <= new.min {
        (0, text.min)
    } else {
        (text.min.div_ceil(old.max), 0)
    };
    Size { min: least, max: most }.times(new).plus(Size { min: kept_least, max: kept })
}

/// A multiple, rounded up, with the server's rounding of large numbers.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server computes with floats, and a cast stops at the greatest integer"
)]
fn factor(of: u64, by: f64) -> u64 {
    (of as f64 * by).ceil() as u64
}
