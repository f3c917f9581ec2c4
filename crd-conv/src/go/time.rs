//! Times, as Go reads and writes them in fields of the server's own types.

/// A date and a time as Go's `time.Parse` takes them by its layout `RFC3339`, in UTC and without fractions of a second, as the server
/// writes it. `None` if Go doesn't read it.
///
/// Go takes an hour of one digit, a comma before the fraction, and offsets up to `24:60`.
pub(crate) fn in_utc(text: &str) -> Option<String> {
    let (date, time) = text.split_once('T')?;
    let mut date = read_date(date)?;
    let (hour, time) = time.split_once(':')?;
    let hour = number(hour, 24).filter(|_| hour.len() <= 2)?;
    let minute = number(time.get(..2)?, 60)?;
    let time = time[2..].strip_prefix(':')?;
    let second = number(time.get(..2)?, 60)?;
    let mut zone = &time[2..];
    if let Some(fraction) = zone.strip_prefix(['.', ',']) {
        zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if zone.len() == fraction.len() {
            return None;
        }
    }
    let minutes = hour * 60 + minute - offset(zone)?;
    for _ in 0..minutes.div_euclid(DAY) {
        date = next(date);
    }
    for _ in minutes.div_euclid(DAY)..0 {
        date = previous(date);
    }
    let minutes = minutes.rem_euclid(DAY);
    let ((year, month, day), hour, minute) = (date, minutes / 60, minutes % 60);
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"))
}

/// Minutes.
const DAY: i32 = 24 * 60;

/// A year, a month and a day.
pub(crate) type Date = (i32, i32, i32);

/// `2006-01-02`.
pub(crate) fn read_date(text: &str) -> Option<Date> {
    let parts: Vec<_> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return None };
    if [year.len(), month.len(), day.len()] != [4, 2, 2] {
        return None;
    }
    let (year, month, day) = (number(year, 10_000)?, number(month, 13)?, number(day, 32)?);
    (month > 0 && (1..=days(year, month)).contains(&day)).then_some((year, month, day))
}

/// Minutes east of Greenwich.
fn offset(zone: &str) -> Option<i32> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, zone) = match zone.split_at_checked(1)? {
        ("+", zone) => (1, zone),
        ("-", zone) => (-1, zone),
        _ => return None,
    };
    let (hours, minutes) = zone.split_once(':')?;
    if [hours.len(), minutes.len()] != [2, 2] {
        return None;
    }
    Some(sign * (number(hours, 25)? * 60 + number(minutes, 61)?))
}

/// A number of digits below a limit.
fn number(text: &str, limit: i32) -> Option<i32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number < limit)
}

fn days(year: i32, month: i32) -> i32 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn next((year, month, day): Date) -> Date {
    match (month, day) {
        (12, 31) => (year + 1, 1, 1),
        _ if day == days(year, month) => (year, month + 1, 1),
        _ => (year, month, day + 1),
    }
}

fn previous((year, month, day): Date) -> Date {
    match (month, day) {
        (1, 1) => (year - 1, 12, 31),
        (_, 1) => (year, month - 1, days(year, month - 1)),
        _ => (year, month, day - 1),
    }
}

/// The day in UTC, for a time since 1970.
#[cfg(feature = "cli")]
pub(crate) fn date_of(since_1970: std::time::Duration) -> Date {
    const MOST: u64 = 365 * 8030;
    let days = (since_1970.as_secs() / (60 * 60 * 24)).min(MOST);
    (0..days).fold((1970, 1, 1), |date, _| next(date))
}

#[cfg(test)]
mod tests {
    use super::in_utc;

    #[cfg(feature = "cli")]
    #[test]
    fn days_since_1970() {
        use std::time::Duration;

        use super::date_of;

        for (seconds, date) in [
            (0, (1970, 1, 1)),
            (951_782_400, (2000, 2, 29)),
            (951_868_799, (2000, 2, 29)),
            (4_102_444_800, (2100, 1, 1)),
        ] {
            assert_eq!(date_of(Duration::from_secs(seconds)), date);
        }
        assert!(date_of(Duration::MAX) < (10_000, 1, 1));
    }

    #[test]
    fn as_go_reads_and_writes_it() {
        for (text, expected) in [
            ("2026-11-27T17:05:56Z", Some("2026-11-27T17:05:56Z")),
            ("2026-11-27T7:05:56.0123+01:00", Some("2026-11-27T06:05:56Z")),
            ("2024-02-28T23:30:00,5-01:00", Some("2024-02-29T00:30:00Z")),
            ("2025-01-01T00:30:00+24:60", Some("2024-12-30T23:30:00Z")),
            ("2024-12-31T23:30:00-24:60", Some("2025-01-02T00:30:00Z")),
            ("2026-02-29T17:05:56Z", None),
            ("2026-11-27T24:05:56Z", None),
            ("2026-11-27T17:05:60Z", None),
            ("2026-11-27T17:05:56.Z", None),
            ("2026-11-27T17:05:56", None),
            ("2026-11-27t17:05:56z", None),
            ("2026-11-27T17:05:5\u{e9}Z", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(in_utc(text).as_deref(), expected, "{text}");
        }
    }
}
