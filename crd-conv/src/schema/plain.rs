//! The keywords of one value.

use serde_json::{Map, Value};

use super::Schema;
use crate::json::{Json, Number};

/// A format for the document that is written as it is. `format` itself is that of the Rust type, which may accept
/// more.
const FORMAT: &str = "x-crd-conv-format";

/// The formats that the API server checks, and the sizes of numbers that clients know.
/// It ignores others, and `kubectl` warns of them.
const FORMATS: &[&str] = &[
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "datetime",
    "double",
    "duration",
    "email",
    "float",
    "hexcolor",
    "hostname",
    "int32",
    "int64",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

pub(super) fn take_string(from: &mut Map<String, Value>, keyword: &str) -> Option<String> {
    match from.remove(keyword) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

pub(super) fn take_enum(from: &mut Map<String, Value>, schema: &mut Schema) {
    if let Some(Value::Array(values)) = from.remove("enum") {
        schema.values = values.iter().filter(|value| !value.is_null()).map(Json::from).collect();
    }
    if let Some(value) = from.remove("const") {
        schema.values = vec![Json::from(&value)];
    }
}

/// Single values that are none, such as the 0 of `NonZeroI8`.
pub(super) fn take_not(from: &mut Map<String, Value>, schema: &mut Schema) {
    let Some(Value::Object(not)) = from.get("not") else { return };
    let values = match (not.len(), not.get("const"), not.get("enum")) {
        (1, Some(value), _) => vec![Json::from(value)],
        (1, _, Some(Value::Array(values))) => values.iter().map(Json::from).collect(),
        _ => return,
    };
    from.remove("not");
    schema.not = Some(Box::new(Schema { values, ..Schema::default() }));
}

/// Takes the format, and what it says of a number that the server doesn't look at.
pub(super) fn take_format(from: &mut Map<String, Value>, schema: &mut Schema) {
    if let Some(format) = take_string(from, FORMAT) {
        from.remove("format");
        schema.format = Some(format);
        return;
    }
    let of = |format: &str| Schema { format: Some(format.to_owned()), ..Schema::default() };
    match take_string(from, "format").as_deref() {
        Some("uint32") => {
            schema.maximum = schema.maximum.or(Some(Number::Signed(u32::MAX.into())));
        }
        // There is no format for both kinds of address.
        Some("ip") => schema.any_of = vec![of("ipv4"), of("ipv6")],
        // The server takes no bytes at all for no bytes.
        Some("byte") => {
            let none = Schema { max_length: Some(0), ..Schema::default() };
            schema.any_of = vec![of("byte"), none];
        }
        Some(format) if FORMATS.contains(&format) => schema.format = Some(format.to_owned()),
        _ => {}
    }
}

pub(super) fn take_bounds(from: &mut Map<String, Value>, schema: &mut Schema) {
    let mut number = |keyword| match from.remove(keyword) {
        Some(Value::Number(n)) => Some(Number::from(&n)),
        _ => None,
    };
    // In OpenAPI v3 the exclusive bounds are flags beside the inclusive ones; the tighter of two bounds stays.
    schema.minimum = number("minimum");
    if let Some(bound) = number("exclusiveMinimum")
        && schema.minimum.is_none_or(|minimum| bound.as_f64() >= minimum.as_f64())
    {
        schema.minimum = Some(bound);
        schema.exclusive_minimum = true;
    }
    schema.maximum = number("maximum");
    if let Some(bound) = number("exclusiveMaximum")
        && schema.maximum.is_none_or(|maximum| bound.as_f64() <= maximum.as_f64())
    {
        schema.maximum = Some(bound);
        schema.exclusive_maximum = true;
    }
    schema.multiple_of = number("multipleOf");
    let mut count = |keyword| {
        let count = from.remove(keyword)?.as_u64()?;
        Some(i64::try_from(count).unwrap_or(i64::MAX))
    };
    schema.max_length = count("maxLength");
    schema.min_length = count("minLength");
    schema.max_items = count("maxItems");
    schema.min_items = count("minItems");
    schema.max_properties = count("maxProperties");
    schema.min_properties = count("minProperties");
    schema.pattern = take_string(from, "pattern");
}
