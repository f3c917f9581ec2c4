//! The manifests of an operator.

/// The CustomResourceDefinition.
pub const CRD: &str = include_str!(concat!(env!("OUT_DIR"), "/crd.yaml"));

#[test]
fn it_is_what_the_program_prints() {
    let printed = include_str!("../../../examples/crontab/crd.yaml");
    assert_eq!(CRD, printed);
}
