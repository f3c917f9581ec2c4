//! A schema's keywords as attributes.

use super::{
    default::{Default, default},
    inner::{has_struct, json_schema, unsaid},
    kind::{Kind, inner, kind, values},
    names::{camel, raw},
    rule::validation,
    text::{Docs, docs, json, number, string},
    types::{Field, Ty, Types},
};
use crate::apiserver::schema::Schema;
use crate::json::{Json, Number};

/// The attributes of a field or a type, and what can't be written.
#[derive(Default)]
pub(super) struct Attributes {
    /// Lines of a doc comment.
    pub(super) docs: Vec<String>,
    pub(super) serde: Vec<String>,
    pub(super) schemars: Vec<String>,
    /// The arguments of schemars' `extend`.
    extensions: Vec<(&'static str, Json)>,
    pub(super) versioned: Vec<String>,
    /// A function that an attribute names.
    pub(super) function: Option<String>,
    /// What isn't written, and why.
    pub(super) lost: Vec<(String, String)>,
}

impl Attributes {
    pub(super) fn describe(&mut self, description: Option<&str>) {
        match description.map(docs) {
            Some(Docs::Lines(lines)) => self.docs = lines,
            Some(Docs::Literal(text)) => self.schemars.push(format!("description = {text}")),
            None => {}
        }
    }

    pub(super) fn extend(&mut self, keyword: &'static str, value: Json) {
        self.extensions.push((keyword, value));
    }

    fn lose(&mut self, what: impl Into<String>, why: impl Into<String>) {
        self.lost.push((what.into(), why.into()));
    }

    /// The lines above a field or a type.
    pub(super) fn lines(mut self) -> Vec<String> {
        if !self.extensions.is_empty() {
            let all: Vec<_> = self
                .extensions
                .iter()
                .map(|(keyword, value)| format!("{} = {}", string(keyword), json(value)))
                .collect();
            self.schemars.push(format!("extend({})", all.join(", ")));
        }
        let mut lines = self.docs;
        for (attribute, items) in
            [("serde", self.serde), ("schemars", self.schemars), ("versioned", self.versioned)]
        {
            if !items.is_empty() {
                lines.push(format!("#[{attribute}({})]", items.join(", ")));
            }
        }
        lines
    }
}

/// How a field is written.
pub(super) struct Context<'t, 's> {
    pub(super) types: &'t Types<'s>,
    pub(super) has_camel_case: bool,
    /// The name for a function.
    pub(super) function: String,
}

/// The attributes of a field.
pub(super) fn of_field(field: &Field<'_>, context: &Context<'_, '_>) -> Attributes {
    let Field { json, name, ty, schema, is_optional, is_required, is_added, .. } = field;
    let mut out = Attributes::default();
    out.describe(schema.description.as_deref());
    let renamed = if context.has_camel_case { camel(name) } else { name.clone() };
    if renamed != *json {
        out.serde.push(format!("rename = {}", string(json)));
    }
    if *is_added {
        out.versioned.push("added".to_owned());
    }
    if schema.nullable {
        out.versioned.push("nullable".to_owned());
    }
    if *is_optional && *is_required {
        out.schemars.push("required".to_owned());
    }
    let is_struct = matches!(kind(schema), Kind::Struct { .. });
    extensions(&mut out, context.types, schema, ty);
    if !is_struct {
        values_of(&mut out, schema, ty);
        if let Some(map_type) = map_type(&mut out, schema) {
            out.versioned.push(map_type);
        }
        validations(&mut out, schema);
        junctors(&mut out, schema);
    }
    inside(&mut out, context.types, schema, ty);
    if let Some(value) = schema.default_value() {
        match default(context.types, value, ty, schema, *is_optional && !is_required) {
            Default::Attribute(text) => out.versioned.push(format!("default = {text}")),
            Default::Function => {
                out.serde.push(format!("default = \"{}\"", context.function));
                out.function = Some(value.to_string());
            }
            Default::Keyword => {
                out.extend("default", value.clone());
            }
        }
    }
    if *is_optional && !is_required {
        out.serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
    }
    out
}

/// The attributes of a struct: the keywords of its objects.
pub(super) fn of_struct(schema: &Schema) -> Attributes {
    let mut out = Attributes::default();
    if let Some(map_type) = map_type(&mut out, schema) {
        out.versioned.push(map_type);
    }
    validations(&mut out, schema);
    sizes(&mut out, schema);
    junctors(&mut out, schema);
    if !schema.values.is_empty() {
        out.lose("enum", "a struct can't be restricted to some objects");
    }
    out
}

/// The keywords of Kubernetes.
fn extensions(out: &mut Attributes, types: &Types<'_>, schema: &Schema, ty: &Ty) {
    match kind(schema) {
        Kind::IntOrString => out.versioned.push("int_or_string".to_owned()),
        Kind::Any | Kind::Open => out.versioned.push("preserve_unknown_fields".to_owned()),
        Kind::Embedded | Kind::Struct { embedded: true, .. } => {
            out.versioned.push("embedded_resource".to_owned());
        }
        Kind::List { preserves } => {
            let items = inner(schema).map(kind);
            if preserves {
                out.versioned.push("preserve_unknown_fields".to_owned());
            } else if let Some(Kind::Embedded | Kind::Struct { embedded: true, .. }) = items {
                out.versioned.push("embedded_resource".to_owned());
            }
            list_type(out, types, schema, ty);
        }
        _ => {}
    }
}

fn list_type(out: &mut Attributes, types: &Types<'_>, schema: &Schema, ty: &Ty) {
    let Some(list_type) = schema.extensions.list_type.as_deref() else { return };
    let Ty::List(items) = ty else { return };
    let fields = match **items {
        Ty::Named(id) => types.structure(id),
        _ => None,
    };
    match list_type {
        "map" => {
            let keys: Option<Vec<_>> = schema
                .extensions
                .list_map_keys
                .iter()
                .map(|key| match fields {
                    Some(items) => {
                        let field = items.fields.iter().find(|field| field.json == key);
                        field.map(|field| raw(&field.name))
                    }
                    None => Some(string(key)),
                })
                .collect();
            match keys.filter(|keys| !keys.is_empty()) {
                Some(keys) => out.versioned.push(format!("list_map_keys({})", keys.join(", "))),
                None => out.lose("x-kubernetes-list-type: map", "the items have no such keys"),
            }
        }
        "set" if fields.is_some() => {
            out.lose(
                "x-kubernetes-list-type: set",
                "the items are structs, and those of a set are plain values",
            );
        }
        "set" | "atomic" => out.versioned.push(format!("list_type = \"{list_type}\"")),
        other => out.lose(
            format!("x-kubernetes-list-type: {other}"),
            "the API server knows only `atomic`, `map` and `set`",
        ),
    }
}

fn map_type(out: &mut Attributes, schema: &Schema) -> Option<String> {
    match schema.extensions.map_type.as_deref()? {
        known @ ("atomic" | "granular") => Some(format!("map_type = \"{known}\"")),
        other => {
            out.lose(
                format!("x-kubernetes-map-type: {other}"),
                "the API server knows only `atomic` and `granular`",
            );
            None
        }
    }
}

/// The keywords of scalars, lists and maps.
fn values_of(out: &mut Attributes, schema: &Schema, ty: &Ty) {
    numbers(out, schema, ty);
    let is_plain_list = matches!(ty, Ty::List(_));
    let mut length = Vec::new();
    for (bound, keyword, name, is_plain) in [
        (schema.min_length, "minLength", "min", *ty == Ty::Text),
        (schema.max_length, "maxLength", "max", *ty == Ty::Text),
        (schema.min_items, "minItems", "min", is_plain_list),
        (schema.max_items, "maxItems", "max", is_plain_list),
    ] {
        match bound {
            Some(bound) if is_plain && bound >= 0 => length.push(format!("{name} = {bound}")),
            Some(bound) => out.extend(keyword, Json::Number(Number::Signed(bound))),
            None => {}
        }
    }
    if !length.is_empty() {
        out.schemars.push(format!("length({})", length.join(", ")));
    }
    if let Some(pattern) = &schema.pattern {
        if *ty == Ty::Text {
            out.schemars.push(format!("regex(pattern = {})", string(pattern)));
        } else {
            out.extend("pattern", Json::Text(pattern.clone()));
        }
    }
    format(out, schema, ty);
    if !schema.values.is_empty() && !matches!(ty, Ty::Named(_)) {
        out.extend("enum", Json::Array(schema.values.clone()));
    }
    sizes(out, schema);
}

fn format(out: &mut Attributes, schema: &Schema, ty: &Ty) {
    let said = match ty {
        Ty::I32 => Some("int32"),
        Ty::I64 => Some("int64"),
        Ty::F32 => Some("float"),
        Ty::F64 => Some("double"),
        _ => None,
    };
    match schema.format.as_deref() {
        format if format == said => {}
        Some("byte") => out.extend("x-crd-conv-format", Json::Text("byte".to_owned())),
        Some(format) => out.extend("format", Json::Text(format.to_owned())),
        None => out.extend("format", Json::Null),
    }
}

fn numbers(out: &mut Attributes, schema: &Schema, ty: &Ty) {
    let is_number = matches!(ty, Ty::I32 | Ty::I64 | Ty::F32 | Ty::F64);
    let mut range = Vec::new();
    for (bound, excluded, name, keyword, excluding) in [
        (schema.minimum, schema.exclusive_minimum, "min", "minimum", "exclusiveMinimum"),
        (schema.maximum, schema.exclusive_maximum, "max", "maximum", "exclusiveMaximum"),
    ] {
        match bound {
            Some(bound) if excluded => out.extend(excluding, Json::Number(bound)),
            Some(bound) if is_beyond(schema, bound) => out.extend(
                "allOf",
                Json::Array(vec![Json::Object(
                    [(keyword.to_owned(), Json::Number(bound))].into_iter().collect(),
                )]),
            ),
            Some(bound) if is_number => range.push(format!("{name} = {}", number(bound))),
            Some(bound) => out.extend(keyword, Json::Number(bound)),
            None => {}
        }
    }
    if !range.is_empty() {
        out.schemars.push(format!("range({})", range.join(", ")));
    }
    if let Some(of) = schema.multiple_of {
        out.extend("multipleOf", Json::Number(of));
    }
}

/// Whether no number of the format can reach the bound. The reader of schemars' schemas drops such a bound.
fn is_beyond(schema: &Schema, bound: Number) -> bool {
    let (low, high) = match schema.format.as_deref() {
        Some("int32") => (f64::from(i32::MIN), f64::from(i32::MAX)),
        _ => return false,
    };
    !(low..=high).contains(&bound.as_f64())
}

fn sizes(out: &mut Attributes, schema: &Schema) {
    for (bound, keyword) in
        [(schema.min_properties, "minProperties"), (schema.max_properties, "maxProperties")]
    {
        if let Some(bound) = bound {
            out.extend(keyword, Json::Number(Number::Signed(bound)));
        }
    }
}

/// The conditions on a value.
fn junctors(out: &mut Attributes, schema: &Schema) {
    let all = |schemas: &[Schema]| Json::Array(schemas.iter().map(json_schema).collect());
    for (keyword, schemas) in
        [("oneOf", &schema.one_of), ("anyOf", &schema.any_of), ("allOf", &schema.all_of)]
    {
        // An int-or-string implies its own.
        let is_implied = schema.extensions.int_or_string && keyword == "anyOf";
        if !schemas.is_empty() && !is_implied {
            match out.extensions.iter_mut().find(|(before, _)| *before == keyword) {
                Some((_, Json::Array(before))) => before.extend(schemas.iter().map(json_schema)),
                _ => out.extend(keyword, all(schemas)),
            }
        }
    }
    if let Some(not) = &schema.not {
        out.extend("not", json_schema(not));
    }
}

/// The items and values.
fn inside(out: &mut Attributes, types: &Types<'_>, schema: &Schema, ty: &Ty) {
    let (keyword, inside, ty) = match (ty, inner(schema)) {
        (Ty::List(ty), Some(items)) => ("items", items, ty),
        (Ty::Map(ty), Some(values)) => ("additionalProperties", values, ty),
        _ => return,
    };
    // The attribute on the field says all about objects in a list.
    let is_embedded = keyword == "items" && kind(inside) == Kind::Embedded;
    let is_said = is_embedded && inside.description.is_none();
    if !has_struct(types, ty) && !is_said {
        if let Some(json) = unsaid(types, ty, inside) {
            out.extend(keyword, json);
        }
        return;
    }
    let mut level = Some(inside);
    while let Some(schema) = level {
        let is_struct = matches!(kind(schema), Kind::Struct { .. });
        let has_own = if is_struct {
            schema.default_value().is_some()
        } else {
            let plain = Schema {
                ty: schema.ty,
                items: schema.items.clone(),
                additional_properties: schema.additional_properties.clone(),
                nullable: schema.nullable,
                ..Schema::default()
            };
            *schema != plain && !is_embedded
        };
        if has_own {
            out.lose(
                format!("the keywords of {keyword}"),
                "there is no attribute for a list or map that is inside of another one and has structs",
            );
        }
        level = super::kind::inner(schema);
    }
}

/// The rules for a value.
fn validations(out: &mut Attributes, schema: &Schema) {
    for rule in &schema.extensions.validations {
        match validation(rule) {
            Ok(text) => out.versioned.push(text),
            Err(why) => out.lose(format!("the rule `{}`", rule.rule), why),
        }
    }
}

/// Whether a string's values are an enum in this version, although its Rust type isn't.
pub(super) fn is_open_enum(field: &Field<'_>) -> bool {
    field.ty == Ty::Text && values(field.schema).is_some()
}
