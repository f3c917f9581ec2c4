//! Where a value changed its form between two versions.

use crd_conv::{ConvertError, Converter};

use super::v1beta1::Checks;

/// Go's spelling of a duration, such as `1h30m`, and a number of seconds.
///
/// `90s` and `1m30s` are the same number. Which of them it was, the conversion remembers.
pub struct GoDuration;

impl Converter<Option<String>, Option<i64>> for GoDuration {
    fn upgrade(text: Option<String>) -> Result<Option<i64>, ConvertError> {
        text.as_deref().map(seconds).transpose()
    }

    fn downgrade(seconds: Option<i64>) -> Result<Option<String>, ConvertError> {
        Ok(seconds.map(go_duration))
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

/// Two fields, and one struct that is there if one of them is.
pub struct ChecksTogether;

impl Converter<(Option<String>, Option<i32>), Option<Checks>> for ChecksTogether {
    fn upgrade(
        (path, period_seconds): (Option<String>, Option<i32>),
    ) -> Result<Option<Checks>, ConvertError> {
        let any = path.is_some() || period_seconds.is_some();
        Ok(any.then_some(Checks { path, period_seconds }))
    }

    fn downgrade(checks: Option<Checks>) -> Result<(Option<String>, Option<i32>), ConvertError> {
        Ok(checks.map(|checks| (checks.path, checks.period_seconds)).unwrap_or_default())
    }
}

/// `host:port` in one string.
pub struct HostPort;

impl Converter<String, (String, u16)> for HostPort {
    fn upgrade(endpoint: String) -> Result<(String, u16), ConvertError> {
        let (host, port) = endpoint.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.parse()?))
    }

    fn downgrade((host, port): (String, u16)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

/// The older version has room for one zone of several.
pub struct OneZone;

impl Converter<Option<String>, Option<Vec<String>>> for OneZone {
    fn upgrade(zone: Option<String>) -> Result<Option<Vec<String>>, ConvertError> {
        Ok(zone.map(|zone| vec![zone]))
    }

    fn downgrade(zones: Option<Vec<String>>) -> Result<Option<String>, ConvertError> {
        Ok(zones.and_then(|zones| zones.into_iter().next()))
    }
}
