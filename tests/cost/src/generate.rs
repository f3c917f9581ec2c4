//! A crate with versioned types: a tree of structs in several versions, with rules of most kinds on
//! each hop.

use std::fmt::{self, Write};

/// How large the crate is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// Structs in each version.
    pub(crate) types: usize,
    /// Versions of the resource.
    pub(crate) versions: usize,
}

/// How many fields a struct has.
pub(crate) const FIELDS: usize = 7;

/// Returns the library's source. Its features have the names of the crates whose derives they turn
/// on. With `used`, the library uses the types as an operator does. `edited` changes one field of
/// the newest version.
pub(crate) fn library(size: Size, edited: bool) -> String {
    let mut text = String::new();
    write(&mut text, size, edited).expect("a string takes all");
    text
}

fn write(text: &mut String, size: Size, edited: bool) -> fmt::Result {
    for version in 1..=size.versions {
        writeln!(text, "pub mod v{version} {{\n    use std::collections::BTreeMap;\n")?;
        for number in 0..size.types {
            let is_edited = edited && version == size.versions && number == size.types / 2;
            structure(text, size, version, number, is_edited)?;
        }
        writeln!(text, "}}\n")?;
    }
    uses(text, size)
}

/// Two of five structs are the same in all versions. In each hop, the others rename a field, add
/// one and remove one, or convert one.
fn structure(
    text: &mut String,
    Size { types, .. }: Size,
    version: usize,
    number: usize,
    is_edited: bool,
) -> fmt::Result {
    let (kind, before) = (number % 5, version - 1);
    for (feature, derives) in [
        ("serde", "serde::Serialize, serde::Deserialize"),
        ("schemars", "schemars::JsonSchema"),
        ("versioned", "crd_conv::Versioned"),
    ] {
        writeln!(text, "    #[cfg_attr(feature = \"{feature}\", derive({derives}))]")?;
    }
    writeln!(text, "    #[cfg_attr(feature = \"serde\", serde(rename_all = \"camelCase\"))]")?;
    if version > 1 {
        let removed = if kind == 1 { format!(", removed(extra{before})") } else { String::new() };
        let says = format!("from = super::v{before}::T{number}{removed}");
        writeln!(text, "    #[cfg_attr(feature = \"versioned\", versioned({says}))]")?;
    }
    writeln!(text, "    pub struct T{number} {{")?;
    let rule = match kind {
        0 => format!("renamed_from = name{before}"),
        1 => "added".to_owned(),
        2 if version.is_multiple_of(2) => {
            "with = crd_conv::with::Inverse(crd_conv::with::IntText)".to_owned()
        }
        2 => "with = crd_conv::with::IntText".to_owned(),
        _ => String::new(),
    };
    if version > 1 && !rule.is_empty() {
        writeln!(text, "        #[cfg_attr(feature = \"versioned\", versioned({rule}))]")?;
    }
    match kind {
        0 => writeln!(text, "        pub name{version}: String,")?,
        1 => writeln!(text, "        pub extra{version}: Option<String>,")?,
        2 if version.is_multiple_of(2) => writeln!(text, "        pub size: i32,")?,
        2 => writeln!(text, "        pub size: String,")?,
        _ => writeln!(text, "        pub name: String,")?,
    }
    let edited = if is_edited { "/// Edited.\n        " } else { "" };
    let (one, many) = (2 * number + 1, 2 * number + 2);
    let one = if one < types { format!("Option<T{one}>") } else { "u16".to_owned() };
    let many = if many < types { format!("Vec<T{many}>") } else { "Vec<u8>".to_owned() };
    writeln!(
        text,
        "        {edited}pub count: Option<i64>,
        #[cfg_attr(feature = \"serde\", serde(default))]
        pub is_enabled: bool,
        #[cfg_attr(feature = \"serde\", serde(default))]
        pub labels: BTreeMap<String, String>,
        pub tags: Vec<String>,
        pub one: {one},
        pub many: {many},
    }}
"
    )
}

fn uses(text: &mut String, Size { versions, .. }: Size) -> fmt::Result {
    let each = |what: &str| {
        let each = (1..=versions).map(|version| what.replace("ROOT", &format!("v{version}::T0")));
        each.collect::<Vec<_>>().join(", ")
    };
    let read = each("serde_json::to_string(&serde_json::from_str::<ROOT>(text)?)?");
    let schemas = each("schemars::schema_for!(ROOT)");
    write!(
        text,
        "#[cfg(all(feature = \"serde\", feature = \"used\"))]
pub fn reads_and_writes(text: &str) -> serde_json::Result<Vec<String>> {{
    Ok(vec![{read}])
}}

#[cfg(all(feature = \"schemars\", feature = \"used\"))]
pub fn schemas() -> Vec<schemars::Schema> {{
    vec![{schemas}]
}}

#[cfg(all(feature = \"versioned\", feature = \"used\"))]
pub fn resource() -> crd_conv::ResourceType {{
    crd_conv::ResourceType::of::<Tree>()
}}

#[cfg(feature = \"versioned\")]
#[derive(crd_conv::Versioned)]
#[versioned(resource(group = \"example.com\", plural = \"trees\", scope = \"Namespaced\"))]
pub enum Tree {{
"
    )?;
    for version in 1..=versions {
        let storage = if version == versions { "#[versioned(storage)] " } else { "" };
        writeln!(text, "    {storage}V{version} {{ spec: v{version}::T0 }},")?;
    }
    writeln!(text, "}}")
}
