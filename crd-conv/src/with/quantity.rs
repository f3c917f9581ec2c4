//! Converters between a Kubernetes quantity and a number.

use serde::{Serialize, de::DeserializeOwned};

use super::numbers::{Integer, narrowed};
use super::shape::{from_text, text};
use super::sides::{NothingOfNone, Older, TextIn};
use crate::converter::{ConvertError, Converter};

/// A converter between a quantity such as `"128Mi"`, `"500m"` or `"1e3"`, and an integer.
///
/// The text is any type that is a string in JSON, such as `String`, `Quantity` from `k8s_openapi`,
/// or a newtype around one.
///
/// A fraction is rounded away from zero, as in Kubernetes, and the exact quantity is kept. The
/// original text is kept, too.
///
/// ```
/// use crd_conv::{Converter, with::Quantity};
///
/// let bytes: i64 = Quantity::BYTES.upgrade("1.5Gi".to_owned())?;
/// assert_eq!(bytes, 1_610_612_736);
/// let text: String = Quantity::BYTES.downgrade(bytes)?;
/// assert_eq!(text, "1536Mi");
///
/// let millicores: i32 = Quantity::MILLI.upgrade("0.5".to_owned())?;
/// assert_eq!(millicores, 500);
/// let text: String = Quantity::MILLI.downgrade(2500)?;
/// assert_eq!(text, "2500m");
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// The type of the text may be Kubernetes' own:
///
/// ```
/// use crd_conv::Converter;
/// use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
///
/// let bytes: i64 = crd_conv::with::Quantity::BYTES.upgrade(Quantity("128Mi".to_owned()))?;
/// assert_eq!(bytes, 134_217_728);
/// let text: Quantity = crd_conv::with::Quantity::BYTES.downgrade(bytes)?;
/// assert_eq!(text, Quantity("128Mi".to_owned()));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// Source: `k8s.io/apimachinery/pkg/api/resource`. The converter writes its canonical form. The
/// arithmetic is exact. A quantity beyond the integer's range is refused, whereas Kubernetes would
/// cap it.
///
/// # Errors
///
/// Fails if the text isn't a quantity, or if the integer's type can't hold it.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// The number of decimal places that the integer includes.
    digits: i32,
    binary: bool,
}

impl Quantity {
    /// The number counts whole things, such as bytes. The text has `Ki`, `Mi` and so on if that is
    /// exact.
    pub const BYTES: Self = Self { digits: 0, binary: true };
    /// The number counts whole things. The text has `k`, `M` and so on if that is exact.
    pub const WHOLE: Self = Self { digits: 0, binary: false };
    /// The number counts thousandths, such as millicores.
    pub const MILLI: Self = Self { digits: 3, binary: false };
}

impl TextIn<Older> for Quantity {}
impl NothingOfNone<Older> for Quantity {}

impl<T, I> Converter<T, I> for Quantity
where
    T: Serialize + DeserializeOwned,
    I: Integer,
{
    fn upgrade(&self, older: T) -> Result<I, ConvertError> {
        let older = text(&older)?;
        let parsed = Parsed::of(&older).ok_or_else(|| {
            format!("expected a quantity such as `128Mi` or `500m`, not `{older}`")
        })?;
        let number =
            parsed.scaled(self.digits).ok_or_else(|| format!("`{older}` has too many digits"))?;
        narrowed(number)
    }

    fn downgrade(&self, newer: I) -> Result<T, ConvertError> {
        let (base, suffixes) = if self.binary { (1024, BINARY) } else { (1000, DECIMAL) };
        let mut suffixes =
            suffixes.iter().skip_while(|(_, exponent)| !self.binary && *exponent < -self.digits);
        let mut number = newer.widen();
        let mut suffix = suffixes.next().map_or("", |(name, _)| name);
        while number != 0 && number % base == 0 {
            let Some((next, _)) = suffixes.next() else { break };
            number /= base;
            suffix = next;
        }
        from_text(if number == 0 { "0".to_owned() } else { format!("{number}{suffix}") })
    }
}

/// A quantity in thousand-millionths, rounded as Kubernetes does. `None` also if Kubernetes might read
/// another one, because it has more digits than fit.
#[cfg(feature = "cel")]
pub(crate) fn nanos(text: &str) -> Option<i128> {
    const MOST: i128 = i64::MAX as i128 * 1_000_000_000;
    let nanos = Parsed::of(text)?.scaled(9)?;
    (nanos.abs() <= MOST).then_some(nanos)
}

/// The suffixes with their powers of ten.
const DECIMAL: &[(&str, i32)] = &[
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("", 0),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

/// The suffixes with their powers of two.
const BINARY: &[(&str, i32)] =
    &[("", 0), ("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

/// `±whole.fraction × 10^tens × 2^twos`.
struct Parsed<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    tens: i32,
    twos: u32,
}

impl<'t> Parsed<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let end = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (whole, rest) = rest.split_at(end(rest));
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(end(rest)),
            None => ("", rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let named = |suffixes: &[(&str, i32)]| {
            suffixes.iter().find(|(name, _)| *name == suffix).map(|(_, exponent)| *exponent)
        };
        let (tens, twos) = match (named(DECIMAL), named(BINARY)) {
            (Some(tens), _) => (tens, 0),
            (None, Some(twos)) => (0, twos.unsigned_abs()),
            (None, None) => (exponent(suffix.strip_prefix(['e', 'E'])?)?, 0),
        };
        Some(Self { negative, whole, fraction: fraction.trim_end_matches('0'), tens, twos })
    }

    /// The quantity in units of `10^-digits`, rounded away from zero. `None` if it needs more than
    /// 127 bits.
    fn scaled(&self, digits: i32) -> Option<i128> {
        let written = || self.whole.bytes().chain(self.fraction.bytes());
        if written().all(|digit| digit == b'0') {
            return Some(0);
        }
        let places = i32::try_from(self.fraction.len()).ok()?;
        let tens = self.tens.checked_add(digits)?.checked_sub(places)?;
        let shift = tens.min(0).unsigned_abs();
        // Digits too small to reach one unit only decide whether to round up.
        let below = if self.twos == 0 { shift.saturating_sub(MAX_SHIFT) } else { 0 };
        let divisor = 10_u128.checked_pow(shift - below)?;
        let count = self.whole.len() + self.fraction.len();
        let kept = count.saturating_sub(usize::try_from(below).ok()?);
        let mut number = 0_u128;
        let mut more = false;
        for (place, digit) in written().enumerate() {
            if place < kept {
                number = number.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
            } else {
                more |= digit != b'0';
            }
        }
        number = number.checked_mul(1 << self.twos)?;
        if tens > 0 {
            number = number.checked_mul(10_u128.checked_pow(tens.unsigned_abs())?)?;
        }
        more |= !number.is_multiple_of(divisor);
        let number = (number / divisor).checked_add(more.into())?;
        let number = i128::try_from(number).ok()?;
        Some(if self.negative { -number } else { number })
    }
}

const MAX_SHIFT: u32 = 18;

/// A signed number. One that is far beyond the range of any quantity is replaced with a thousand
/// million.
fn exponent(text: &str) -> Option<i32> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let exponent: i32 = digits.parse().unwrap_or(1_000_000_000);
    Some(if negative { -exponent } else { exponent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(by: Quantity, text: &str) -> Option<i64> {
        by.upgrade(text.to_owned()).ok()
    }

    #[test]
    fn as_kubernetes_reads_it() {
        for (text, whole, milli) in [
            ("0", 0, 0),
            ("0n", 0, 0),
            ("0e999999999999", 0, 0),
            ("1", 1, 1000),
            ("+1.", 1, 1000),
            (".5", 1, 500),
            ("-.5", -1, -500),
            ("1n", 1, 1),
            ("1e-9999999999", 1, 1),
            ("1000001u", 2, 1001),
            ("1k", 1000, 1_000_000),
            ("1e3", 1000, 1_000_000),
            ("1E3", 1000, 1_000_000),
            ("1E-3", 1, 1),
            ("12.34e+2", 1234, 1_234_000),
            ("1.5Ki", 1536, 1_536_000),
            ("0.0001Ki", 1, 103),
            ("1.00000000000000000000000000000000000000000000", 1, 1000),
            ("1.00000000000000000000000000000000000000000001", 2, 1001),
        ] {
            assert_eq!(read(Quantity::WHOLE, text), Some(whole), "{text}");
            assert_eq!(read(Quantity::MILLI, text), Some(milli), "{text}");
        }
        assert_eq!(read(Quantity::WHOLE, "1E"), Some(1_000_000_000_000_000_000));
        assert_eq!(read(Quantity::WHOLE, "7Ei"), Some(7 << 60));
        for text in [
            "", ".", "-", "Mi", "1mi", "1KB", "1e", "1e+", "1e1.5", "1 Gi", "0x1", "1é", "8Ei",
            "1e40",
        ] {
            assert_eq!(read(Quantity::WHOLE, text), None, "{text}");
        }
    }

    #[test]
    fn as_kubernetes_writes_it() {
        for (by, number, text) in [
            (Quantity::BYTES, 0, "0"),
            (Quantity::BYTES, 1000, "1000"),
            (Quantity::BYTES, 1 << 30, "1Gi"),
            (Quantity::BYTES, -2048, "-2Ki"),
            (Quantity::WHOLE, 1000, "1k"),
            (Quantity::WHOLE, 1024, "1024"),
            (Quantity::MILLI, 500, "500m"),
            (Quantity::MILLI, 2000, "2"),
            (Quantity::MILLI, 3_000_000, "3k"),
        ] {
            let written: String = by.downgrade(number).expect("a quantity");
            assert_eq!(written, text);
            assert_eq!(read(by, text), Some(number), "{text}");
        }
    }
}
