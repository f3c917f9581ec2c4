//! Converters between a duration in Go's notation and a number.

use serde::{Serialize, de::DeserializeOwned};

use super::numbers::{Integer, narrowed};
use super::shape::{from_text, text};
use super::sides::{NothingOfNone, Older, TextIn};
use crate::converter::{ConvertError, Converter};
use crate::go::duration::read_duration;

/// A converter between a duration in Go's notation, such as `"1m30s"`, and a number of a unit of
/// time.
///
/// The text is any type that is a string in JSON, such as `String` or a newtype around one. The
/// number is an integer.
///
/// Any part smaller than the unit is left out of the number and kept. The original text is kept,
/// too.
///
/// ```
/// use crd_conv::{Converter, with::GoDuration};
///
/// let seconds: i64 = GoDuration::SECONDS.upgrade("1h30m".to_owned())?;
/// assert_eq!(seconds, 5400);
/// let milliseconds: i64 = GoDuration::MILLISECONDS.upgrade("1.5s".to_owned())?;
/// assert_eq!(milliseconds, 1500);
/// let text: String = GoDuration::SECONDS.downgrade(90)?;
/// assert_eq!(text, "1m30s");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// Source: `ParseDuration` and `Duration.String` of Go's `time`, which `metav1.Duration` uses. As
/// in Go, a duration has at most 2⁶³ − 1 nanoseconds, which is 292 years.
///
/// # Errors
///
/// Fails if the text isn't a duration, for example a number without a unit. Also fails if the
/// number is longer than a duration can be, or doesn't fit the integer's type.
#[derive(Clone, Copy, Debug)]
pub struct GoDuration {
    nanoseconds: i64,
}

impl GoDuration {
    /// The number counts milliseconds.
    pub const MILLISECONDS: Self = Self { nanoseconds: 1_000_000 };
    /// The number counts seconds.
    pub const SECONDS: Self = Self { nanoseconds: SECOND };
    /// The number counts minutes.
    pub const MINUTES: Self = Self { nanoseconds: MINUTE };
    /// The number counts hours.
    pub const HOURS: Self = Self { nanoseconds: HOUR };
}

impl TextIn<Older> for GoDuration {}
impl NothingOfNone<Older> for GoDuration {}

impl<T, I> Converter<T, I> for GoDuration
where
    T: Serialize + DeserializeOwned,
    I: Integer,
{
    fn upgrade(&self, older: T) -> Result<I, ConvertError> {
        let older = text(&older)?;
        let nanoseconds = read_duration(&older).ok_or_else(|| {
            format!(
                "expected a duration such as `1h30m` or `1.5s` of at most 292 years, not `{older}`"
            )
        })?;
        narrowed((nanoseconds / self.nanoseconds).into())
    }

    fn downgrade(&self, newer: I) -> Result<T, ConvertError> {
        let nanoseconds = i64::narrow(newer.widen())
            .and_then(|number| number.checked_mul(self.nanoseconds))
            .ok_or_else(|| format!("{newer} is too long for a duration"))?;
        from_text(format(nanoseconds))
    }
}

const SECOND: i64 = 1_000_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;

fn format(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let total = nanoseconds.unsigned_abs();
    let second = SECOND.unsigned_abs();
    if total == 0 {
        return "0s".to_owned();
    }
    if total < second {
        let (unit, name) = match total {
            0..1_000 => (1, "ns"),
            1_000..1_000_000 => (1_000, "µs"),
            _ => (1_000_000, "ms"),
        };
        return format!("{sign}{}{name}", decimal(total, unit));
    }
    let seconds = decimal(total % (60 * second), second);
    let minutes = total / (60 * second);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}s"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}s"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}s"),
    }
}

fn decimal(number: u64, unit: u64) -> String {
    let width = unit.checked_ilog10().unwrap_or_default() as usize;
    let text = format!("{}.{:0width$}", number / unit, number % unit);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These cases are from Go's own tests.
    #[test]
    fn as_go_reads_it() {
        for (text, nanoseconds) in [
            ("0", 0),
            ("5s", 5 * SECOND),
            ("-5s", -5 * SECOND),
            ("+5s", 5 * SECOND),
            ("-0", 0),
            ("5.0s", 5 * SECOND),
            ("5.6s", 5_600_000_000),
            ("5.s", 5 * SECOND),
            (".5s", SECOND / 2),
            ("1.0040s", 1_004_000_000),
            ("100.00100s", 100_001_000_000),
            ("12µs", 12_000),
            ("12μs", 12_000),
            ("3h30m", 3 * HOUR + 30 * MINUTE),
            ("10.5s4m", 4 * MINUTE + 10 * SECOND + SECOND / 2),
            ("-2m3.4s", -(2 * MINUTE + 3 * SECOND + 400_000_000)),
            ("52763797000ns", 52_763_797_000),
            ("0.3333333333333333333h", 20 * MINUTE),
            ("0.100000000000000000000h", 6 * MINUTE),
            ("0.830103483285477580700h", 49 * MINUTE + 48 * SECOND + 372_539_827),
            ("9223372036854775807ns", i64::MAX),
            ("-9223372036854775808ns", i64::MIN),
        ] {
            assert_eq!(read_duration(text), Some(nanoseconds), "{text}");
        }
        for text in [
            "",
            "3",
            "-",
            "s",
            ".",
            "-.",
            ".s",
            "+.s",
            "1d",
            "1 s",
            "3000000h",
            "9223372036854775808ns",
            "9223372036854775.808us",
            "-9223372036854775809ns",
            "é",
            "1sé",
            "1é",
        ] {
            assert_eq!(read_duration(text), None, "{text}");
        }
    }

    #[test]
    fn as_go_writes_it() {
        for (text, nanoseconds) in [
            ("0s", 0),
            ("1ns", 1),
            ("1.1µs", 1_100),
            ("2.2ms", 2_200_000),
            ("3.3s", 3_300_000_000),
            ("4m5s", 4 * MINUTE + 5 * SECOND),
            ("4m5.001s", 4 * MINUTE + 5_001_000_000),
            ("5h6m7.001s", 5 * HOUR + 6 * MINUTE + 7_001_000_000),
            ("8m0.000000001s", 8 * MINUTE + 1),
            ("2562047h47m16.854775807s", i64::MAX),
            ("-2562047h47m16.854775808s", i64::MIN),
        ] {
            assert_eq!(format(nanoseconds), text);
            assert_eq!(read_duration(text), Some(nanoseconds), "{text}");
        }
    }
}
