//! Runs many cases of a law, and finds the smallest one that breaks it.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use fnv::FnvHasher;

use super::{
    choices::{Choices, random_choices, smallest},
    converters::{self, ConverterUse},
    examples::{self, Example, ExampleError},
    ground::Ground,
    laws::Law,
    pair::Pair,
    stop::Stop,
    stray::Stray,
    subject::Subject,
    tree::Tree,
    verdict::{Broken, Verdict},
};
use crate::ResourceType;
use crate::crd::CrdErrors;

/// How many objects are shown to converters.
const MAX_SHOWN: u32 = 1000;

/// A run of the laws on random objects of a resource.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// use crd_conv::ResourceType;
/// use crd_conv::testing::{Law, Trial};
///
/// fn main() -> Result<(), std::boxed::Box<dyn std::error::Error>> {
///     let boxes = ResourceType::of::<Box>();
///     let trial = Trial::of(&boxes)?.cases(50).seed(7);
///     for law in Law::ALL {
///         trial.run(law)?;
///     }
///     Ok(())
/// }
/// ```
pub struct Trial<'r> {
    ground: Ground<'r>,
    cases: u32,
    seed: u64,
}

impl<'r> Trial<'r> {
    /// Makes the schemas of a resource, from which its objects are drawn.
    ///
    /// # Errors
    ///
    /// Fails if there is no CustomResourceDefinition for the resource.
    pub fn of(resource: &'r ResourceType) -> Result<Self, CrdErrors> {
        Ok(Self { ground: Ground::new(resource)?, cases: 100, seed: 0 })
    }

    /// Sets the number of cases for each law and each pair of versions. The default is 100.
    #[must_use]
    pub fn cases(mut self, cases: u32) -> Self {
        self.cases = cases;
        self
    }

    /// Sets the seed. The same seed gives the same cases, and another one gives other cases. The
    /// default is 0.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Adds objects of your own.
    ///
    /// Each law first tries the examples of a version, each in its own case. Random objects use
    /// their values now and then. Entries in the examples are left out.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
    /// use crd_conv::ResourceType;
    /// use crd_conv::testing::Trial;
    ///
    /// fn main() -> Result<(), std::boxed::Box<dyn std::error::Error>> {
    ///     let boxes = ResourceType::of::<Box>();
    ///     let large = "{apiVersion: example.com/v1, kind: Box, metadata: {name: large}, spec: {size: 4096}}";
    ///     let trial = Trial::of(&boxes)?.examples([large])?;
    ///     let pod = trial.examples(["{apiVersion: v1, kind: Pod}"]).unwrap_err();
    ///     assert_eq!(pod.to_string(), "an example: kind: `Pod`, must be Box");
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if a file can't be read or isn't YAML or JSON. Also fails if an object isn't one of
    /// the resource that the API server accepts unchanged.
    pub fn examples<E: Into<Example>>(
        mut self,
        examples: impl IntoIterator<Item = E>,
    ) -> Result<Self, ExampleError> {
        let examples = examples.into_iter().map(Into::into);
        self.ground.examples = examples::by_version(&self.ground, examples)?;
        Ok(self)
    }

    /// Returns how many cases each law gets for each pair of versions: at least one for each
    /// example.
    pub(crate) fn count(&self) -> u32 {
        let most = self.ground.examples.iter().map(Vec::len).max().unwrap_or_default();
        self.cases.max(u32::try_from(most).unwrap_or(u32::MAX))
    }

    /// Returns random objects of a version, which its schema accepts. Only CEL rules may refuse
    /// them.
    ///
    /// They never end. For a version that the resource doesn't have, there are none.
    pub fn objects(&self, version: &str) -> impl Iterator<Item = String> {
        let version = self.place(version);
        let mut random = fastrand::Rng::with_seed(self.seed);
        std::iter::from_fn(move || {
            let choices = random_choices(&mut random);
            let mut choices = Choices::new(&choices);
            Some(self.ground.object(version?, Stray::Accepted, self.ground.learned(), &mut choices))
        })
    }

    /// Returns the pairs of versions that a law applies to: all pairs, or neighbors.
    ///
    /// A resource with one version has the pair of that version with itself.
    pub fn pairs(&self, law: Law) -> Vec<Pair> {
        let versions = self.ground.schemas.len();
        let version = |place| self.ground.version(place);
        if versions == 1 {
            return vec![Pair { from: version(0), to: version(0) }];
        }
        let pairs = (0..versions).flat_map(|from| (0..versions).map(move |to| (from, to)));
        pairs
            .filter(|(from, to)| {
                let distance = from.abs_diff(*to);
                distance == 1 || (distance > 1 && !law.is_for_neighbours())
            })
            .map(|(from, to)| Pair { from: version(from), to: version(to) })
            .collect()
    }

    /// Tries a law on all its pairs of versions.
    ///
    /// # Errors
    ///
    /// Returns the smallest case found that breaks it.
    pub fn run(&self, law: Law) -> Result<Verdict, Broken> {
        let mut verdict = Verdict::default();
        for pair in self.pairs(law) {
            verdict += self.run_pair(law, pair)?;
        }
        Ok(verdict)
    }

    /// Tries a law on one pair of versions.
    ///
    /// # Errors
    ///
    /// Returns the smallest case found that breaks it.
    pub fn run_pair(&self, law: Law, pair: Pair) -> Result<Verdict, Broken> {
        self.run_cases(law, pair, 0..self.count()).map_err(|case| self.smallest(law, pair, case))
    }

    /// Tries a law on some of the cases of a pair. Fails with the number of the first case that
    /// breaks it.
    pub(crate) fn run_cases(
        &self,
        law: Law,
        pair: Pair,
        cases: Range<u32>,
    ) -> Result<Verdict, u32> {
        let mut verdict = Verdict::default();
        for case in cases {
            let Some(subject) = self.subject(law, pair, case) else { return Ok(verdict) };
            let choices = self.choices(law, pair, case);
            match law.check(&subject, &mut Choices::new(&choices)) {
                Ok(()) => {}
                Err(Stop::Refused(_)) => verdict.refused += 1,
                Err(Stop::Broken(_)) => return Err(case),
            }
            let seen = subject.take_seen();
            verdict.cases += 1;
            verdict.kept += u32::from(seen.kept);
            verdict.dropped += u32::from(seen.dropped);
        }
        Ok(verdict)
    }

    /// Makes a case smaller that breaks a law, and returns the smallest one that still breaks it.
    pub(crate) fn smallest(&self, law: Law, pair: Pair, case: u32) -> Broken {
        let fails = |choices: &[u32]| {
            let subject = self.subject(law, pair, case)?;
            match law.check(&subject, &mut Choices::new(choices)) {
                Err(Stop::Broken(how)) => Some(how),
                _ => None,
            }
        };
        let choices = self.choices(law, pair, case);
        let how = fails(&choices).unwrap_or_default();
        let how = smallest(choices, how, fails);
        Broken { law, pair, seed: self.seed, case, how }
    }

    /// Returns how converters treat the values of examples and random objects.
    ///
    /// For each version, it takes the examples, and draws as many objects as a law gets, but at
    /// most 1000. The result covers the converters between the version and its neighbors.
    /// Converters for which no value was drawn are left out.
    ///
    /// Most laws can't judge a value that a converter refuses, so look here for
    /// [what it does](ConverterUse::breaks_total).
    pub fn converters(&self) -> Vec<ConverterUse> {
        let hops = (1..self.ground.schemas.len())
            .flat_map(|newer| [(newer - 1, newer), (newer, newer - 1)]);
        let mut uses = Vec::new();
        for (from, to) in hops {
            let pair = Pair { from: self.ground.version(from), to: self.ground.version(to) };
            let mut random = fastrand::Rng::with_seed(self.seed);
            let drawn = (0..self.cases.min(MAX_SHOWN)).map(|_| {
                let choices = random_choices(&mut random);
                let mut choices = Choices::new(&choices);
                self.ground.object(from, Stray::Valid, self.ground.learned(), &mut choices)
            });
            for object in self.ground.examples[from].iter().cloned().chain(drawn) {
                let meetings = converters::meetings(&self.ground, (from, to), &Tree::read(&object));
                converters::count(meetings, pair, &mut uses);
            }
        }
        uses
    }

    /// Returns the resource between two versions, for one case.
    fn subject(&self, law: Law, pair: Pair, case: u32) -> Option<Subject<'_>> {
        let from = self.place(pair.from)?;
        let example = self.ground.examples[from].get(usize::try_from(case).ok()?);
        let example = example.map(String::as_str);
        let subject = Subject::new(&self.ground, from, self.place(pair.to)?, example);
        Some(if law.needs_keys() { subject.with_keys() } else { subject })
    }

    fn place(&self, version: &str) -> Option<usize> {
        let versions = self.ground.resource.definition().versions;
        versions.iter().position(|known| known.name == version)
    }

    /// Returns the choices of a case. They don't depend on the cases before it, or on other laws
    /// and versions.
    fn choices(&self, law: Law, pair: Pair, case: u32) -> Vec<u32> {
        let mut hasher = FnvHasher::default();
        (self.seed, law.name(), pair, case).hash(&mut hasher);
        random_choices(&mut fastrand::Rng::with_seed(hasher.finish()))
    }
}

impl fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cases, seed, .. } = self;
        f.debug_struct("Trial").field("cases", cases).field("seed", seed).finish_non_exhaustive()
    }
}
