//! Numbers as the API server reads and writes them.

/// A finite float in the notation of Go's `encoding/json`: the fewest digits that give the same
/// float. If two such texts are equally near, the one with the even last digit is used. Rust would
/// use the greater one.
pub(crate) fn go_float(float: f64) -> String {
    let text = serde_json::to_string(&float).unwrap_or_default();
    let (sign, text) = text.strip_prefix('-').map_or(("", &*text), |text| ("-", text));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    // The position of the point after the first nonzero digit.
    let leading = all.len() - digits.len();
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let point = i32::try_from(whole.len()).unwrap_or_default() + exponent
        - i32::try_from(leading).unwrap_or_default();
    let digits = digits.trim_end_matches('0');
    let count = i32::try_from(digits.len()).unwrap_or_default();
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let (first, rest) = digits.split_at(digits.len().min(1));
    match point {
        _ if digits.is_empty() => format!("{sign}0"),
        ..-5 | 22.. => {
            let dot = if rest.is_empty() { "" } else { "." };
            format!("{sign}{first}{dot}{rest}e{:+}", point - 1)
        }
        ..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ if point >= count => format!("{sign}{digits}{}", zeros(point - count)),
        _ => {
            let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
            format!("{sign}{whole}.{fraction}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_those_of_go() {
        for (float, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (100.0, "100"),
            (0.000_001, "0.000001"),
            (0.000_001_5, "0.0000015"),
            (1e-7, "1e-7"),
            (1.25e-7, "1.25e-7"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (-1.5e300, "-1.5e+300"),
            (2_400_000_000_000_001.0 / 4.0, "600000000000000.2"),
            (9_223_372_036_854_775_808.0, "9223372036854776000"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
        ] {
            assert_eq!(go_float(float), expected);
        }
    }
}
