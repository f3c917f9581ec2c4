//! The API server accepts the objects that the tests of the laws start from, except for what CEL rules
//! forbid: the tests try such values, too.

use crd_conv::{ResourceType, testing::Trial, validation::Validator};

/// The messages of the rules that random objects break.
const RULES: [&str; 2] =
    ["a canary needs another member", "a check ends before the next one begins"];

#[test]
fn random_objects_are_valid() {
    let resource = ResourceType::of::<fleet::Fleet>();
    let trial = Trial::of(&resource).expect("a CustomResourceDefinition");
    let validator = Validator::of(&resource).expect("a CustomResourceDefinition");
    let [mut accepted, mut refused] = [0, 0];
    for version in resource.definition().versions {
        for object in trial.objects(version.name).take(300) {
            let report = validator.validate(&object).expect("it can be read");
            let mut causes = report.causes.iter();
            assert!(causes.all(|cause| RULES.contains(&&*cause.detail)), "{report}\n{object}");
            *(if report.accepts() { &mut accepted } else { &mut refused }) += 1;
        }
    }
    assert!(accepted > refused, "invalid test case: {accepted} accepted, {refused} refused");
}
