//! The error of a converter is the source of the conversion's error.

use std::error::Error;
use std::fmt;

use crd_conv::{ConversionError, ConvertError, Converter, ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq)]
struct Full {
    most: i64,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} fit", self.most)
    }
}

impl Error for Full {}

struct Fits;

impl Converter<i64, i64> for Fits {
    fn upgrade(&self, older: i64) -> Result<i64, ConvertError> {
        if older > 3 { Err(Full { most: 3 }.into()) } else { Ok(older) }
    }

    fn downgrade(&self, newer: i64) -> Result<i64, ConvertError> {
        Ok(newer)
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        boxes: i64,
    }
}

mod v2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Spec)]
    pub(super) struct Spec {
        #[versioned(with = Fits)]
        boxes: i64,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "shelves", scope = "Namespaced"))]
enum Shelf {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

fn error(boxes: &str) -> ConversionError {
    let object = format!(
        r#"{{"apiVersion":"example.com/v1","kind":"Shelf","metadata":{{"name":"a"}},"spec":{{"boxes":{boxes}}}}}"#
    );
    let shelves = ResourceType::of::<Shelf>();
    shelves.convert(object.as_bytes(), "v2").expect_err("the converter refuses it")
}

#[test]
fn it_has_the_converter_s_own_type() {
    let error = error("4");
    assert!(error.to_string().ends_with("`spec.boxes`: at most 3 fit"), "{error}");
    let source = error.source().and_then(|source| source.downcast_ref::<Full>());
    assert_eq!(source, Some(&Full { most: 3 }));
}

#[test]
fn a_value_that_the_field_s_type_cannot_hold_has_serde_s_error() {
    let error = error("\"many\"");
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    assert!(source.contains("invalid type: string \"many\""), "{error}: {source}");
}
