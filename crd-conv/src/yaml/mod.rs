//! Reads and writes YAML, and keeps the text of every number.
//!
//! Neither direction uses a type that rounds: `12345678901234567890123` and `1.10` stay as they
//! are.

#[cfg(feature = "cli")]
pub(crate) mod edit;
mod error;
mod from_json;
mod from_yaml;
mod node;
mod plain;
mod write;

pub use error::YamlError;
use node::Node;
use serde::Serialize;

/// Writes a value as one YAML document that ends in a newline.
///
/// Strings that some YAML readers interpret as something else, such as `on`, `0x1F` and
/// `2001-12-14`, are quoted.
///
/// ```
/// let text = crd_conv::yaml::to_string(&[("state", "on"), ("name", "web")]).unwrap();
/// assert_eq!(text, "- - state\n  - \"on\"\n- - name\n  - web\n");
/// ```
///
/// # Errors
///
/// Fails if the value's `Serialize` fails, or in the same cases as [`from_json`].
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> Result<String, YamlError> {
    // Only one part of the crate writes YAML. `serde_saphyr`'s own writer leaves spaces at the ends
    // of empty lines.
    from_json(&serde_json::to_string(value).map_err(|error| YamlError(error.to_string()))?)
}

/// Translates every document in a YAML text to JSON. Empty documents are left out.
///
/// ```
/// let documents = crd_conv::yaml::to_json("a: 1.10\n---\nb: [12345678901234567890123]\n").unwrap();
/// assert_eq!(documents, [r#"{"a":1.10}"#, r#"{"b":[12345678901234567890123]}"#]);
/// ```
///
/// # Errors
///
/// Fails if the text isn't YAML, exceeds the limits that keep a hostile text from exhausting the
/// process, has a key that is null or occurs twice, or has a number that JSON can't express. A plain
/// scalar means what it means to kubectl: `y` is `true`, `0644` is 420, and `1_000` is 1000.
pub fn to_json(yaml: &str) -> Result<Vec<String>, YamlError> {
    from_yaml::documents(yaml)?.iter().map(Node::to_json).collect()
}

/// Translates one JSON text to one YAML document that ends in a newline.
///
/// ```
/// let text = crd_conv::yaml::from_json(r#"{"big": 12345678901234567890123, "answer": "no"}"#).unwrap();
/// assert_eq!(text, "big: 12345678901234567890123\nanswer: \"no\"\n");
/// ```
///
/// # Errors
///
/// Fails if the text isn't JSON, is nested more than 128 levels deep, has a string with half a
/// surrogate pair, or has a number beyond the range of a float, which YAML readers would interpret
/// as a string.
pub fn from_json(json: &str) -> Result<String, YamlError> {
    write::document(&from_json::document(json)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(json: &str) {
        let yaml = from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"));
        let back = to_json(&yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"));
        assert_eq!(back, [json], "{yaml}");
    }

    #[test]
    fn numbers_keep_their_digits() {
        for number in [
            "0",
            "-0",
            "1",
            "-1",
            "1.0",
            "1.10",
            "-0.0",
            "1e5",
            "1E+5",
            "1.5e-7",
            "12345678901234567890123",
            "-12345678901234567890123",
            "18446744073709551616",
            "0.1000000000000000055511151231257827",
        ] {
            there_and_back(&format!("{{\"n\":{number},\"l\":[{number}]}}"));
            there_and_back(&format!("[{number}]"));
        }
    }

    #[test]
    fn strings_stay_strings() {
        for text in [
            "",
            " ",
            "on",
            "off",
            "yes",
            "No",
            "y",
            "n",
            "true",
            "null",
            "~",
            "1",
            "1.0",
            "0x1F",
            "0o17",
            "017",
            "1_000",
            "190:20:30",
            "2001-12-14",
            "2001-12-14t21:59:43.10-05:00",
            ".inf",
            ".nan",
            "1e3",
            "-",
            "- a",
            "a: b",
            "a #b",
            "#a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "%a",
            "@a",
            "`a`",
            "{a}",
            "[a]",
            "'a'",
            "\"a\"",
            "<<",
            "=",
            "---",
            "...",
            "a\nb",
            "a\n",
            "\na",
            " a\n  b\n\n",
            "\t",
            "a\tb",
            "\u{0}",
            "\u{7f}",
            "\u{85}",
            "\u{2028}",
            "\u{feff}",
            "\\",
            "\r\n",
            "é",
            "😀",
            "a word and another, so many of them that the line becomes longer than eighty characters in all",
        ] {
            let text = serde_json::to_string(text).unwrap();
            there_and_back(&format!(
                "{{\"s\":{text},\"l\":[{text},[{text}]],\"m\":{{\"k\":{text}}}}}"
            ));
            there_and_back(&format!("{{{text}:1}}"));
        }
    }

    #[test]
    fn shapes_stay_shapes() {
        for json in [
            "null",
            "true",
            "{}",
            "[]",
            "[[]]",
            "[{}]",
            r#"{"a":{},"b":[],"c":null}"#,
            "[[1,[2]],[{\"a\":[3]}],[]]",
            r#"[{"a":1,"b":{"c":[{"d":true,"e":"f"}]}},{"g":[[{"h":1,"i":2}]]}]"#,
            r#"{"z":1,"a":2,"m":{"y":1,"b":2}}"#,
        ] {
            let yaml = from_json(json).unwrap();
            let back = to_json(&yaml).unwrap();
            // A document that contains only null counts as empty.
            assert_eq!(back, if json == "null" { vec![] } else { vec![json.to_owned()] }, "{yaml}");
        }
    }

    #[test]
    fn numbers_in_the_spellings_of_yaml_are_translated_or_refused() {
        for (yaml, json) in [
            ("0x1F", "31"),
            ("0o17", "15"),
            ("017", "15"),
            ("+5", "5"),
            (".5", "0.5"),
            ("-.5", "-0.5"),
            ("5.", "5.0"),
            ("!!float 1.10", "1.10"),
            ("!!int 12", "12"),
            ("!!str 12", "\"12\""),
            ("2001-12-14", "\"2001-12-14\""),
            ("on", "true"),
            ("\"on\"", "\"on\""),
            ("1.10 # comment", "1.10"),
            ("*a", "1.10"),
        ] {
            let documents = to_json(&format!("x: &a 1.10\nz: {yaml}\n"));
            assert_eq!(
                documents.as_deref(),
                Ok(&[format!("{{\"x\":1.10,\"z\":{json}}}")][..]),
                "{yaml}"
            );
        }
        for yaml in ["1e400", ".inf", "-.inf", ".nan"] {
            let error = to_json(&format!("y: {yaml}\n")).unwrap_err().to_string();
            assert!(error.contains("JSON"), "{yaml}: {error}");
        }
    }

    /// What `sigs.k8s.io/yaml` makes of a plain scalar, with the digits as they are written. kubectl
    /// reads manifests with it.
    #[test]
    fn plain_scalars_mean_what_they_mean_to_kubectl() {
        for (yaml, json) in [
            ("y", "true"),
            ("Y", "true"),
            ("n", "false"),
            ("N", "false"),
            ("yes", "true"),
            ("No", "false"),
            ("on", "true"),
            ("ON", "true"),
            ("oN", "\"oN\""),
            ("OFF", "false"),
            ("TRUE", "true"),
            ("tRue", "\"tRue\""),
            ("0644", "420"),
            ("010", "8"),
            ("08", "8"),
            ("-010", "-8"),
            ("+010", "8"),
            ("0O17", "15"),
            ("0b101", "5"),
            ("-0b11", "-3"),
            ("0X1F", "31"),
            ("0x", "\"0x\""),
            ("1_000", "1000"),
            ("1_000.50", "1000.50"),
            ("_1", "\"_1\""),
            ("1_", "1"),
            ("0_7", "7"),
            ("0x_1F", "31"),
            ("1__0", "10"),
            ("00", "0"),
            ("1.e3", "1.0e3"),
            ("190:20:30", "\"190:20:30\""),
            ("2001-12-14t21:59:43.10-05:00", "\"2001-12-14t21:59:43.10-05:00\""),
            ("=", "\"=\""),
            ("'y'", "\"y\""),
            ("\"0644\"", "\"0644\""),
            ("!!str y", "\"y\""),
        ] {
            let documents = to_json(&format!("a: {yaml}\n"));
            assert_eq!(documents, Ok(vec![format!("{{\"a\":{json}}}")]), "{yaml}");
            // A key is always a string. kubectl rounds numbers with a fraction.
            let key = json.trim_matches('"');
            let documents = to_json(&format!("{yaml}: 1\n"));
            if json.starts_with('"') || !json.contains('.') {
                assert_eq!(documents, Ok(vec![format!("{{\"{key}\":1}}")]), "{yaml}");
            } else {
                assert!(documents.is_err(), "{yaml}: {documents:?}");
            }
        }
    }

    /// Each is from a comparison with `sigs.k8s.io/yaml` on random texts.
    #[test]
    fn rare_texts_mean_what_they_mean_to_kubectl() {
        for (yaml, json) in [
            ("a: |\n  \nb: >-\n\nc: |+\n\n", r#"{"a":"","b":"","c":"\n"}"#),
            ("a:\nb: ''\n", r#"{"a":null,"b":""}"#),
            ("- !!binary \n- !!str\n", r#"["",""]"#),
            ("-0: -0\n", r#"{"0":-0}"#),
            ("[0b+01, 0b-01, -0b+1, 0x+1]", r#"[1,-1,"-0b+1","0x+1"]"#),
            (
                "18446744073709551615: -9223372036854775808",
                r#"{"18446744073709551615":-9223372036854775808}"#,
            ),
        ] {
            assert_eq!(to_json(yaml), Ok(vec![json.to_owned()]), "{yaml}");
        }
        for (yaml, error) in [
            ("18446744073709551616: 1", "a number, which kubectl rounds"),
            ("+.inf: 1", "a number, and not a string"),
            (".NaN: 1", "a number, and not a string"),
            ("[?a]", "means different things"),
            ("{?a: 1}", "means different things"),
        ] {
            let found = to_json(yaml).unwrap_err().to_string();
            assert!(found.contains(error), "{yaml}: {found}");
        }
    }

    #[test]
    fn several_documents_and_keys() {
        assert_eq!(
            to_json("---\na: 1\n---\n---\nb: 2\n...\n"),
            Ok(vec!["{\"a\":1}".into(), "{\"b\":2}".into()])
        );
        assert_eq!(
            to_json("a: é 1.1\nb: 1.10\n---\nc: [1.10, 2.50]\n"),
            Ok(vec!["{\"a\":\"é 1.1\",\"b\":1.10}".into(), "{\"c\":[1.10,2.50]}".into()])
        );
        assert_eq!(
            to_json("{a: 1.10, b: {c: 2.0}}"),
            Ok(vec!["{\"a\":1.10,\"b\":{\"c\":2.0}}".into()])
        );
        assert_eq!(
            to_json("x: &a {k: 1.10}\nz:\n  <<: *a\n  l: 2\n"),
            Ok(vec![r#"{"x":{"k":1.10},"z":{"l":2,"k":1.10}}"#.into()])
        );
        for text in ["a: 1\na: 2\n", "y: 1\n'true': 2\n", "1: 1\n01: 2\n", "~: 1\n", "1.10: 1\n"] {
            assert!(to_json(text).is_err(), "{text}");
        }
        assert!(to_json("[a, b]: 1\n").is_err());
        assert_eq!(to_json("\u{feff}a: 1.10\n"), Ok(vec!["{\"a\":1.10}".into()]));
        assert_eq!(to_json("a: 1.10\r\nb: 2.50\r\n"), Ok(vec!["{\"a\":1.10,\"b\":2.50}".into()]));
    }

    #[test]
    fn hostile_texts_are_errors() {
        assert!(from_json(&"[".repeat(20_000)).is_err());
        assert!(from_json(&format!("{}{}", "[".repeat(20_000), "]".repeat(20_000))).is_err());
        assert!(to_json(&"[".repeat(20_000)).is_err());
        assert!(to_json(&format!("{}{}", "[".repeat(200), "]".repeat(200))).is_err());
        let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for i in 1..12 {
            let prev = format!("*a{}", i - 1);
            let line = format!("a{i}: &a{i} [{}]\n", [prev.as_str(); 10].join(","));
            bomb.push_str(&line);
        }
        assert!(to_json(&bomb).is_err());
        for json in ["", "{", "1 2", "{\"a\":1,}", "nope", "[1e400]", "[\"\\ud800\"]", "01"] {
            assert!(from_json(json).is_err(), "{json}");
        }
        assert!(from_json("[1e400]").unwrap_err().to_string().contains("JSON"));
    }
}
