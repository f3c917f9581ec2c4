//! Bounds of integers, as the API server reads them: as floats, which must be integers of the format.

use super::Schema;
use crate::json::Number;

/// The first numbers that are too small and too large for the server's own integers. It writes the small one with fewer digits before
/// it reads it.
const WIDE: [f64; 2] = [-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0];
const NARROW: [f64; 2] = [-2_147_483_649.0, 2_147_483_648.0];

/// Takes out what the server couldn't read, which it would hold against every value, and what says nothing besides.
pub(super) fn settle(schema: &mut Schema) {
    let [below, above] = if schema.format.as_deref() == Some("int32") { NARROW } else { WIDE };
    let whole = |bound: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "a whole number between the two")]
        let bound = bound as i64;
        Number::Signed(bound)
    };
    if let Some(Number::Unsigned(_) | Number::Float(_)) = schema.minimum {
        let bound = schema.minimum.map_or(0.0, Number::as_f64);
        schema.exclusive_minimum &= bound.fract() == 0.0;
        schema.minimum = Some(bound.ceil()).filter(|bound| *bound < above).map(whole);
    }
    if let Some(Number::Unsigned(_) | Number::Float(_)) = schema.maximum {
        let bound = schema.maximum.map_or(0.0, Number::as_f64);
        schema.exclusive_maximum &= bound.fract() == 0.0;
        schema.maximum = Some(bound.floor()).filter(|bound| *bound > below).map(whole);
    }
    if schema.minimum.is_some_and(|least| least.as_f64() <= below) {
        (schema.minimum, schema.exclusive_minimum) = (None, false);
    }
    if schema.maximum.is_some_and(|most| most.as_f64() >= above) {
        (schema.maximum, schema.exclusive_maximum) = (None, false);
    }
}

/// Bounds for what a format says, where the server doesn't look at it.
pub(super) fn said(schema: &mut Schema) {
    if schema.format.as_deref() == Some("int32") {
        schema.minimum = schema.minimum.or(Some(Number::Signed(i32::MIN.into())));
        schema.maximum = schema.maximum.or(Some(Number::Signed(i32::MAX.into())));
    }
}
