//! Many cases of a law, and the smallest that breaks it.

use std::fmt;

use super::choices::{Choices, smallest};
use super::draw::Stray;
use super::laws::{Law, Stop};
use super::subject::Subject;
use crate::crd::CrdErrors;
use crate::{Resource, VersionedResource};

/// How many choices the largest case takes.
const MAX_CHOICES: usize = 400;

/// Tries the laws on random objects of a resource.
///
/// ```
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub size: i64, pub owner: Option<String> }
/// # }
/// # mod v2 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     #[versioned(from = super::v1::Spec, removed(owner))]
/// #     pub struct Spec { #[versioned(renamed_from = size)] pub replicas: i64 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { V1 { spec: v1::Spec }, #[versioned(storage)] V2 { spec: v2::Spec } }
/// use crd_conv::Resource;
/// use crd_conv::testing::{Law, Trial};
///
/// fn main() -> Result<(), std::boxed::Box<dyn std::error::Error>> {
///     let boxes = Resource::of::<Box>();
///     let trial = Trial::of(&boxes)?.cases(50).seed(7);
///     for law in Law::ALL {
///         trial.run(law)?;
///     }
///     Ok(())
/// }
/// ```
pub struct Trial<'r> {
    subject: Subject<'r>,
    cases: u32,
    seed: u64,
}

impl<'r> Trial<'r> {
    /// Makes the schemas of a resource, from which its objects are drawn.
    ///
    /// # Errors
    ///
    /// If there is no CustomResourceDefinition for the resource.
    pub fn of(resource: &'r Resource) -> Result<Self, CrdErrors> {
        Ok(Self { subject: Subject::new(resource)?, cases: 256, seed: 0 })
    }

    /// How many cases each law gets; 256 without this.
    #[must_use]
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// Another seed gives other cases, the same one the same; 0 without this.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Random objects of a version, which its schema accepts but for what only CEL rules say. They never end; there are
    /// none of a version that the resource doesn't have.
    pub fn objects(&self, version: &str) -> impl Iterator<Item = String> {
        let versions = self.subject.resource.definition().versions;
        let version = versions.iter().position(|known| known.name == version);
        let mut random = fastrand::Rng::with_seed(self.seed);
        std::iter::from_fn(move || {
            let choices = random_choices(&mut random);
            Some(self.subject.object(version?, Stray::Valid, &mut Choices::new(&choices)))
        })
    }

    /// Tries a law.
    ///
    /// # Errors
    ///
    /// The smallest case that was found to break it.
    pub fn run(&self, law: Law) -> Result<Verdict, Broken> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut verdict = Verdict { cases: self.cases, refused: 0 };
        for case in 0..self.cases {
            let choices = random_choices(&mut random);
            let fails = |choices: &[u32]| match law.check(&self.subject, &mut Choices::new(choices))
            {
                Err(Stop::Broken(how)) => Some(how),
                _ => None,
            };
            match law.check(&self.subject, &mut Choices::new(&choices)) {
                Ok(()) => {}
                Err(Stop::Refused(_)) => verdict.refused += 1,
                Err(Stop::Broken(how)) => {
                    let how = smallest(choices, how, fails);
                    return Err(Broken { law, seed: self.seed, case, how });
                }
            }
        }
        Ok(verdict)
    }
}

fn random_choices(random: &mut fastrand::Rng) -> Vec<u32> {
    let count = random.usize(0..=MAX_CHOICES);
    (0..count).map(|_| random.u32(..)).collect()
}

impl fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cases, seed, .. } = self;
        f.debug_struct("Trial").field("cases", cases).field("seed", seed).finish_non_exhaustive()
    }
}

/// A law that held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// In how many cases.
    pub cases: u32,
    /// In how many of them a converter refused a value, so that there was nothing to see.
    pub refused: u32,
}

/// A law that didn't hold, with the smallest case that was found. `Display` shows it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The law.
    pub law: Law,
    /// The seed with which it is found again.
    pub seed: u64,
    /// The place of the case.
    pub case: u32,
    /// The objects, and what is wrong with them.
    pub how: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { law, seed, case, how } = self;
        write!(f, "the law \"{law}\" is broken (seed {seed}, case {case}):\n{how}")
    }
}

impl std::error::Error for Broken {}

/// Tries a law on a resource, as [`laws!`](crate::laws) does.
///
/// # Panics
///
/// If the law is broken, with the smallest case; if there is no CustomResourceDefinition for the resource; if every case was
/// refused by a converter.
#[track_caller]
pub fn assert_holds<T: VersionedResource>(law: Law) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let resource = Resource::of::<T>();
    let trial = match Trial::of(&resource) {
        Ok(trial) => trial,
        Err(errors) => panic!("{errors}"),
    };
    let cases = number("CRD_CONV_CASES").map(|cases| u32::try_from(cases).unwrap_or(u32::MAX));
    let trial = trial.cases(cases.unwrap_or(256)).seed(number("CRD_CONV_SEED").unwrap_or(0));
    match trial.run(law) {
        Ok(verdict) => assert!(
            verdict.refused < verdict.cases || verdict.cases == 0,
            "the converters refuse all of {} objects: let the schema refuse them, by a pattern or bounds",
            verdict.cases,
        ),
        Err(broken) => panic!("{broken}"),
    }
}

/// Tests of all laws for a resource, one for each law: one line in an author's tests.
///
/// ```
/// # mod v1 {
/// #     #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #     pub struct Spec { pub size: i64 }
/// # }
/// # #[derive(crd_conv::Versioned)]
/// # #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// # enum Box { #[versioned(storage)] V1 { spec: v1::Spec } }
/// #[cfg(test)]
/// mod laws {
///     crd_conv::laws!(super::Box);
/// }
/// ```
///
/// `CRD_CONV_CASES` says how many objects each law gets, 256 without it, and `CRD_CONV_SEED` which ones.
#[macro_export]
macro_rules! laws {
    ($resource:ty) => {
        $crate::laws!(@ $resource:
            exact_return = ExactReturn,
            exact_return_through_server = ExactReturnThroughServer,
            edits_win = EditsWin,
            path_independence = PathIndependence,
            idempotent_store = IdempotentStore,
            total = Total,
            typed = Typed,
            minimal = Minimal,
            own_entry = OwnEntry,
            deterministic = Deterministic,
            hands_off = HandsOff,
            untrusted = Untrusted,
            preserve_unknown = PreserveUnknown,
            loss_is_visible = LossIsVisible,
        );
    };
    (@ $resource:ty: $($name:ident = $law:ident,)*) => {$(
        #[test]
        fn $name() {
            $crate::testing::assert_holds::<$resource>($crate::testing::Law::$law);
        }
    )*};
}
