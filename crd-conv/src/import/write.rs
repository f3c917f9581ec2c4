//! The text of a module with types.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    document::{Notes, Resource},
    keyword::{self, Attributes, Context},
    names::{VARIANT_RULES, camel, raw, variants},
    suggest::{Suggestion, suggestions},
    text::{in_comment, string},
    types::{Body, Field, Struct, Ty, Type, TypeId, Types},
};

const DERIVE: &str =
    "#[derive(Clone, Debug, PartialEq, Versioned, Serialize, Deserialize, JsonSchema)]";

/// The module of types that all versions have.
pub(super) const SHARED: &str = "shared";

/// The module in which types are defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Home {
    Shared,
    Version(usize),
}

pub(super) struct Writer<'w, 's> {
    pub(super) resource: &'s Resource,
    pub(super) types: &'w Types<'s>,
    /// The types in the order in which they are written.
    pub(super) order: &'w [TypeId],
}

impl Writer<'_, '_> {
    pub(super) fn home(&self, id: TypeId) -> Home {
        let users = &self.types.get(id).users;
        let all = self.resource.versions.len();
        match users.first() {
            Some(_) if all > 1 && users.len() == all => Home::Shared,
            Some(first) => Home::Version(*first),
            None => Home::Version(self.types.get(id).version),
        }
    }

    pub(super) fn module(&self, home: Home) -> &str {
        match home {
            Home::Shared => SHARED,
            Home::Version(place) => &self.resource.versions[place].module,
        }
    }

    /// The text of a module; empty if there are no types in it.
    pub(super) fn types_of(&self, home: Home, notes: &mut Notes<'_>) -> String {
        let mut body = String::new();
        let mut functions = 0;
        let mut has = Has::default();
        for &id in self.order.iter().filter(|id| self.home(**id) == home) {
            body.push('\n');
            self.item(id, home, &mut functions, &mut has, notes, &mut body);
        }
        let uses = self.uses(home, &has, !body.is_empty());
        if uses.is_empty() { body.trim_start().to_owned() } else { uses + &body }
    }

    fn uses(&self, home: Home, has: &Has, has_types: bool) -> String {
        let mut uses = String::new();
        if has.map {
            uses += "use std::collections::BTreeMap;\n\n";
        }
        if has_types {
            uses += "use crd_conv::Versioned;\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n";
        }
        if has.int_or_string {
            uses += "\nuse super::super::common::IntOrString;\n";
        }
        let Home::Version(version) = home else { return uses };
        let mut imported: BTreeMap<Home, BTreeSet<&str>> = BTreeMap::new();
        for &id in self.order {
            let (ty, of) = (self.types.get(id), self.home(id));
            if of != home && ty.users.contains(&version) {
                imported.entry(of).or_default().insert(&ty.name);
            }
        }
        if !uses.is_empty() && !imported.is_empty() {
            uses.push('\n');
        }
        for (of, names) in imported {
            let names: Vec<_> = names.into_iter().collect();
            let names = match &*names {
                [name] => (*name).to_owned(),
                all => format!("{{{}}}", all.join(", ")),
            };
            uses += &format!("pub use super::{}::{names};\n", self.module(of));
        }
        uses
    }

    fn item(
        &self,
        id: TypeId,
        home: Home,
        functions: &mut usize,
        has: &mut Has,
        notes: &mut Notes<'_>,
        out: &mut String,
    ) {
        let ty = self.types.get(id);
        let version = match home {
            Home::Shared => "",
            Home::Version(place) => &*self.resource.versions[place].name,
        };
        let path = format!("{version} {}", ty.path).trim().to_owned();
        match &ty.body {
            Body::Enum(values) => self.enumeration(ty, values, out),
            Body::Struct(body) => {
                let mut after = String::new();
                self.structure(ty, body, out, &path, notes);
                let has_camel_case = has_camel_case(body);
                let guesses = self.guesses(id);
                for (place, field) in body.fields.iter().enumerate() {
                    let context = Context {
                        types: self.types,
                        has_camel_case,
                        function: format!("default_{}", *functions + 1),
                    };
                    let mut attributes = keyword::of_field(field, &context);
                    has.note(&field.ty);
                    let text = self.ty(&field.ty);
                    let ty = if field.is_optional { format!("Option<{text}>") } else { text };
                    if let Some(json) = attributes.function.take() {
                        *functions += 1;
                        after += &format!(
                            "\nfn {}() -> {ty} {{\n    serde_json::from_str({}).ok()\n}}\n",
                            context.function,
                            string(&json)
                        );
                    }
                    let path = format!("{path}.{}", field.json);
                    self.comments(&mut attributes, field, &path, notes, out);
                    for line in guesses
                        .iter()
                        .filter(|guess| guess.field == place)
                        .flat_map(|guess| &guess.lines)
                    {
                        *out += &format!("    // {}\n", in_comment(line));
                    }
                    lines(attributes, 4, out);
                    *out += &format!("    pub {}: {ty},\n", raw(&field.name));
                }
                if let Some(rest) = &body.rest {
                    has.map = true;
                    *out += "    #[serde(flatten)]\n    #[versioned(preserve_unknown_fields)]\n";
                    *out += &format!("    pub {rest}: BTreeMap<String, serde_json::Value>,\n");
                }
                *out += "}\n";
                *out += &after;
            }
        }
    }

    /// The lines above the fields.
    fn structure(
        &self,
        ty: &Type<'_>,
        body: &Struct<'_>,
        out: &mut String,
        path: &str,
        notes: &mut Notes<'_>,
    ) {
        let mut attributes = keyword::of_struct(ty.schema);
        let rules = std::mem::take(&mut attributes.versioned);
        attributes.describe(ty.doc);
        attributes.versioned.push("nullable = false".to_owned());
        attributes.versioned.extend(self.from(ty));
        if !body.removed.is_empty() {
            let removed: Vec<_> = body.removed.iter().map(|name| raw(name)).collect();
            attributes.versioned.push(format!("removed({})", removed.join(", ")));
        }
        attributes.versioned.extend(rules);
        if has_camel_case(body) {
            attributes.serde.push("rename_all = \"camelCase\"".to_owned());
        }
        lost(&mut attributes, path, 0, notes, out);
        for line in std::mem::take(&mut attributes.docs) {
            *out += &(line + "\n");
        }
        *out += &format!("{DERIVE}\n");
        lines(attributes, 0, out);
        *out += &format!("pub struct {} {{\n", ty.name);
    }

    fn enumeration(&self, ty: &Type<'_>, values: &[&str], out: &mut String) {
        let names = variants(values);
        *out += &format!("{DERIVE}\n");
        let is_same = |rename: fn(&str) -> String| {
            names.iter().zip(values).all(|(name, value)| rename(name) == **value)
        };
        let unchanged = names.iter().zip(values).all(|(name, value)| name == value);
        let rule = VARIANT_RULES.iter().find(|(_, rename)| !unchanged && is_same(*rename));
        if let Some((rule, _)) = rule {
            *out += &format!("#[serde(rename_all = \"{rule}\")]\n");
        }
        if let Some(from) = self.from(ty) {
            *out += &format!("#[versioned({from})]\n");
        }
        *out += &format!("pub enum {} {{\n", ty.name);
        for (name, value) in names.iter().zip(values) {
            if rule.is_none() && name != value {
                *out += &format!("    #[serde(rename = {})]\n", string(value));
            }
            *out += &format!("    {name},\n");
        }
        *out += "}\n";
    }

    fn guesses(&self, id: TypeId) -> Vec<Suggestion> {
        let before = self.types.get(id).version.saturating_sub(1);
        suggestions(self.types, id, &self.resource.versions[before].name)
    }

    fn from(&self, ty: &Type<'_>) -> Option<String> {
        let from = ty.from?;
        let module = self.module(self.home(from));
        Some(format!("from = super::{module}::{}", self.types.get(from).name))
    }

    fn comments(
        &self,
        attributes: &mut Attributes,
        field: &Field<'_>,
        path: &str,
        notes: &mut Notes<'_>,
        out: &mut String,
    ) {
        lost(attributes, path, 4, notes, out);
        if field.is_required && !field.requiring.is_empty() {
            let names: Vec<_> = field
                .requiring
                .iter()
                .map(|place| in_comment(&self.resource.versions[*place].name))
                .collect();
            *out += &format!(
                "    // import: required in {} only; an object of another version may lack it. To show a value instead: `added(value = …)`.\n",
                names.join(" and ")
            );
        }
        if keyword::is_open_enum(field) {
            *out += "    // import: the values differ between the versions. With an enum, `removed(Old = …)` says what becomes of a value.\n";
        }
    }

    /// A type's name in a module of this resource.
    fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Text => "String".to_owned(),
            Ty::Boolean => "bool".to_owned(),
            Ty::I32 => "i32".to_owned(),
            Ty::I64 => "i64".to_owned(),
            Ty::F32 => "f32".to_owned(),
            Ty::F64 => "f64".to_owned(),
            Ty::IntOrString => "IntOrString".to_owned(),
            Ty::Value => "serde_json::Value".to_owned(),
            Ty::Open => "BTreeMap<String, serde_json::Value>".to_owned(),
            Ty::List(inner) => format!("Vec<{}>", self.ty(inner)),
            Ty::Map(inner) => format!("BTreeMap<String, {}>", self.ty(inner)),
            Ty::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Ty::Named(id) => self.types.get(*id).name.clone(),
        }
    }
}

/// What a module has to import.
#[derive(Default)]
struct Has {
    map: bool,
    int_or_string: bool,
}

impl Has {
    fn note(&mut self, ty: &Ty) {
        match ty {
            Ty::Map(inner) => {
                self.map = true;
                self.note(inner);
            }
            Ty::List(inner) | Ty::Option(inner) => self.note(inner),
            Ty::Open => self.map = true,
            Ty::IntOrString => self.int_or_string = true,
            _ => {}
        }
    }
}

/// Whether serde's `camelCase` says most of the names.
fn has_camel_case(body: &Struct<'_>) -> bool {
    body.fields.iter().any(|field| field.name.contains('_') && camel(&field.name) == field.json)
}

fn lines(attributes: Attributes, indent: usize, out: &mut String) {
    let space = " ".repeat(indent);
    for line in attributes.lines() {
        *out += &format!("{space}{line}\n");
    }
}

/// Comments and notes about what isn't written.
fn lost(
    attributes: &mut Attributes,
    path: &str,
    indent: usize,
    notes: &mut Notes<'_>,
    out: &mut String,
) {
    let space = " ".repeat(indent);
    for (what, why) in std::mem::take(&mut attributes.lost) {
        *out += &format!(
            "{space}// import: {} can't be written: {}\n",
            in_comment(&what),
            in_comment(&why)
        );
        notes.add(path, format!("{what} can't be written"), why);
    }
}
