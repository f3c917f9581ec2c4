//! What the API server makes of what is inside converted values, and that conversions know it.

use std::sync::LazyLock;

use crd_conv::testing::{Tree, server};
use crd_conv::{ResourceType, Unrestored};
use crd_conv_tests::carried::carrier;
use crd_conv_tests::served::Server;
use crd_conv_tests::shipment::Shipment;

mod laws {
    crd_conv::laws!(crd_conv_tests::shipment::Shipment);
}

const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

static SHIPMENTS: LazyLock<ResourceType> = LazyLock::new(ResourceType::of::<Shipment>);

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::of(&SHIPMENTS, &VERSIONS));

fn object(version: &str, field: &str, value: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Shipment","metadata":{{"name":"s"}},"spec":{{"{field}":{value}}}}}"#
    )
}

fn convert(object: &str, to: usize) -> String {
    let converted = SHIPMENTS.convert(object.as_bytes(), VERSIONS[to]).expect("it converts");
    assert_eq!(converted.unrestored, Unrestored::default(), "{object}");
    converted.json
}

/// To `v1beta1` and back through the API server.
#[track_caller]
fn comes_back(field: &str, value: &str, shown: &str) {
    let spec = |object: &str| Tree::read(object).at(&["spec", field]).cloned();
    let object = object("v1alpha1", field, value);
    let there = convert(&object, 1);
    let served = SERVER.between(&there, 1);
    assert_eq!(spec(&served), Some(Tree::read(shown)), "the test's premise");
    assert_eq!(spec(&there), spec(&served), "it is written as the server has it");
    let back = convert(&served, 0);
    assert_eq!(spec(&back), Some(Tree::read(value)));
}

#[test]
fn a_null_that_the_server_drops_inside() {
    comes_back("named", "1500", r#"{"kilo":1}"#);
}

#[test]
fn a_null_in_the_place_of_an_enum() {
    comes_back("moded", "1500", r#"{"kilo":1,"note":null}"#);
}

#[test]
fn a_default_inside() {
    comes_back("defaulted", "1500", r#"{"kilo":1,"name":"x"}"#);
    comes_back("skipped", "1500", r#"{"kilo":1,"name":"x"}"#);
}

#[test]
fn in_lists_maps_and_variants() {
    comes_back(
        "deep",
        "2500",
        r#"{"inner":{"choice":{"Named":{"kilo":2}},"filled":null,"kilo":2,"list":[{"kilo":2},{"kilo":2,"name":"a"}],"map":{"a":{"kilo":2,"name":"x"}},"more":{"mode":"Fast"}}}"#,
    );
    comes_back("around", "1500", r#"{"Held":{"kilo":1}}"#);
    comes_back("tagged", "2500", r#"{"type":"Named","kilo":2}"#);
    comes_back("beside", "2500", r#"{"type":"Named","content":{"kilo":2}}"#);
    comes_back("bare", "1500", r#"{"kilo":1}"#);
}

#[test]
fn in_types_without_the_derive() {
    comes_back("foreign", "1500", r#"{"kilo":1,"modes":{},"level":5}"#);
}

#[test]
fn with_converters_of_the_library_alone() {
    comes_back("timeout", r#""90s""#, r#"{"seconds":90}"#);
}

#[test]
fn where_a_value_stands_for_what_the_converter_refuses() {
    comes_back("config", r#""level: Debug # my comment""#, "{}");
}

#[test]
fn without_an_entry_that_nobody_needs() {
    let object = object("v1alpha1", "allNamed", r#"[{"kilo":1}]"#);
    let there = convert(&object, 1);
    assert!(!carrier(&there).keys().any(|key| key.ends_with("allNamed")), "{there}");
    let back = convert(&SERVER.between(&there, 1), 0);
    assert_eq!(server::reencode(&back), server::reencode(&object));
}
