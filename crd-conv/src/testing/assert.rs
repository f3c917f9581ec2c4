//! The laws as tests.

use std::num::NonZeroU32;
use std::str::FromStr;

use super::{converters, examples::Example, laws::Law, run::Trial, verdict::Broken};
use crate::{ResourceType, VersionedResource};

/// The variable that makes the tests of the law *total* print the table of converters.
const CONVERTERS: &str = "CRD_CONV_CONVERTERS";

/// Tries a law on a resource, as [`laws!`](crate::laws) does.
///
/// # Panics
///
/// Panics in these cases:
///
/// - The law is broken. The message has the smallest case.
/// - There is no CustomResourceDefinition for the resource.
/// - A converter refused every case.
/// - A converter [breaks](super::ConverterUse::breaks_total) the law *total*.
/// - `CRD_CONV_CASES` or `CRD_CONV_SEED` isn't a number, or the number of cases is 0.
#[track_caller]
pub fn assert_holds<T: VersionedResource>(law: Law) {
    assert_holds_with::<T>(law, std::iter::empty::<Example>());
}

/// Tries a law on a resource and on [objects of your own](Trial::examples).
///
/// # Panics
///
/// Panics in the same cases as [`assert_holds`], and if one of the objects can't be an example.
#[track_caller]
pub fn assert_holds_with<T: VersionedResource>(
    law: Law,
    examples: impl IntoIterator<Item = impl Into<Example>>,
) {
    let cases = setting::<NonZeroU32>("CRD_CONV_CASES", "a whole number from 1 to 4294967295");
    let seed = setting::<u64>("CRD_CONV_SEED", "a whole number from 0 to 18446744073709551615");
    let resource = ResourceType::of::<T>();
    let trial = match Trial::of(&resource) {
        Ok(trial) => trial,
        Err(errors) => panic!("{errors}"),
    };
    let trial = trial.cases(cases.map_or(100, NonZeroU32::get)).seed(seed.unwrap_or(0));
    let trial = match trial.examples(examples) {
        Ok(trial) => trial,
        Err(error) => panic!("{error}"),
    };
    // This isn't in a closure, because the test would then name the closure's position.
    let verdict = match trial.run(law) {
        Ok(verdict) => verdict,
        Err(broken) => {
            let table = converters::table(&trial.converters());
            panic!("{broken}\n\nTo see it again:\n  {}\n\n{table}", again(&broken))
        }
    };
    let nothing_seen = verdict.cases > 0 && verdict.refused == verdict.cases;
    if law != Law::Total && !nothing_seen {
        return;
    }
    let uses = trial.converters();
    let table = converters::table(&uses);
    if law == Law::Total && std::env::var_os(CONVERTERS).is_some() {
        println!("{}\n{table}", resource.definition().kind);
    }
    let remedy = Law::Total.remedy();
    let broken: Vec<_> = uses.iter().filter(|used| used.breaks_total()).collect();
    let broken: Vec<String> = broken.into_iter().map(ToString::to_string).collect();
    assert!(broken.is_empty(), "{}\n{remedy}\n\n{table}", broken.join("\n"));
    assert!(
        !nothing_seen,
        "converters refuse a value in each of the {} objects: {remedy}\n\n{table}",
        verdict.cases
    );
}

/// Returns the command that runs a test of a law up to the case that broke it.
fn again(Broken { seed, case, .. }: &Broken) -> String {
    let thread = std::thread::current();
    // Each test has a thread with its name, unless there is one thread for all.
    let test = thread.name().filter(|name| *name != "main").unwrap_or_default();
    let command = format!("CRD_CONV_SEED={seed} CRD_CONV_CASES={} cargo test {test}", case + 1);
    command.trim_end().to_owned()
}

/// Reads an environment variable. An invalid value is an error, because a test would otherwise
/// prove less than it seems to.
#[track_caller]
fn setting<T: FromStr>(name: &str, wanted: &str) -> Option<T> {
    let text = std::env::var_os(name)?;
    let text = text.to_string_lossy();
    let value = text.parse().ok();
    assert!(value.is_some(), "`{name}` is {text:?}: set it to {wanted}, or unset it");
    value
}

/// Makes a test of each law for a resource: one line in your tests.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// #[cfg(test)]
/// mod laws {
///     crd_conv::laws!(super::Box);
/// }
/// # fn main() {}
/// ```
///
/// `examples` takes [objects of your own](crate::testing::Trial::examples), as files or values:
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/boxes.rs"));
/// #[cfg(test)]
/// mod laws {
///     crd_conv::laws!(super::Box, examples = [std::path::Path::new("config/samples/box.yaml")]);
/// }
/// # fn main() {}
/// ```
///
/// Three environment variables change the tests:
///
/// - `CRD_CONV_CASES` sets the number of objects for each law and each pair of versions. The
///   default is 100.
/// - `CRD_CONV_SEED` sets which objects these are.
/// - `CRD_CONV_CONVERTERS=1` makes the test of *total* print what each converter accepted and
///   refused.
///
/// If one of the first two isn't a number, the tests fail.
#[macro_export]
macro_rules! laws {
    ($resource:ty $(, examples = $examples:expr)? $(,)?) => {
        $crate::laws!(@ ($resource $(, $examples)?):
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
            status_apart = StatusApart,
            room = Room,
        );
    };
    (@ $what:tt: $($name:ident = $law:ident,)*) => {$(
        #[test]
        fn $name() {
            $crate::laws!(# $law $what);
        }
    )*};
    (# $law:ident ($resource:ty)) => {
        $crate::testing::assert_holds::<$resource>($crate::testing::Law::$law)
    };
    (# $law:ident ($resource:ty, $examples:expr)) => {
        $crate::testing::assert_holds_with::<$resource>($crate::testing::Law::$law, $examples)
    };
}
