//! Dates and durations.

use crate::{
    apiserver::pattern::matches,
    go::{duration::read_duration, time::read_date},
};

const TIME: &str = "^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$";

/// What a unit may be, and what its longer names start with.
const UNITS: [&str; 11] = ["ns", "us", "\u{b5}s", "ms", "s", "m", "h", "hr", "d", "w", "wk"];
const LONG_UNITS: [&str; 8] = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/// `2006-01-02`.
pub(super) fn is_date(text: &str) -> bool {
    read_date(text).is_some()
}

/// A date, `t` and a time. What stands behind another `t` isn't looked at.
pub(super) fn is_date_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date)
        && matches(TIME, time)
        && &time[..2] <= "23"
        && &time[3..5] <= "59"
        && &time[6..8] <= "59"
}

/// A duration of Go, or any text with one that Scala writes.
pub(super) fn is_duration(text: &str) -> bool {
    read_duration(text).is_some() || has_duration(text)
}

/// Whether a number with a unit is anywhere in a text. Each number must be one.
fn has_duration(text: &str) -> bool {
    let mut rest = text;
    let mut some = false;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = &rest[start..];
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let space = |c: char| matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ');
        let unit = after.trim_start_matches(space);
        let letter = |c: char| c.is_ascii_alphabetic() || c == '\u{b5}';
        let end = unit.find(|c: char| !letter(c)).unwrap_or(unit.len());
        rest = after;
        if end == 0 {
            continue;
        }
        if number.parse::<i64>().is_err() {
            return false;
        }
        let (unit, after) = unit.split_at(end);
        let unit = unit.to_lowercase();
        some |=
            UNITS.contains(&unit.as_str()) || LONG_UNITS.iter().any(|long| unit.starts_with(long));
        rest = after;
    }
    some
}
