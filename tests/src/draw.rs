//! Objects that a list of choices draws from the schema of a version. Fewer and smaller choices
//! make a smaller object, so a shorter list makes a smaller object, too.

use serde_json::Value;

/// The versions of every [`Subject`], oldest first.
pub const VERSIONS: [&str; 4] = ["v1alpha1", "v1beta1", "v1beta2", "v1"];

/// A resource of four versions.
#[derive(Debug)]
pub struct Subject {
    pub kind: &'static str,
    /// The names of fields that belong together, by version. A field in no row keeps its name in
    /// all versions.
    pub rows: &'static [[&'static [&'static str]; 4]],
    /// Fields that no rule reads on any hop.
    pub free: [&'static [&'static str]; 4],
    /// Fields that have a value of their own kind even in objects that stray, because not every
    /// version has what is inside.
    pub whole: &'static [&'static str],
    /// Returns the schemas of a version's stanzas, as schemars makes them.
    pub stanzas: fn(usize) -> Vec<(&'static str, Value)>,
}

/// How far an object may stray from its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stray {
    /// Only by missing fields.
    Partial,
    /// Also by unknown fields, and by odd values where no rule reads them.
    Harmless,
    /// By odd values everywhere.
    Anywhere,
}

const ODD: [&str; 7] = ["null", "[]", "{}", "7", "\"x\"", "[null,{}]", "{\"a\":[1.0]}"];

/// Values that some versions know, and others don't.
const ODD_VARIANTS: [&str; 8] = [
    "\"Zzz\"",
    "\"Void\"",
    r#"{"Gone":null}"#,
    r#"{"kind":"Dot","type":"Point"}"#,
    r#"{"type":"Lost","x":1}"#,
    r#"{"type":7,"kind":"Zzz"}"#,
    r#"{"t":"go","stage":"asleep"}"#,
    r#"{"stage":"start","t":[]}"#,
];

const ANYTHING: [&str; 12] = [
    "\"\"",
    "\"a\"",
    "null",
    "-0",
    "1.10",
    "1e2",
    "12345678901234567890123",
    r#""\ud800""#,
    r#""\u0041\/\n""#,
    "[ 1 , 2.0 ]",
    r#"{ "b":1,"a":{"c":null}}"#,
    "true",
];

const MAX_DEPTH: usize = 7;

struct Draw<'c> {
    subject: &'c Subject,
    choices: std::slice::Iter<'c, u32>,
    version: usize,
    stray: Stray,
    definitions: Value,
}

/// Draws an object of a version.
pub fn object(subject: &Subject, version: usize, stray: Stray, choices: &[u32]) -> String {
    let definitions = Value::Null;
    let mut draw = Draw { subject, choices: choices.iter(), version, stray, definitions };
    let metadata =
        ["", r#""metadata":{"name":"a","labels":{"b":"c"}},"#, r#""metadata":{},"#][draw.below(3)];
    let mut members = vec![format!(
        r#""kind":"{}",{metadata}"apiVersion":"example.com/{}""#,
        subject.kind, VERSIONS[version]
    )];
    for (stanza, schema) in (subject.stanzas)(version) {
        if draw.below(8) != 1 {
            draw.definitions = schema.get("$defs").cloned().unwrap_or_default();
            members.push(format!("\"{stanza}\":{}", draw.value(stanza, &schema, 0)));
        }
    }
    object_of(&members)
}

impl Draw<'_> {
    /// Returns a number below a limit, or 0 if no choices are left.
    fn below(&mut self, limit: usize) -> usize {
        self.choices.next().map_or(0, |choice| *choice as usize % limit)
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        texts[self.below(texts.len())].to_owned()
    }

    fn strays(&mut self, name: &str) -> bool {
        match self.stray {
            Stray::Partial => false,
            Stray::Harmless => !self.subject.whole.contains(&name) && self.below(25) == 1,
            Stray::Anywhere => self.below(12) == 1,
        }
    }

    fn value(&mut self, name: &str, schema: &Value, depth: usize) -> String {
        if let Some(either) = schema["anyOf"].as_array() {
            return match &either[..] {
                [_, nothing] if nothing["type"] == "null" && self.below(8) == 1 => {
                    "null".to_owned()
                }
                [inner, nothing] if nothing["type"] == "null" => self.value(name, inner, depth),
                variants => self.variant(name, variants, depth),
            };
        }
        if let Some(variants) = schema["oneOf"].as_array() {
            return self.variant(name, variants, depth);
        }
        if let Some(names) = schema["enum"].as_array() {
            return names[self.below(names.len())].to_string();
        }
        if let Some(reference) = schema["$ref"].as_str() {
            let name_of = reference.rsplit('/').next().unwrap_or_default();
            let schema = self.definitions[name_of].clone();
            return self.value(name, &schema, depth);
        }
        let (kind, nullable) = match &schema["type"] {
            Value::Array(kinds) => (kinds[0].as_str(), true),
            kind => (kind.as_str(), false),
        };
        if nullable && self.below(6) == 1 {
            return "null".to_owned();
        }
        match kind {
            Some("object" | "array") if self.strays(name) => self.one_of(&ODD),
            Some("object") if depth >= MAX_DEPTH => "{}".to_owned(),
            Some("array") if depth >= MAX_DEPTH => "[]".to_owned(),
            Some("object") if schema["properties"].is_object() => {
                object_of(&self.fields(schema, depth))
            }
            Some("object") => self.map(schema, depth),
            Some("array") => self.list(schema, depth),
            _ if self.stray != Stray::Partial
                && self.subject.free[self.version].contains(&name) =>
            {
                self.one_of(&ANYTHING)
            }
            _ if self.stray == Stray::Anywhere && self.strays(name) => self.one_of(&ODD),
            Some("integer") => {
                self.one_of(&["1", "0", "2", "-1", "7", "9223372036854775807", "12"])
            }
            _ => self.one_of(&[
                "\"\"",
                "\"a\"",
                "\"b\"",
                "\"none\"",
                "\"u\"",
                "\"a: 1\"",
                "\"a b\"",
                "\"a  b\"",
                "\"\\u0061:b:\"",
            ]),
        }
    }

    /// Draws one of an enum's variants.
    fn variant(&mut self, name: &str, variants: &[Value], depth: usize) -> String {
        if self.strays(name) {
            return if self.below(2) == 0 { self.one_of(&ODD) } else { self.one_of(&ODD_VARIANTS) };
        }
        let chosen = if depth >= MAX_DEPTH { 0 } else { self.below(variants.len()) };
        let schema = &variants[chosen];
        let Some(properties) = schema["properties"].as_object() else {
            return self.value(name, schema, depth);
        };
        let tag = properties.iter().find_map(|(name, value)| Some((name, value.get("const")?)));
        match (tag, schema["$ref"].as_str()) {
            (Some((tag, value)), reference) => {
                let mut fields = match reference.and_then(|reference| reference.rsplit('/').next())
                {
                    Some(name) => self.definitions[name].clone(),
                    None => schema.clone(),
                };
                if let Some(fields) = fields["properties"].as_object_mut() {
                    fields.remove(tag);
                }
                let mut members = self.fields(&fields, depth);
                // The tag may have the same name as a field of another version.
                members.retain(|member| !member.starts_with(&format!("\"{tag}\":")));
                let place = self.below(members.len() + 1);
                members.insert(place, format!("\"{tag}\":{value}"));
                object_of(&members)
            }
            // The variant's name is the only key.
            (None, None) if properties.len() == 1 && schema["additionalProperties"] == false => {
                let (name, schema) = properties.iter().next().expect("one");
                let mut members =
                    vec![format!("\"{name}\":{}", self.value(name, schema, depth + 1))];
                if self.stray != Stray::Partial && self.below(15) == 1 {
                    members.push(self.one_of(&["\"Zzz\":1", "\"Void\":{}", "\"Gone\":[]"]));
                }
                object_of(&members)
            }
            _ => self.value(name, schema, depth),
        }
    }

    fn fields(&mut self, schema: &Value, depth: usize) -> Vec<String> {
        let Some(properties) = schema["properties"].as_object().filter(|fields| !fields.is_empty())
        else {
            return Vec::new();
        };
        let mut members = Vec::new();
        let turn = self.below(properties.len());
        let turned = properties.iter().cycle().skip(turn).take(properties.len());
        for (name, schema) in turned {
            if self.below(5) > 2 - depth.min(1) {
                members.push(format!("\"{name}\":{}", self.value(name, schema, depth + 1)));
            }
        }
        if schema["additionalProperties"].is_object() {
            members.extend(self.entries(schema, depth));
        }
        if self.stray != Stray::Partial && self.below(6) == 1 {
            let names: Vec<&str> = self
                .subject
                .rows
                .iter()
                .flatten()
                .flat_map(|names| names.iter().copied())
                .chain(["unknown"])
                .filter(|name| !properties.contains_key(*name))
                .collect();
            let name = names[self.below(names.len())];
            members.push(format!("\"{name}\":{}", self.one_of(&ANYTHING)));
        }
        members
    }

    fn map(&mut self, schema: &Value, depth: usize) -> String {
        format!("{{{}}}", self.entries(schema, depth).join(" , "))
    }

    fn entries(&mut self, schema: &Value, depth: usize) -> Vec<String> {
        let mut members = Vec::new();
        for key in ["\"a\"", "\"b/\\\"\"", "\"\""] {
            if self.below(2) == 1 {
                members.push(format!(
                    "{key}:{}",
                    self.value("", &schema["additionalProperties"], depth + 1)
                ));
            }
        }
        members
    }

    fn list(&mut self, schema: &Value, depth: usize) -> String {
        let mut items: Vec<String> =
            (0..self.below(4)).map(|_| self.value("", &schema["items"], depth + 1)).collect();
        if !items.is_empty() && self.below(3) == 1 {
            let twin = items[self.below(items.len())].clone();
            items.push(twin);
        }
        format!("[{}]", items.join(" ,"))
    }
}

fn object_of(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}
