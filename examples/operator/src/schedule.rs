//! When a window is open.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::convert::minute;
use super::v1::{Day, MaintenanceWindowSpec};

/// A week, and the days on which a window of today may begin and end.
const DAYS: std::ops::RangeInclusive<i64> = -1..=8;

/// Whether a window is open, and when that changes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub is_open: bool,
    /// `None` if it never changes.
    pub next: Option<Timestamp>,
}

/// What a window is at a time. `None` if its start isn't a time of the day.
pub fn state(spec: &MaintenanceWindowSpec, now: Timestamp) -> Option<State> {
    let minute = minute(&spec.start).ok()?;
    let time = Time::new((minute / 60).try_into().ok()?, (minute % 60).try_into().ok()?, 0, 0);
    let time = time.ok()?;
    let length = SignedDuration::from_mins(spec.minutes.into());
    let today = now.to_zoned(TimeZone::UTC).date();
    let mut open: Option<Timestamp> = None;
    for day in DAYS {
        let Some((start, end)) = window(spec, today, day, time, length) else { continue };
        match open {
            // It goes on where the one before ends.
            Some(until) if start <= until => open = Some(until.max(end)),
            Some(until) => return Some(State { is_open: true, next: Some(until) }),
            None if end <= now => {}
            None if start > now => return Some(State { is_open: false, next: Some(start) }),
            None => open = Some(end),
        }
    }
    Some(State { is_open: open.is_some(), next: None })
}

/// The window that begins so many days from today, if it does.
fn window(
    spec: &MaintenanceWindowSpec,
    today: Date,
    day: i64,
    time: Time,
    length: SignedDuration,
) -> Option<(Timestamp, Timestamp)> {
    let date = today.checked_add(day.days()).ok()?;
    if !spec.days.is_empty() && !spec.days.contains(&weekday(date)) {
        return None;
    }
    let start = date.to_datetime(time).to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some((start, start.checked_add(length).ok()?))
}

fn weekday(date: Date) -> Day {
    match date.weekday() {
        Weekday::Monday => Day::Mon,
        Weekday::Tuesday => Day::Tue,
        Weekday::Wednesday => Day::Wed,
        Weekday::Thursday => Day::Thu,
        Weekday::Friday => Day::Fri,
        Weekday::Saturday => Day::Sat,
        Weekday::Sunday => Day::Sun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a Wednesday.
    fn at(time: &str) -> Timestamp {
        format!("2025-01-01T{time}:00Z").parse().expect("a time")
    }

    #[track_caller]
    fn is(days: &[Day], start: &str, minutes: i32, now: &str, is_open: bool, next: Option<&str>) {
        let spec = MaintenanceWindowSpec {
            start: start.to_owned(),
            minutes,
            days: days.to_vec(),
            suspended: false,
        };
        let next = next.map(|next| format!("2025-01-{next}:00Z").parse().expect("a time"));
        assert_eq!(state(&spec, at(now)), Some(State { is_open, next }));
    }

    #[test]
    fn a_window_opens_and_closes() {
        is(&[], "08:00", 60, "07:59", false, Some("01T08:00"));
        is(&[], "08:00", 60, "08:00", true, Some("01T09:00"));
        is(&[], "08:00", 60, "09:00", false, Some("02T08:00"));
    }

    #[test]
    fn one_of_yesterday_is_still_open() {
        is(&[], "22:00", 240, "01:00", true, Some("01T02:00"));
        is(&[Day::Tue], "22:00", 240, "01:00", true, Some("01T02:00"));
        is(&[Day::Wed], "22:00", 240, "01:00", false, Some("01T22:00"));
    }

    #[test]
    fn one_that_follows_another_goes_on() {
        is(&[Day::Wed, Day::Thu], "00:00", 1440, "12:00", true, Some("03T00:00"));
        is(&[], "08:00", 1440, "12:00", true, None);
        is(&[Day::Wed], "08:00", 60, "09:00", false, Some("08T08:00"));
    }

    #[test]
    fn what_is_not_a_time_has_no_state() {
        let spec = MaintenanceWindowSpec {
            start: "noon".to_owned(),
            minutes: 1,
            days: Vec::new(),
            suspended: false,
        };
        assert_eq!(state(&spec, at("00:00")), None);
    }
}
