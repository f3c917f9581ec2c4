//! The same conversions as with every other set of features.

use std::path::Path;

#[test]
fn features_change_no_conversion() {
    let conversions = features::conversions();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conversions.txt");
    if std::env::var_os("CRD_CONV_BLESS").is_some() {
        std::fs::write(&path, &conversions).expect("a file");
    }
    let known = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(known, conversions);
}
