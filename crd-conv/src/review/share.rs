//! The number of objects in a review for each pair of versions.

use crate::definition::Definition;
use crate::resource::Path;

/// The objects of a review that were converted from the same version to the same version.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// # fn main() -> Result<(), crd_conv::ReviewError> {
/// use crd_conv::{ResourceType, Reviewer};
///
/// let request = r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"7","desiredAPIVersion":"example.com/v2",
///     "objects":[{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":3}}]}}"#;
/// let answer = Reviewer::new([ResourceType::of::<Box>()]).review(request.as_bytes())?;
/// let ways: Vec<_> = answer.objects().map(|share| (share.from, share.to, share.count)).collect();
/// assert_eq!(ways, [("v1", "v2", 1)]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Share {
    /// The resource of the objects.
    pub definition: &'static Definition,
    /// The version before the conversion.
    pub from: &'static str,
    /// The version after the conversion.
    pub to: &'static str,
    /// The number of objects.
    pub count: u64,
}

/// The counts of a review. Nearly all reviews have only one pair of versions, and for those no
/// allocation is needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    first: Option<(Way, u64)>,
    more: Vec<(Way, u64)>,
}

type Way = (&'static Definition, Path);

impl Shares {
    #[inline]
    pub(super) fn add(&mut self, definition: &'static Definition, path: Path) {
        match &mut self.first {
            Some((way, count)) if is_same(*way, (definition, path)) => *count += 1,
            None => self.first = Some(((definition, path), 1)),
            Some(_) => self.add_more((definition, path)),
        }
    }

    #[cold]
    fn add_more(&mut self, new: Way) {
        match self.more.iter_mut().find(|(way, _)| is_same(*way, new)) {
            Some((_, count)) => *count += 1,
            None => self.more.push((new, 1)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Share> {
        self.first.iter().chain(&self.more).map(|((definition, path), count)| Share {
            definition,
            from: definition.versions[path.from].name,
            to: definition.versions[path.to].name,
            count: *count,
        })
    }
}

fn is_same((definition, path): Way, other: Way) -> bool {
    path == other.1 && std::ptr::eq(definition, other.0)
}
