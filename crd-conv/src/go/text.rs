//! JSON as Go reads it.

use std::collections::BTreeMap;

use super::refusal::Refusal;
use crate::json::{Json, Number, Scanner, SyntaxError};

/// Deeper values are refused, though the server reads them: no schema gets there.
const MAX_DEPTH: usize = 500;

impl From<SyntaxError> for Refusal {
    fn from(error: SyntaxError) -> Self {
        Self::new(&error.to_string())
    }
}

/// Reads a text as the server does: an integer that fits 64 bits with a sign is one, every other number is a float; the last
/// of equal keys counts; half a surrogate pair is U+FFFD.
///
/// Source: `Unmarshal` of `k8s.io/apimachinery/pkg/util/json`.
///
/// # Errors
///
/// If the text isn't JSON, if a number is too large for a float, and if the value nests deeper than 500 levels.
pub(crate) fn read(text: &str) -> Result<Json, Refusal> {
    let mut scanner = Scanner::new(text);
    let value = value(&mut scanner, 0)?;
    scanner.end()?;
    Ok(value)
}

fn value(scanner: &mut Scanner<'_>, depth: usize) -> Result<Json, Refusal> {
    if depth > MAX_DEPTH {
        return Err(Refusal::new(&format!("more than {MAX_DEPTH} levels of nesting")));
    }
    match scanner.peek() {
        b'{' => {
            scanner.enter_object()?;
            let mut members = BTreeMap::new();
            let mut first = true;
            while let Some(key) = scanner.next_member(first)? {
                first = false;
                let name = key.decoded(scanner.text()).into_owned();
                members.insert(name, value(scanner, depth + 1)?);
            }
            Ok(Json::Object(members))
        }
        b'[' => {
            scanner.enter_array()?;
            let mut items = Vec::new();
            while scanner.next_element(items.is_empty())? {
                items.push(value(scanner, depth + 1)?);
            }
            Ok(Json::Array(items))
        }
        b'"' => {
            let string = scanner.string()?;
            Ok(Json::Text(string.decoded(scanner.text()).into_owned()))
        }
        _ => {
            let start = scanner.pos;
            scanner.skip_value()?;
            match &scanner.text()[start..scanner.pos] {
                "null" => Ok(Json::Null),
                "true" => Ok(Json::Boolean(true)),
                "false" => Ok(Json::Boolean(false)),
                text => number(text).map(Json::Number),
            }
        }
    }
}

fn number(text: &str) -> Result<Number, Refusal> {
    if let Ok(integer) = text.parse() {
        return Ok(Number::Signed(integer));
    }
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Number::Float(float)),
        _ => Err(Refusal::new(&format!("the number {text} is out of range"))),
    }
}
