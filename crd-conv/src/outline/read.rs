//! Reads the outline from the schema that `schemars` makes.

use serde_json::{Map, Value};

use super::{
    Outline,
    conditions::take_conditions,
    is_true,
    join::join,
    keywords::{
        ANNOTATIONS, BOUNDS, Described, FLOAT, INT_OR_STRING, JUNCTORS, PRESERVE, any_of, combine,
        is_compound, is_names, says_no_form, types,
    },
    references::{Node, References},
};

pub(super) struct Reader<'d> {
    references: References<'d>,
    /// The named types around the current place. The outermost one's name isn't known.
    types: Vec<String>,
}

impl<'d> Reader<'d> {
    pub(super) fn new(described: &'d Described) -> Self {
        let types = std::iter::once(String::new()).chain(described.itself.clone()).collect();
        Self { references: References::new(&described.document), types }
    }
}

impl Reader<'_> {
    pub(super) fn value(&mut self, value: &Value) -> Option<Outline> {
        let (types, depth) = (self.types.len(), self.references.depth);
        let node = self.node(value)?;
        let outline = self.convert(node)?;
        self.types.truncate(types);
        self.references.depth = depth;
        Some(outline)
    }

    fn node(&mut self, value: &Value) -> Option<Node> {
        let node = self.references.node(value, &mut self.types)?;
        self.references.refused.is_empty().then_some(node)
    }

    fn convert(&mut self, node: Node) -> Option<Outline> {
        let Node { mut keywords, nullable } = node;
        let keeps = is_true(&keywords, PRESERVE);
        self.references.keeping += usize::from(keeps);
        keywords.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
        take_conditions(&mut keywords);
        let outline = if is_compound(&keywords) && !is_true(&keywords, INT_OR_STRING) {
            let mut outline = self.compound(keywords)?;
            outline.nullable |= nullable && !outline.is_enum;
            outline
        } else {
            self.plain(keywords, nullable)?
        };
        self.references.keeping -= usize::from(keeps);
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
