//! The conversions of `tests/features`, with the features that the workspace has.

#[expect(unreachable_pub, reason = "the file is the root of another crate")]
#[path = "../../features/src/lib.rs"]
mod api;

#[test]
fn conversions_are_those_of_every_other_set_of_features() {
    assert_eq!(api::conversions(), include_str!("../../features/conversions.txt"));
}
