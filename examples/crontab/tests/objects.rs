//! The API server accepts the objects that the tests of the laws start from.

use crd_conv::{ResourceType, testing::Trial, validation::Validator};

#[test]
fn random_objects_are_valid() {
    let resource = ResourceType::of::<crontab::CronTab>();
    let trial = Trial::of(&resource).expect("a CustomResourceDefinition");
    let validator = Validator::of(&resource).expect("a CustomResourceDefinition");
    for version in resource.definition().versions {
        for object in trial.objects(version.name).take(300) {
            let report = validator.validate(&object).expect("it can be read");
            assert!(report.accepts(), "{report}\n{object}");
        }
    }
}
