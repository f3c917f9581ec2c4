//! The part of a type's schema that conversions ask for: what the API server drops and what it fills in.
//!
//! `schema` makes the schema of a CustomResourceDefinition, and needs much more code. This module is in every
//! build, so that no feature changes a conversion. A test compares the two. They differ only for types that `schema`
//! refuses: bounds, patterns and unknown keywords don't matter here.

pub(crate) mod keywords;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::json::{Fidelity, canonical};
use crate::plan::ForeignType;
use keywords::{
    ANNOTATIONS, ANYTHING, BOUNDS, DEPTH, Described, FLOAT, INT_OR_STRING, JUNCTORS, MAX_DEPTH,
    MAX_UNFOLDED, OPEN, PRESERVE, any_of, combine, is_compound, is_names, says_no_form,
    settled_f32, types, without_null,
};

/// What conversions know about a value.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "they are keywords of a schema")]
pub(crate) struct Outline {
    /// Whether the server keeps a null.
    pub(crate) nullable: bool,
    /// What the server fills in, in canonical form.
    pub(crate) default: Option<String>,
    pub(crate) members: BTreeMap<String, Outline>,
    /// Members with any other name.
    pub(crate) rest: Option<Box<Outline>>,
    pub(crate) items: Option<Box<Outline>>,
    /// `None` for a value of several types.
    ty: Option<String>,
    /// Whether only listed values are allowed.
    is_enum: bool,
    preserves: bool,
    int_or_string: bool,
    is_f32: bool,
}

/// Reads the outline of a type; `None` if the type has no structural schema, because the server's behavior is unknown
/// then.
pub(crate) fn outline(ty: ForeignType) -> Option<Outline> {
    let described = Described::of(ty);
    let types = described.itself.iter().cloned().collect();
    let mut reader = Reader { described: &described, types, keeping: 0, depth: None, unfolded: 0 };
    reader.value(described.root.as_value())
}

struct Reader<'d> {
    described: &'d Described,
    /// The named types around the current place.
    types: Vec<String>,
    /// How many of the places around this one preserve unknown fields.
    keeping: usize,
    /// How often a type is written out inside itself.
    depth: Option<usize>,
    unfolded: usize,
}

/// A schema without references and without `null`.
struct Node {
    keywords: Map<String, Value>,
    nullable: bool,
}

impl Reader<'_> {
    fn value(&mut self, value: &Value) -> Option<Outline> {
        let (types, depth) = (self.types.len(), self.depth);
        let node = self.node(value)?;
        let outline = self.convert(node)?;
        self.types.truncate(types);
        self.depth = depth;
        Some(outline)
    }

    fn node(&mut self, value: &Value) -> Option<Node> {
        let mut keywords = match value {
            Value::Object(keywords) => keywords.clone(),
            Value::Bool(true) => Map::new(),
            _ => return None,
        };
        let mut nullable = false;
        loop {
            if let Some(depth) = keywords.remove(DEPTH) {
                let depth = depth.as_u64().filter(|depth| (1..=MAX_DEPTH).contains(depth))?;
                self.depth = Some(usize::try_from(depth).ok()?);
            }
            if let Some(Value::String(reference)) = keywords.remove("$ref") {
                if !self.follow(&reference, &mut keywords)? {
                    return Some(Node { keywords, nullable });
                }
            } else if let Some(other) = without_null(&keywords) {
                nullable = true;
                keywords.remove("anyOf");
                keywords.remove("oneOf");
                combine(&mut keywords, other);
            } else {
                return Some(Node { keywords, nullable });
            }
        }
    }

    /// Whether the schema goes on with what a reference leads to.
    fn follow(&mut self, reference: &str, keywords: &mut Map<String, Value>) -> Option<bool> {
        let name = reference.strip_prefix("#/$defs/").unwrap_or(reference).to_owned();
        let target = self.described.document.pointer(reference)?;
        let times = self.types.iter().filter(|one| **one == name).count();
        if times > 0 && !self.unfolds(times, keywords)? {
            keywords.insert(PRESERVE.to_owned(), true.into());
            keywords.extend(target.get("type").map(|ty| ("type".to_owned(), ty.clone())));
            return Some(false);
        }
        let mut target = match target {
            Value::Object(target) => target.clone(),
            Value::Bool(true) => Map::new(),
            _ => return None,
        };
        if OPEN.contains(&name.as_str()) {
            keywords.insert(PRESERVE.to_owned(), true.into());
        }
        if name == ANYTHING {
            target.remove("type");
        }
        self.types.push(name);
        combine(keywords, target);
        Some(true)
    }

    /// Whether a type is written out once more inside itself.
    fn unfolds(&mut self, times: usize, keywords: &Map<String, Value>) -> Option<bool> {
        if self.keeping > 0 || is_true(keywords, PRESERVE) {
            return Some(false);
        }
        if times > self.depth? {
            return Some(false);
        }
        self.unfolded += 1;
        (self.unfolded < MAX_UNFOLDED).then_some(true)
    }

    fn convert(&mut self, node: Node) -> Option<Outline> {
        let Node { mut keywords, nullable } = node;
        let keeps = is_true(&keywords, PRESERVE);
        self.keeping += usize::from(keeps);
        keywords.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
        let outline = if is_compound(&keywords) && !is_true(&keywords, INT_OR_STRING) {
            let mut outline = self.compound(keywords)?;
            outline.nullable |= nullable && !outline.is_enum;
            outline
        } else {
            self.plain(keywords, nullable)?
        };
        self.keeping -= usize::from(keeps);
        Some(outline)
    }

    /// A schema that isn't made of others.
    fn plain(&mut self, mut from: Map<String, Value>, nullable: bool) -> Option<Outline> {
        let mut outline = Outline { nullable, ..Outline::preserving(&from) };
        from.retain(|keyword, _| !says_no_form(keyword));
        match from.remove("type") {
            Some(Value::String(name)) => outline.ty = Some(name),
            Some(Value::Array(names)) => {
                outline.nullable |= names.iter().any(|name| name == "null");
                let mut names = names.iter().filter_map(Value::as_str);
                outline.ty = Some(names.find(|name| *name != "null")?.to_owned());
            }
            _ if from.get("const").is_some_and(Value::is_string) => {
                outline.ty = Some("string".to_owned());
            }
            _ if outline.preserves || outline.int_or_string => {}
            _ if from.keys().all(|keyword| keyword == "default") => {
                (outline.preserves, outline.nullable) = (true, true);
            }
            _ => return None,
        }
        if outline.ty.as_deref() == Some("null") {
            return None;
        }
        let listed = from.get("enum").and_then(Value::as_array);
        outline.is_enum = from.contains_key("const")
            || listed.is_some_and(|values| values.iter().any(|value| !value.is_null()));
        outline.is_f32 = from.get("format").is_some_and(|format| format == FLOAT);
        if let Some(Value::Array(places)) = from.remove("prefixItems") {
            from.insert("items".to_owned(), any_of(places));
        }
        if let Some(items) = from.get("items") {
            outline.items = Some(Box::new(self.value(items)?));
        } else if from.get("maxItems").is_none_or(|most| *most != 0)
            && outline.ty.as_deref() == Some("array")
        {
            return None;
        }
        self.members(&from, &mut outline)?;
        if let Some(default) = from.remove("default") {
            outline.fill_in(default);
        }
        outline.nullable &= !outline.is_enum;
        Some(outline)
    }

    fn members(&mut self, from: &Map<String, Value>, outline: &mut Outline) -> Option<()> {
        for (name, property) in
            from.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let member = self.value(property)?;
            outline.members.insert(name.clone(), member);
        }
        let mut rest = from.get("additionalProperties");
        if let Some(Value::Object(patterns)) = from.get("patternProperties") {
            let mut values = patterns.values();
            rest = Some(values.next()?);
            if values.next().is_some() {
                return None;
            }
        }
        match rest {
            None | Some(Value::Bool(false)) => {}
            Some(_) if outline.preserves => {}
            Some(Value::Bool(true)) if !outline.members.is_empty() => outline.preserves = true,
            Some(value) if outline.members.is_empty() => {
                outline.rest = Some(Box::new(self.value(value)?));
            }
            Some(_) => return None,
        }
        Some(())
    }

    /// A schema that is made of others.
    fn compound(&mut self, from: Map<String, Value>) -> Option<Outline> {
        let types = self.types.len();
        let default = from.get("default").cloned();
        let (mut keywords, mut choices) = (Map::new(), Vec::new());
        let nullable = self.take_apart(from, &mut keywords, &mut choices)?;
        keywords.remove("default");
        // Bounds next to a single choice are those of its branches.
        let says_nothing = |keyword: &String| {
            says_no_form(keyword) || choices.len() == 1 && BOUNDS.contains(&keyword.as_str())
        };
        let mut whole = if !choices.is_empty() && keywords.keys().all(says_nothing) {
            Outline::preserving(&keywords)
        } else {
            self.convert(Node { keywords, nullable: false })?
        };
        for branches in choices {
            let choice = self.choice(&branches)?;
            whole.add(choice)?;
        }
        whole.nullable = (whole.nullable || nullable) && !whole.is_enum;
        self.types.truncate(types);
        if let Some(default) = default {
            whole.fill_in(default);
        }
        Some(whole)
    }

    /// Collects the keywords, and the branches of which a value fits one; whether null is a value, too.
    fn take_apart(
        &mut self,
        mut from: Map<String, Value>,
        keywords: &mut Map<String, Value>,
        choices: &mut Vec<Vec<Value>>,
    ) -> Option<bool> {
        let several: Vec<String> = types(&from).into_iter().map(str::to_owned).collect();
        let mut nullable = false;
        if several.len() > 1 {
            let names = from.remove("type");
            nullable = names.is_some_and(|names| {
                names.as_array().is_some_and(|names| names.iter().any(|name| name == "null"))
            });
            let default = from.remove("default");
            let branch = |ty: String| {
                let mut branch = from.clone();
                branch.insert("type".to_owned(), ty.into());
                Value::Object(branch)
            };
            choices.push(several.into_iter().map(branch).collect());
            from = default.map(|value| ("default".to_owned(), value)).into_iter().collect();
        }
        let junctors = JUNCTORS.map(|junctor| (junctor, from.remove(junctor)));
        combine(keywords, from);
        for (junctor, branches) in junctors {
            let Some(Value::Array(branches)) = branches else { continue };
            if junctor != "allOf" {
                choices.push(branches);
                continue;
            }
            for part in branches {
                let node = self.node(&part)?;
                nullable |= node.nullable;
                nullable |= self.take_apart(node.keywords, keywords, choices)?;
            }
        }
        Some(nullable)
    }

    /// Merges branches of which a value fits one.
    fn choice(&mut self, branches: &[Value]) -> Option<Outline> {
        let (mut nullable, mut has_names) = (false, false);
        let mut read = Vec::new();
        for value in branches {
            let types = self.types.len();
            let node = self.node(value)?;
            nullable |= node.nullable;
            if node.keywords.get("type").is_some_and(|ty| ty == "null") {
                nullable = true;
            } else if is_names(&node.keywords) {
                has_names = true;
            } else {
                read.push(self.convert(node)?);
            }
            self.types.truncate(types);
        }
        if has_names {
            let ty = Some("string".to_owned());
            read.insert(0, Outline { ty, is_enum: true, ..Outline::default() });
        }
        let all: Vec<&Outline> = read.iter().collect();
        nullable |= all.iter().any(|one| one.nullable);
        join(&all, nullable)
    }
}

impl Outline {
    /// Nothing but whether it takes other fields, or an integer or a string.
    fn preserving(keywords: &Map<String, Value>) -> Self {
        Self {
            preserves: is_true(keywords, PRESERVE),
            int_or_string: is_true(keywords, INT_OR_STRING),
            ..Self::default()
        }
    }

    /// Adds the default that the server fills in.
    fn fill_in(&mut self, mut default: Value) {
        self.settle(&mut default);
        let mut out = String::new();
        let is_there = !default.is_null()
            && canonical(&default.to_string(), Fidelity::AsServed, &mut out).is_some();
        self.default = is_there.then_some(out);
    }

    /// Makes a default of what serde writes, as `schema` does.
    fn settle(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                if self.rest.is_none() {
                    members.retain(|name, member| {
                        !member.is_null() || !self.members.contains_key(name)
                    });
                }
                for (name, member) in members {
                    if let Some(known) = self.rest.as_deref().or_else(|| self.members.get(name)) {
                        known.settle(member);
                    }
                }
            }
            Value::Array(items) => {
                if let Some(known) = &self.items {
                    for item in items {
                        known.settle(item);
                    }
                }
            }
            Value::Number(number) if self.is_f32 => {
                if let Some(float) = number.as_f64().map(settled_f32) {
                    *value = float.into();
                }
            }
            _ => {}
        }
    }

    /// Adds another outline that has to hold, too.
    fn add(&mut self, other: Self) -> Option<()> {
        let (preserves, int_or_string) = (self.preserves, self.int_or_string);
        if *self == (Self { preserves, int_or_string, ..Self::default() }) {
            *self = other;
        } else {
            let is_struct = |one: &Self| one.ty.as_deref() == Some("object") && one.rest.is_none();
            let is_new = |name| !self.members.contains_key(name);
            if !is_struct(self) || !is_struct(&other) || !other.members.keys().all(is_new) {
                return None;
            }
            self.members.extend(other.members);
            self.preserves |= other.preserves;
            self.int_or_string |= other.int_or_string;
        }
        self.preserves |= preserves;
        self.int_or_string |= int_or_string;
        Some(())
    }

    fn may_be_object(&self) -> bool {
        self.ty.as_deref().map_or(self.preserves, |ty| ty == "object")
    }
}

fn is_true(keywords: &Map<String, Value>, keyword: &str) -> bool {
    keywords.get(keyword) == Some(&Value::Bool(true))
}

/// Merges alternatives: the server has one schema at each place.
fn join(all: &[&Outline], nullable: bool) -> Option<Outline> {
    let first = *all.first()?;
    let mut whole = Outline {
        nullable,
        default: first
            .default
            .clone()
            .filter(|_| all.iter().all(|one| one.default == first.default)),
        is_enum: all.iter().all(|one| one.is_enum),
        preserves: all.iter().any(|one| one.preserves),
        int_or_string: all.iter().all(|one| one.int_or_string),
        is_f32: all.iter().all(|one| one.is_f32),
        ..Outline::default()
    };
    let is_one_of =
        |one: &&Outline, types: [&str; 2]| one.ty.as_deref().is_some_and(|ty| types.contains(&ty));
    if all.iter().all(|one| one.ty == first.ty) {
        whole.ty.clone_from(&first.ty);
    } else if all.iter().all(|one| is_one_of(one, ["integer", "number"])) {
        whole.ty = Some("number".to_owned());
    } else if all.iter().all(|one| one.int_or_string || is_one_of(one, ["integer", "string"])) {
        whole.int_or_string = true;
    } else {
        whole.preserves = true;
    }
    // A value of several types is no longer an int-or-string.
    whole.int_or_string &= whole.ty.is_some() || !whole.preserves;
    let items: Vec<&Outline> = all.iter().filter_map(|one| one.items.as_deref()).collect();
    if let [first, others @ ..] = &items[..] {
        if others.iter().any(|item| item.nullable != first.nullable) {
            return None;
        }
        whole.items = Some(Box::new(join(&items, first.nullable)?));
    }
    join_members(all, &mut whole)?;
    Some(whole)
}

fn join_members(all: &[&Outline], whole: &mut Outline) -> Option<()> {
    let mut members: BTreeMap<&String, Vec<&Outline>> = BTreeMap::new();
    for (name, member) in all.iter().flat_map(|one| &one.members) {
        members.entry(name).or_default().push(member);
    }
    let mut maps = all.iter().filter_map(|one| one.rest.as_ref());
    if let Some(first) = maps.next() {
        if !members.is_empty() || maps.any(|other| other != first) {
            return None;
        }
        whole.rest = Some(first.clone());
    }
    let objects = all.iter().filter(|one| one.may_be_object()).count();
    let anything = Outline { nullable: true, preserves: true, ..Outline::default() };
    for (name, mut declared) in members {
        let nullable = declared.iter().all(|member| member.nullable);
        // A branch that preserves unknown fields preserves this one, too.
        let holds_it = |one: &&Outline| {
            one.may_be_object() && one.preserves && !one.members.contains_key(name)
        };
        if all.iter().any(holds_it) {
            declared.push(&anything);
        }
        let mut member = join(&declared, nullable)?;
        // The server fills in a default whichever variant it is.
        member.default = member.default.filter(|_| declared.len() >= objects);
        whole.members.insert(name.clone(), member);
    }
    Some(())
}
