//! The names of API versions, in the order in which Kubernetes prefers them.

use std::{cmp::Ordering, fmt};

/// The parsed name of an API version. Kubernetes prefers the greater of two.
///
/// Names such as `v1`, `v1beta2` and `v1alpha1` compare by stability, then by their numbers. Every
/// other name is lower than these. Of two such names, Kubernetes prefers the alphabetically smaller
/// one.
///
/// ```
/// use crd_conv::Version;
///
/// let mut versions = ["foo10", "v1alpha1", "v2", "v10", "v11beta2", "foo1"].map(Version::new);
/// versions.sort_by(|a, b| b.cmp(a));
/// assert_eq!(
///     versions.map(|version| version.to_string()),
///     ["v10", "v2", "v11beta2", "v1alpha1", "foo1", "foo10"],
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Version {
    name: Box<str>,
    rank: Option<Rank>,
}

/// Versions compare by stability first, then by the major number, then by the number after `alpha`
/// or `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Rank {
    stability: Stability,
    major: i64,
    minor: i64,
}

/// The stability that a version's name declares.
///
/// ```
/// use crd_conv::{Stability, Version};
///
/// assert_eq!(Version::new("v1beta1").stability(), Some(Stability::Beta));
/// assert_eq!(Version::new("latest").stability(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stability {
    /// May be removed at any time: `v1alpha1`.
    Alpha,
    /// Is removed only after a deprecation: `v1beta1`.
    Beta,
    /// Is not removed: `v1`.
    Stable,
}

impl Version {
    /// Parses a name.
    ///
    /// Every text has a place in the order. This doesn't check whether the API server accepts it.
    pub fn new(name: impl Into<Box<str>>) -> Self {
        let name = name.into();
        let rank = rank(&name);
        Self { name, rank }
    }

    /// Returns the name as it was written.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Returns the stability that the name declares, or `None` if the name doesn't have Kubernetes'
    /// form.
    pub fn stability(&self) -> Option<Stability> {
        self.rank.map(|rank| rank.stability)
    }

    /// A key that is greater for newer versions. `v2alpha1` is newer than `v1`, although Kubernetes
    /// prefers `v1`.
    #[cfg(feature = "import")]
    pub(crate) fn age(&self) -> (Option<(i64, Stability, i64)>, &Self) {
        (self.rank.map(|Rank { stability, major, minor }| (major, stability, minor)), self)
    }
}

/// Parses `^v([0-9]+)((alpha|beta)([0-9]+))?$`. A number that Go's `int` can't hold doesn't count
/// as a number.
fn rank(name: &str) -> Option<Rank> {
    let (major, rest) = number(name.strip_prefix('v')?)?;
    let (stability, rest) = if let Some(rest) = rest.strip_prefix("alpha") {
        (Stability::Alpha, rest)
    } else if let Some(rest) = rest.strip_prefix("beta") {
        (Stability::Beta, rest)
    } else {
        return rest.is_empty().then_some(Rank { stability: Stability::Stable, major, minor: 0 });
    };
    let (minor, rest) = number(rest)?;
    rest.is_empty().then_some(Rank { stability, major, minor })
}

fn number(text: &str) -> Option<(i64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    // `parse` refuses an empty text and a number that is too big. The digits can't include a sign.
    Some((text[..end].parse().ok()?, &text[end..]))
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.rank, other.rank) {
            // `v1` and `v01` have the same rank. Comparing the names keeps the order total.
            (Some(a), Some(b)) => a.cmp(&b).then_with(|| other.name.cmp(&self.name)),
            (None, None) => other.name.cmp(&self.name),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preferred(names: &[&str]) {
        for pair in names.windows(2) {
            assert!(Version::new(pair[0]) > Version::new(pair[1]), "{} over {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn stability_goes_before_numbers_and_numbers_are_numbers() {
        preferred(&["v10", "v2", "v1", "v0", "v11beta2", "v10beta3", "v3beta10", "v3beta9"]);
        preferred(&["v1beta1", "v12alpha1", "v11alpha2", "v1alpha0"]);
    }

    #[test]
    fn other_names_come_last_in_alphabetical_order() {
        preferred(&[
            "v1alpha1",
            "V1",
            "bar",
            "foo1",
            "foo10",
            "v1alpha",
            "v1gamma1",
            "v99999999999999999999",
        ]);
        for name in ["", "v", "v1.1", "v1alpha1.1", "v1alpha", "v-1", "v+1", "v1beta1 ", "v²"] {
            assert_eq!(Version::new(name).stability(), None, "{name}");
        }
    }

    #[test]
    fn equality_and_order_agree() {
        assert_ne!(Version::new("v1"), Version::new("v01"));
        assert_ne!(Version::new("v1").cmp(&Version::new("v01")), Ordering::Equal);
        assert_eq!(Version::new("v1").cmp(&Version::new("v1")), Ordering::Equal);
    }
}
