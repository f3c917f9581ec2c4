//! The fields of a struct as they are in JSON, for constants. A flattened struct is replaced with
//! its fields.

use crate::plan::{Facts, Flat};

/// The number of fields in JSON.
pub(super) const fn count(fields: &[Facts]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < fields.len() {
        count += match fields[i].field.flat {
            Flat::Fields(inside) => self::count(inside),
            Flat::No | Flat::Map => 1,
        };
        i += 1;
    }
    count
}

/// The field in JSON with this number.
pub(super) const fn nth(fields: &[Facts], mut n: usize) -> Option<&Facts> {
    let mut i = 0;
    while i < fields.len() {
        let inside = match fields[i].field.flat {
            Flat::Fields(inside) => count(inside),
            Flat::No | Flat::Map => 1,
        };
        if n < inside {
            return match fields[i].field.flat {
                Flat::Fields(inside) => nth(inside, n),
                Flat::No | Flat::Map => Some(&fields[i]),
            };
        }
        n -= inside;
        i += 1;
    }
    None
}
