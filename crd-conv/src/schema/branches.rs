//! Reads the `oneOf`, `anyOf` and `allOf` of `schemars`: enums with data, and types that are flattened into a struct.

use serde_json::{Map, Value};

use super::both::{both, join_texts};
use super::plain::take_string;
use super::reader::{Node, Reader};
use super::union::union;
use super::variants::{Names, Read, document};
use super::{Schema, declared};
use crate::outline::keywords::{BOUNDS, JUNCTORS, combine, says_no_form, types};
use crate::plan::{Declared, Holds, Tagging};

/// What several schemas say about one place.
#[derive(Default)]
struct Parts {
    /// All keywords next to the branches.
    keywords: Map<String, Value>,
    /// Branches, of which a value fits one, or exactly one.
    choices: Vec<(Vec<Value>, bool)>,
}

impl Parts {
    /// Moves bounds next to the branches into the branches, if no other keyword there says what the value is.
    ///
    /// # Errors
    ///
    /// A bound that can't be moved into all of them.
    fn give_bounds(&mut self) -> Result<(), &'static str> {
        let [(branches, _)] = &mut self.choices[..] else { return Ok(()) };
        let is_bound = |keyword: &str| BOUNDS.contains(&keyword);
        let mut keywords = self.keywords.keys();
        if !keywords.all(|keyword| is_bound(keyword) || says_no_form(keyword)) {
            return Ok(());
        }
        for bound in BOUNDS {
            let Some(value) = self.keywords.remove(bound) else { continue };
            for branch in branches.iter_mut().filter_map(Value::as_object_mut) {
                // What a reference leads to may have a stricter one, which this would hide.
                if branch.contains_key("$ref") {
                    return Err(bound);
                }
                let own = branch.entry(bound).or_insert_with(|| value.clone());
                *own = stricter(bound, own, &value).ok_or(bound)?.clone();
            }
        }
        Ok(())
    }
}

/// The one of two bounds that takes fewer values; `None` if each may take some that the other doesn't.
fn stricter<'v>(bound: &str, one: &'v Value, other: &'v Value) -> Option<&'v Value> {
    let integer =
        |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    let order = match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => one.as_f64().partial_cmp(&other.as_f64())?,
    };
    match bound {
        _ if one == other => Some(one),
        "minimum" | "exclusiveMinimum" | "minLength" => {
            Some(if order.is_lt() { other } else { one })
        }
        "maximum" | "exclusiveMaximum" | "maxLength" => {
            Some(if order.is_gt() { other } else { one })
        }
        _ => None,
    }
}

impl Reader<'_> {
    /// Reads a schema that is made of others.
    pub(super) fn compound(
        &mut self,
        from: Map<String, Value>,
        path: &str,
        declared: Option<Declared>,
    ) -> Schema {
        let before = self.errors.len();
        let depth = self.types.len();
        let default = from.get("default").cloned();
        let mut parts = Parts::default();
        let nullable = self.take_apart(from, path, &mut parts);
        parts.keywords.remove("default");
        if let Err(bound) = parts.give_bounds() {
            self.refuse(
                path,
                format!("has `{bound}` next to the schemas of its variants, and one of them has its own `{bound}` or is another type's schema"),
                "one schema has the bounds of an integer and a string, and each bound only once",
                "write the bound on the variant that it applies to",
            );
            self.types.truncate(depth);
            return Schema::default();
        }
        let mut whole =
            if !parts.choices.is_empty() && parts.keywords.keys().all(|name| says_no_form(name)) {
                let mut whole = Schema {
                    description: take_string(&mut parts.keywords, "description"),
                    title: take_string(&mut parts.keywords, "title"),
                    ..Schema::default()
                };
                self.extensions(&mut parts.keywords, &mut whole, path);
                whole
            } else {
                let node = Node { keywords: parts.keywords, nullable: false };
                self.convert(node, path, declared)
            };
        for (branches, exclusive) in parts.choices {
            let variants = match declared {
                Some(Declared::Variants(of, tagging, variants)) => {
                    Some((of.map_type, tagging, variants))
                }
                _ => None,
            };
            if let Some(choice) = self.choice(&branches, exclusive, path, variants)
                && let Err(problem) = both(&mut whole, choice)
            {
                self.refuse(path, problem.0, problem.1, problem.2);
            }
        }
        whole.nullable = (whole.nullable || nullable) && whole.values.is_empty();
        self.types.truncate(depth);
        if let Some(default) = default.filter(|_| self.errors.len() == before) {
            self.take_default(&default, &mut whole, path);
        }
        whole
    }

    /// Whether null is a value, too.
    fn take_apart(&mut self, mut from: Map<String, Value>, path: &str, parts: &mut Parts) -> bool {
        let several: Vec<String> = types(&from).into_iter().map(str::to_owned).collect();
        let mut nullable = false;
        if several.len() > 1 {
            let types = from.remove("type");
            nullable = types
                .as_ref()
                .and_then(Value::as_array)
                .is_some_and(|types| types.iter().any(|ty| ty == "null"));
            let description = from.remove("description");
            let default = from.remove("default");
            let of_type = |ty: String| {
                let mut branch = from.clone();
                branch.insert("type".to_owned(), ty.into());
                Value::Object(branch)
            };
            parts.choices.push((several.into_iter().map(of_type).collect(), false));
            from = Map::new();
            from.extend(description.map(|text| ("description".to_owned(), text)));
            from.extend(default.map(|value| ("default".to_owned(), value)));
        }
        let junctors = JUNCTORS.map(|junctor| (junctor, from.remove(junctor)));
        combine(&mut parts.keywords, from);
        for (junctor, branches) in junctors {
            let Some(Value::Array(branches)) = branches else { continue };
            if junctor != "allOf" {
                parts.choices.push((branches, junctor == "oneOf"));
                continue;
            }
            for part in branches {
                let Some(node) = self.node(&part, path) else { continue };
                nullable |= node.nullable;
                nullable |= self.take_apart(node.keywords, path, parts);
            }
        }
        nullable
    }

    /// Reads the branches and puts them together; nothing if one couldn't be read.
    fn choice(
        &mut self,
        branches: &[Value],
        exclusive: bool,
        path: &str,
        variants: Option<(Option<&'static str>, Tagging, &'static [Holds])>,
    ) -> Option<Schema> {
        let before = self.errors.len();
        let mut nullable = false;
        let mut read: Vec<Read> = Vec::new();
        let mut names = Names::default();
        let count = branches.len();
        for (place, value) in branches.iter().enumerate() {
            let depth = self.types.len();
            let node = self.node(value, path)?;
            nullable |= node.nullable;
            if node.keywords.get("type").is_some_and(|ty| ty == "null") {
                nullable = true;
            } else if !names.take(&node.keywords) {
                let declared = variants.and_then(|(map_type, tagging, variants)| {
                    let place = (place, count);
                    let inside = of_variant(&node.keywords, tagging, variants, place)?;
                    // If both declare a map type for one place, the enum's counts.
                    Some(if map_type.is_some() { inside.with_map_type(None) } else { inside })
                });
                read.push(self.branch(node, path, declared));
            }
            self.types.truncate(depth);
        }
        let description = names.text();
        read.splice(0..0, names.branch());
        if self.errors.len() > before {
            return None;
        }
        if read.is_empty() {
            self.refuse_all(path);
            return None;
        }
        document(&mut read, exclusive);
        let (mut explicit, mut nulls) = (Vec::new(), Vec::new());
        for Read { schema, declared, .. } in &read {
            let Some(declared) = declared else { continue };
            explicit.extend(declared.explicit_defaults());
            let properties = schema.properties.iter();
            let may_be_null = properties.filter(|(_, property)| property.nullable);
            nulls
                .extend(may_be_null.filter_map(|(name, _)| Some(declared.field(name)?.field.wire)));
        }
        nulls.sort_unstable();
        nulls.dedup();
        let branches = read.into_iter().map(|one| one.schema).collect();
        match union(branches, exclusive) {
            Ok(mut whole) => {
                whole.nullable |= nullable;
                for name in explicit {
                    if whole.properties.get(name).is_some_and(|p| p.default.is_none()) {
                        self.refuse(
                            &format!("{path}.{name}"),
                            "has a default in some of the enum's variants",
                            "the API server fills in the default for every variant",
                            "write `#[serde(default)]` instead, which serde fills in when it reads the value",
                        );
                    }
                }
                for name in nulls {
                    if whole.properties.get(name).is_some_and(|property| !property.nullable) {
                        self.refuse(
                            &format!("{path}.{name}"),
                            "may be null in some of the enum's variants",
                            "the API server accepts null in all of them or in none",
                            "write `#[versioned(nullable = false)]` on the fields that are `Option`s",
                        );
                    }
                }
                whole.description = join_texts(whole.description.take(), description);
                Some(whole)
            }
            Err((problem, rule, instead)) => {
                self.refuse(path, problem, rule, instead);
                None
            }
        }
    }

    fn branch(&mut self, mut node: Node, path: &str, declared: Option<Declared>) -> Read {
        let before = self.errors.len();
        let text = take_string(&mut node.keywords, "description");
        let mut schema = self.convert(node, path, declared);
        if let Some(declared) = declared.filter(|_| self.errors.len() == before) {
            let ty = self.types.last().cloned().unwrap_or_default();
            declared::apply(&mut schema, declared, &ty, path, self.errors);
        }
        Read { schema, text, declared }
    }
}

/// The declarations for the content of a branch's variant.
fn of_variant(
    keywords: &Map<String, Value>,
    tagging: Tagging,
    variants: &'static [Holds],
    (place, count): (usize, usize),
) -> Option<Declared> {
    let properties = keywords.get("properties").and_then(Value::as_object);
    let tagged = |tag: &str| {
        let name = properties?.get(tag)?.get("const")?.as_str()?;
        variants.iter().find(|variant| variant.wire == name)
    };
    match tagging {
        Tagging::External => {
            let variant =
                variants.iter().find(|v| properties.is_some_and(|p| p.contains_key(v.wire)))?;
            Some(Declared::Around(variant.wire, variant.inside()))
        }
        Tagging::Internal { tag } => tagged(tag)?.inside().get(),
        Tagging::Adjacent { tag, content } => {
            Some(Declared::Around(content, tagged(tag)?.inside()))
        }
        Tagging::Untagged => {
            variants.get(place).filter(|_| variants.len() == count)?.inside().get()
        }
    }
}
