//! Where a value changed its form between two versions.
//!
//! One object that can't be converted makes a list of all of them fail. So the schemas of the versions, by their
//! patterns and bounds, refuse what a converter here would.

use crd_conv::{ConvertError, Converter};

/// Go's spelling of a duration, such as `1h30m`, and a number of seconds.
///
/// `90s` and `1m30s` are the same number. Which of them it was, the conversion remembers.
pub struct GoDuration;

impl Converter<String, i64> for GoDuration {
    fn upgrade(&self, text: String) -> Result<i64, ConvertError> {
        seconds(&text)
    }

    fn downgrade(&self, seconds: i64) -> Result<String, ConvertError> {
        Ok(go_duration(seconds))
    }
}

fn seconds(text: &str) -> Result<i64, ConvertError> {
    let mut rest = text;
    let mut total = 0i64;
    while let Some(end) = rest.find(|c: char| !c.is_ascii_digit()) {
        let unit = match rest.as_bytes()[end] {
            b'h' => 3600,
            b'm' => 60,
            b's' => 1,
            _ => break,
        };
        let amount: i64 = rest[..end].parse()?;
        total = amount
            .checked_mul(unit)
            .and_then(|part| total.checked_add(part))
            .ok_or("too long a duration")?;
        rest = &rest[end + 1..];
    }
    if rest.is_empty() && !text.is_empty() {
        Ok(total)
    } else {
        Err(format!("expected a duration in `h`, `m` and `s`, such as `1h30m`, not `{text}`")
            .into())
    }
}

fn go_duration(seconds: i64) -> String {
    let parts = [(seconds / 3600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let text: String = parts
        .iter()
        .filter(|(amount, _)| *amount != 0)
        .map(|(amount, unit)| format!("{amount}{unit}"))
        .collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// `host:port` in one string.
pub struct HostPort;

impl Converter<String, (String, i32)> for HostPort {
    fn upgrade(&self, endpoint: String) -> Result<(String, i32), ConvertError> {
        let (host, port) = endpoint.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.parse()?))
    }

    fn downgrade(&self, (host, port): (String, i32)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

/// The older version has room for one zone of several.
pub struct OneZone;

impl Converter<Option<String>, Option<Vec<String>>> for OneZone {
    fn upgrade(&self, zone: Option<String>) -> Result<Option<Vec<String>>, ConvertError> {
        Ok(zone.map(|zone| vec![zone]))
    }

    fn downgrade(&self, zones: Option<Vec<String>>) -> Result<Option<String>, ConvertError> {
        Ok(zones.and_then(|zones| zones.into_iter().next()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_every_unit() {
        for (text, number) in [("0s", 0), ("59s", 59), ("1h30m", 5400), ("2h0m1s", 7201)] {
            assert_eq!(seconds(text).expect("a duration"), number);
            assert_eq!(seconds(&go_duration(number)).expect("a duration"), number);
        }
        for text in ["", "90", "s", "1.5s", "100ms", "-1s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
