//! Where a value changed its form between two versions.

use crd_conv::{ConvertError, Converter};

const DAY: i32 = 24 * 60;

/// Start and end, and start and length.
///
/// The schemas, by their patterns, refuse what this would: one object that can't be converted makes a list of all of them fail.
pub struct Length;

impl Converter<(String, String), (String, i32)> for Length {
    fn upgrade(&self, (start, end): (String, String)) -> Result<(String, i32), ConvertError> {
        let minutes = (minute(&end)? - minute(&start)?).rem_euclid(DAY);
        Ok((start, if minutes == 0 { DAY } else { minutes }))
    }

    fn downgrade(&self, (start, minutes): (String, i32)) -> Result<(String, String), ConvertError> {
        let end = minute(&start)?.checked_add(minutes).ok_or("too long a window")?.rem_euclid(DAY);
        Ok((start, format!("{:02}:{:02}", end / 60, end % 60)))
    }
}

/// The minute of the day at a time such as `22:00`.
pub fn minute(time: &str) -> Result<i32, ConvertError> {
    let number = |text: &str, limit: i32| {
        let is_short = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i32>().ok().filter(|number| is_short && *number < limit)
    };
    let parts = time.split_once(':');
    parts
        .and_then(|(hour, minute)| Some(number(hour, 24)? * 60 + number(minute, 60)?))
        .ok_or_else(|| "expected a time such as `22:00`".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(one: &str, other: &str) -> (String, String) {
        (one.to_owned(), other.to_owned())
    }

    #[test]
    fn a_window_that_ends_on_the_day_after() {
        for (start, end, minutes) in [
            ("22:00", "02:30", 270),
            ("02:30", "22:00", 1170),
            ("08:00", "08:00", 1440),
            ("23:59", "00:00", 1),
        ] {
            let newer = Length.upgrade(texts(start, end)).expect("times");
            assert_eq!(newer, (start.to_owned(), minutes));
            assert_eq!(Length.downgrade(newer).expect("times"), texts(start, end));
        }
    }

    #[test]
    fn what_is_not_a_time_is_refused() {
        for text in ["", "24:00", "1:00", "+1:00", "01:60", "noon"] {
            assert!(Length.upgrade(texts(text, "01:00")).is_err(), "{text}");
        }
    }
}
