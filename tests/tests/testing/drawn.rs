//! What the laws start from: the API server accepts the objects that are drawn.

use crd_conv::{ResourceType, VersionedResource, testing::Trial, validation::Validator};

const OBJECTS: usize = 300;

#[track_caller]
fn accepted<T: VersionedResource>() {
    let resource = ResourceType::of::<T>();
    let trial = Trial::of(&resource).expect("a CustomResourceDefinition");
    let validator = Validator::of(&resource).expect("a CustomResourceDefinition");
    for version in resource.definition().versions {
        let mut refused = Vec::new();
        for object in trial.objects(version.name).take(OBJECTS) {
            let report = validator.validate(&object).expect("it can be read");
            assert_eq!(report.version, version.name, "invalid test case");
            if !(report.accepts() && report.pruned.is_empty()) {
                refused.push(format!("{report}\n{object}"));
            }
        }
        assert!(
            refused.is_empty(),
            "{} of {OBJECTS} in {}:\n{}",
            refused.len(),
            version.name,
            refused[0]
        );
    }
}

macro_rules! accepted {
    ($($name:ident: $resource:ty;)*) => {$(
        #[test]
        fn $name() {
            accepted::<$resource>();
        }
    )*};
}

accepted! {
    atlas: crd_conv_tests::atlas::Atlas;
    chart: crd_conv_tests::alignment::Chart;
    crontab: crd_conv_tests::crontab::CronTab;
    flat: crd_conv_tests::flat::Flat;
    gadget: crd_conv_tests::gadget::Gadget;
    hotel: crd_conv_tests::hotel::Hotel;
    page: crd_conv_tests::budget::Page;
    pipe: crd_conv_tests::pipe::Pipe;
    rack: crd_conv_tests::rack::Rack;
}
