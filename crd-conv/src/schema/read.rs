//! From the JSON Schema that `schemars` gives to a structural schema.

use serde_json::{Map, Value};

use super::{
    Extensions, Schema, SchemaError, SchemaType,
    both::require,
    bounds,
    conditions::conditions,
    declared, default,
    plain::{take_bounds, take_enum, take_format, take_not, take_string},
    reader::{Node, Reader, References},
};
use crate::outline::{
    conditions::take_conditions,
    keywords::{ANNOTATIONS, DEPTH, Described, INT_OR_STRING, PRESERVE, any_of, is_compound},
};
use crate::{definition::TypeRef, json::Json, plan::Declared};

/// Reads the schema of a type that stands at `path` in the object.
pub(crate) fn read(ty: TypeRef, path: &str, errors: &mut Vec<SchemaError>) -> Schema {
    // Only a resource that has no schemas has such a type, and `crd` refuses that first.
    let Some(of) = ty.schema else { return Schema::default() };
    let Described { document, root, itself } = Described::of(of);
    let types = std::iter::once(ty.name.to_owned()).chain(itself).collect();
    let before = errors.len();
    let mut reader = Reader { references: References::new(&document), types, errors };
    let declared = ty.declared.get();
    let mut schema = reader.schema(root.as_value(), path, declared);
    // If the schema couldn't be read, the declarations aren't checked against it.
    if let Some(declared) = declared.filter(|_| errors.len() == before) {
        declared::apply(&mut schema, declared, ty.name, path, errors);
    }
    schema
}

impl Reader<'_> {
    pub(super) fn schema(
        &mut self,
        value: &Value,
        path: &str,
        declared: Option<Declared>,
    ) -> Schema {
        let (types, errors) = (self.types.len(), self.errors.len());
        let References { depth, unfolded, .. } = self.references;
        let schema = match self.node(value, path) {
            Some(node) => self.convert(node, path, declared),
            None => Schema::default(),
        };
        // A type that contains itself is written out there at least once.
        let says_depth = value.get(DEPTH).is_some() && depth.is_none();
        if says_depth && self.references.unfolded == unfolded && self.errors.len() == errors {
            self.refuse(
                path,
                "has a `recursion_depth`, and contains no type that contains itself",
                "only a type that contains itself needs it",
                "remove `recursion_depth`",
            );
        }
        self.references.depth = depth;
        self.types.truncate(types);
        schema
    }

    pub(super) fn node(&mut self, value: &Value, path: &str) -> Option<Node> {
        let node = self.references.node(value, &mut self.types);
        for (ty, problem, rule, instead) in self.references.refused.drain(..) {
            self.errors.push(SchemaError { path: path.to_owned(), ty, problem, rule, instead });
        }
        node
    }

    pub(super) fn convert(&mut self, node: Node, path: &str, declared: Option<Declared>) -> Schema {
        let keeps = node.keywords.get(PRESERVE) == Some(&Value::Bool(true));
        self.references.keeping += usize::from(keeps);
        let before = self.errors.len();
        let mut schema = self.convert_inside(node, path, declared);
        self.references.keeping -= usize::from(keeps);
        if let Some(declared) = declared.filter(|_| self.errors.len() == before)
            && let Err((problem, rule, instead)) = declared::map_type(&mut schema, declared)
        {
            self.refuse(path, problem, rule, instead);
        }
        schema
    }

    fn convert_inside(&mut self, node: Node, path: &str, declared: Option<Declared>) -> Schema {
        let Node { keywords: mut from, nullable } = node;
        from.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
        if declared.is_some_and(Declared::preserves) {
            from.insert(PRESERVE.to_owned(), true.into());
        }
        let conditions = conditions(take_conditions(&mut from));
        if is_compound(&from) && from.get(INT_OR_STRING) != Some(&Value::Bool(true)) {
            let mut schema = self.compound(from, path, declared);
            require(&mut schema, conditions);
            schema.nullable |= nullable && schema.values.is_empty();
            return schema;
        }
        let mut schema = Schema { nullable, ..Schema::default() };
        self.extensions(&mut from, &mut schema, path);
        schema.description = take_string(&mut from, "description");
        schema.title = take_string(&mut from, "title");
        if !self.take_type(&mut from, &mut schema, path) {
            return schema;
        }
        take_enum(&mut from, &mut schema);
        take_not(&mut from, &mut schema);
        take_bounds(&mut from, &mut schema);
        take_format(&mut from, &mut schema);
        if schema.ty == Some(SchemaType::Integer) {
            bounds::settle(&mut schema);
        }
        self.take_list(&mut from, &mut schema, path, declared);
        self.take_object(&mut from, &mut schema, path, declared);
        require(&mut schema, conditions);
        if let Some(default) = from.remove("default") {
            self.take_default(&default, &mut schema, path);
        }
        // The API server never takes null for an enum, even where both are declared.
        schema.nullable &= schema.values.is_empty();
        for keyword in from.keys() {
            self.refuse(
                path,
                format!("uses the keyword `{keyword}`"),
                "a structural schema can't have it",
                "express it with an `x-kubernetes-validations` rule, or leave it out with `#[schemars(transform = …)]`",
            );
        }
        schema
    }

    pub(super) fn extensions(
        &mut self,
        from: &mut Map<String, Value>,
        schema: &mut Schema,
        path: &str,
    ) {
        let names: Vec<String> =
            from.keys().filter(|name| name.starts_with("x-kubernetes-")).cloned().collect();
        let taken = names.into_iter().filter_map(|name| from.remove_entry(&name));
        let taken = taken.map(|(name, value)| (name, Json::from(&value))).collect();
        let (extensions, report) = Extensions::of_type(taken);
        schema.extensions = extensions;
        let dropped = report.warnings.into_iter().map(|warning| (warning.path, warning.problem));
        let refused = report.violations.into_iter().map(|one| (one.path, one.problem));
        for (place, instead) in refused.chain(dropped) {
            self.refuse(
                path,
                format!("has `{place}`, which the API server can't read"),
                "Kubernetes' own keywords have fixed types",
                instead,
            );
        }
        if schema.extensions.preserve_unknown_fields == Some(false) {
            self.refuse(
                path,
                format!("sets `{PRESERVE}` to a value other than true"),
                "the extension must be true or absent",
                "remove it",
            );
        }
        if schema.extensions.int_or_string {
            // The one form that the server takes needs neither; with them it must be in one fixed order.
            from.remove("anyOf");
            from.remove("oneOf");
            from.remove("format");
            let null = |ty: &Value| ty == "null";
            schema.nullable |= from
                .remove("type")
                .is_some_and(|ty| ty.as_array().is_some_and(|types| types.iter().any(null)));
            let several = ["properties", "additionalProperties", "items"];
            if schema.preserves() || several.iter().any(|keyword| from.contains_key(*keyword)) {
                self.refuse(
                    path,
                    "is an integer or a string, and has fields or items",
                    "an integer or a string has none",
                    "remove `int_or_string`, or change the type",
                );
            }
        }
    }

    /// Finds the type; `false` if nothing further can be read.
    fn take_type(
        &mut self,
        from: &mut Map<String, Value>,
        schema: &mut Schema,
        path: &str,
    ) -> bool {
        let name = match from.remove("type") {
            Some(Value::String(name)) => Some(name),
            Some(Value::Array(names)) => {
                schema.nullable |= names.iter().any(|name| name == "null");
                let mut names = names.iter().filter_map(Value::as_str);
                Some(names.find(|name| *name != "null").unwrap_or("null").to_owned())
            }
            _ => None,
        };
        let name = name.or_else(|| {
            from.get("const").is_some_and(Value::is_string).then(|| "string".to_owned())
        });
        schema.ty = match name.as_deref() {
            Some("array") => Some(SchemaType::Array),
            Some("boolean") => Some(SchemaType::Boolean),
            Some("integer") => Some(SchemaType::Integer),
            Some("number") => Some(SchemaType::Number),
            Some("object") => Some(SchemaType::Object),
            Some("string") => Some(SchemaType::Text),
            Some("null") => {
                self.refuse(
                    path,
                    "can only be null",
                    "the API server has no type `null`",
                    "write a `bool`, or a struct with braces, `struct Name {}`, or leave the field out with `#[serde(skip)]`",
                );
                return false;
            }
            None if schema.preserves() || schema.extensions.int_or_string => None,
            // Anything at all, null among it.
            None if from.keys().all(|keyword| keyword == "default") => {
                schema.extensions.preserve_unknown_fields = Some(true);
                schema.nullable = true;
                None
            }
            _ => {
                self.refuse(
                    path,
                    "has no type",
                    "every place needs a type",
                    "name a type, or keep any value with `#[versioned(preserve_unknown_fields)]`",
                );
                return false;
            }
        };
        true
    }

    fn take_list(
        &mut self,
        from: &mut Map<String, Value>,
        schema: &mut Schema,
        path: &str,
        declared: Option<Declared>,
    ) {
        let tuple = from.remove("prefixItems");
        let is_tuple = tuple.is_some();
        if let Some(Value::Array(places)) = tuple {
            from.insert("items".to_owned(), any_of(places));
        }
        if let Some(items) = from.remove("items") {
            let inside = match declared {
                Some(Declared::Items(inside)) => Some(inside()),
                _ => None,
            };
            let (path, before) = (format!("{path}[]"), self.errors.len());
            schema.items = Some(Box::new(self.schema(&items, &path, inside)));
            let found = self.errors[before..].iter_mut().filter(|error| error.path == path);
            for error in found.filter(|error| is_tuple && error.problem.starts_with("is an enum")) {
                let instead = "write a struct with named fields";
                (error.problem, error.instead) =
                    (error.problem.replacen("is an enum", "is a tuple", 1), instead.to_owned());
            }
        } else if schema.max_items == Some(0) {
            schema.items = Some(Box::new(Schema::anything()));
        } else if schema.ty == Some(SchemaType::Array) {
            self.refuse(
                path,
                "is a list of anything",
                "a list needs a schema for its items",
                "name the type of the items",
            );
        }
        if from.remove("uniqueItems") == Some(Value::Bool(true))
            && let Some(items) = &schema.items
            && declared::fits_set(items)
        {
            schema.extensions.list_type.get_or_insert_with(|| "set".to_owned());
        }
    }

    fn take_object(
        &mut self,
        from: &mut Map<String, Value>,
        schema: &mut Schema,
        path: &str,
        declared: Option<Declared>,
    ) {
        if let Some(Value::Object(mut properties)) = from.remove("properties") {
            for (name, property) in &mut properties {
                let path = format!("{path}.{name}");
                let facts = declared.and_then(|declared| declared.field(name));
                let map_type = facts.and_then(|facts| facts.said.map_type);
                let inside = declared.and_then(|declared| declared.inside(name));
                let inside = match (inside, map_type) {
                    // What is said of the field counts for more than what its type says.
                    (Some(inside), Some(_)) => Some(inside.with_map_type(map_type)),
                    (inside, _) => inside,
                };
                if let Some(facts) = facts
                    && let Err((problem, rule, instead)) = declared::declare(property, &facts.said)
                {
                    self.refuse(&path, problem, rule, instead);
                }
                let property = self.schema(property, &path, inside);
                schema.properties.insert(name.clone(), property);
            }
        }
        if let Some(Value::Array(required)) = from.remove("required") {
            schema.required =
                required.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            schema.required.sort();
            schema.required.dedup();
        }
        // Keys are strings to the API server.
        from.remove("propertyNames");
        if let Some(Value::Object(patterns)) = from.remove("patternProperties") {
            let mut values = patterns.into_iter().map(|(_, value)| value);
            if let (Some(value), None) = (values.next(), values.next()) {
                from.insert("additionalProperties".to_owned(), value);
            } else {
                from.remove("additionalProperties");
                self.refuse(
                    path,
                    "is a map whose values depend on their keys",
                    "the API server supports only maps with one schema for all values",
                    "write a struct with a field for each kind of value",
                );
            }
        }
        let Some(additional) = from.remove("additionalProperties") else { return };
        if schema.preserves() {
            // Nothing is pruned there anyway, and the two together say something else to old servers.
        } else if additional == Value::Bool(false) {
            // The server prunes unknown fields before anyone could be told of them.
            schema.closed = true;
        } else if additional == Value::Bool(true) && !schema.properties.is_empty() {
            schema.extensions.preserve_unknown_fields = Some(true);
        } else if schema.properties.is_empty() {
            let inside = match declared {
                Some(Declared::Values(inside)) => Some(inside()),
                declared => declared.and_then(Declared::rest),
            };
            let value = self.schema(&additional, &format!("{path}.*"), inside);
            schema.additional_properties = Some(Box::new(value));
        } else {
            self.refuse(
                path,
                "has named fields and a flattened map",
                "`properties` and `additionalProperties` exclude each other",
                "give the map its own field, or write `#[versioned(preserve_unknown_fields)]` on it",
            );
        }
    }

    pub(super) fn take_default(&mut self, value: &Value, schema: &mut Schema, path: &str) {
        let mut value = Json::from(value);
        default::settle(&mut value, schema);
        // `null` counts as no default.
        if value == Json::Null {
            return;
        }
        if let Some(problem) = default::misfit(&value, schema) {
            self.refuse(
                path,
                problem,
                "a default must fit its own schema",
                "change the default, or the type",
            );
        }
        schema.default = Some(value);
    }
}
