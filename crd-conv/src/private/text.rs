//! Text in constants: messages, comparisons, and the nearest name.

/// A message that is being put together. Text that doesn't fit is left out.
#[derive(Clone, Copy)]
pub(super) struct Text {
    bytes: [u8; Self::MOST],
    len: usize,
}

impl Text {
    const MOST: usize = 2048;

    pub(super) const fn new() -> Self {
        Self { bytes: [0; Self::MOST], len: 0 }
    }

    pub(super) const fn put(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.len + text.len() <= Self::MOST {
            let mut i = 0;
            while i < text.len() {
                self.bytes[self.len] = text[i];
                self.len += 1;
                i += 1;
            }
        }
        self
    }

    pub(super) const fn code(self, text: &str) -> Self {
        self.put("`").put(text).put("`")
    }

    pub(super) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    #[track_caller]
    pub(super) const fn fail(self) -> ! {
        panic!("{}", self.as_str())
    }
}

pub(super) const fn eq(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The edit distance of two names: the number of bytes that differ, are missing or are extra, plus
/// the number of swapped pairs. `None` if there are too many for a slip.
pub(super) const fn nearest(a: &str, b: &str) -> Option<usize> {
    const MOST: usize = 64;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() >= MOST || b.len() >= MOST {
        return None;
    }
    // The current row, and the row of the previous byte.
    let (mut row, mut above) = ([0; MOST], [0; MOST]);
    let mut j = 0;
    while j <= b.len() {
        row[j] = j;
        j += 1;
    }
    let mut i = 0;
    while i < a.len() {
        let two_above = above;
        above = row;
        row[0] = i + 1;
        let mut j = 0;
        while j < b.len() {
            let mut least = above[j] + (a[i] != b[j]) as usize;
            let shorter = if row[j] < above[j + 1] { row[j] } else { above[j + 1] } + 1;
            if shorter < least {
                least = shorter;
            }
            let swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            if swapped && two_above[j - 1] + 1 < least {
                least = two_above[j - 1] + 1;
            }
            row[j + 1] = least;
            j += 1;
        }
        i += 1;
    }
    let longer = if a.len() > b.len() { a.len() } else { b.len() };
    if row[b.len()] <= longer / 3 { Some(row[b.len()]) } else { None }
}

/// `v1::CronTab` of `my_operator::api::v1::CronTab`: the type with its module, without the crate.
pub const fn short_name(path: &'static str) -> &'static str {
    let bytes = path.as_bytes();
    let mut start = 0;
    let mut separators = 0;
    let mut i = bytes.len();
    while i > 0 && separators < 2 {
        i -= 1;
        if bytes[i] == b':' {
            // Skips both colons of `::`.
            i = i.saturating_sub(1);
            separators += 1;
            start = i + 2;
        }
    }
    path.split_at(start).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_have_one_module() {
        assert_eq!(short_name("crontab::v1::CronTab"), "v1::CronTab");
        assert_eq!(short_name("a::b::v1::CronTab"), "v1::CronTab");
        assert_eq!(short_name("crontab::CronTab"), "CronTab");
    }

    #[test]
    fn near_names() {
        assert_eq!(nearest("host_port", "host_prt"), Some(1));
        assert_eq!(nearest("schedule", "shcedule"), Some(1));
        assert_eq!(nearest("form", "from"), Some(1));
        assert_eq!(nearest("host_port", "hots_prot"), Some(2));
        assert_eq!(nearest("abc", "cab"), None);
        assert_eq!(nearest("a", "b"), None);
        assert_eq!(nearest("schedule", "cron_spec"), None);
    }
}
