//! Durations, as Go reads them.

/// Units, with their nanoseconds.
const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("\u{b5}s", 1_000),
    ("\u{3bc}s", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];
const MOST: u64 = 1 << 63;

/// The nanoseconds of a duration such as `1h30m`.
///
/// Source: `ParseDuration` of Go's `time/format.go`.
pub(crate) fn read_duration(text: &str) -> Option<i64> {
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut sum = 0_u64;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let end = after.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after.len());
        let (name, after) = after.split_at(end);
        let (_, unit) = UNITS.iter().find(|(own, _)| *own == name)?;
        let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok()? };
        let whole = whole.checked_mul(*unit).filter(|whole| *whole <= MOST)?;
        sum = sum.checked_add(whole)?.checked_add(below(fraction, *unit))?;
        if sum > MOST {
            return None;
        }
        rest = after;
    }
    if text.starts_with('-') {
        return Some(0_i64.wrapping_sub_unsigned(sum));
    }
    sum.try_into().ok()
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Returns the nanoseconds of the digits after a point. Calculates with floats, and with as many
/// digits as Go reads, so that the result matches Go's to the nanosecond.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go's own arithmetic, of a number from 0 to a unit"
)]
fn below(fraction: &str, unit: u64) -> u64 {
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in fraction.bytes() {
        let next = number
            .checked_mul(10)
            .and_then(|number| number.checked_add(u64::from(digit - b'0')))
            .filter(|next| *next <= MOST);
        let Some(next) = next else { break };
        number = next;
        scale *= 10.0;
    }
    (number as f64 * (unit as f64 / scale)) as u64
}
