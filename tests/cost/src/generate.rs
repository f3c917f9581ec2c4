//! A crate with versioned types: a tree of structs in several versions, each hop with rules of all kinds.

use std::fmt::Write as _;

/// How large the crate is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Structs in each version.
    pub types: usize,
    /// Versions of the resource.
    pub versions: usize,
}

/// How many fields a struct has.
pub const FIELDS: usize = 7;

/// The library's source. Features named after the crates turn on their derives, and what an operator does with them.
pub fn library(size: Size) -> String {
    let mut text = String::from(USE);
    for version in 1..=size.versions {
        write!(text, "\npub mod v{version} {{\n    use std::collections::BTreeMap;\n\n")
            .expect("a text");
        for number in 0..size.types {
            structure(&mut text, size, version, number);
        }
        text.push_str("}\n");
    }
    resource(&mut text, size);
    text
}

const USE: &str = r#"#[cfg(feature = "serde")]
pub fn reads_and_writes(text: &str) -> Vec<String> {
    vec![__EACH__]
}
"#;

fn structure(text: &mut String, size: Size, version: usize, number: usize) {
    let is_first = version == 1;
    let rule = number % 5;
    let mut attributes = String::new();
    let from = || format!("from = super::v{}::T{number}", version - 1);
    if !is_first {
        let removed =
            if rule == 1 { format!(", removed(extra{})", version - 1) } else { String::new() };
        write!(
            attributes,
            "    #[cfg_attr(feature = \"versioned\", versioned({}{removed}))]\n",
            from()
        )
        .expect("a text");
    }
    write!(
        text,
        "    #[cfg_attr(feature = \"serde\", derive(serde::Serialize, serde::Deserialize))]\n    \
             #[cfg_attr(feature = \"schemars\", derive(schemars::JsonSchema))]\n    \
             #[cfg_attr(feature = \"versioned\", derive(crd_conv::Versioned))]\n\
         {attributes}    \
             #[cfg_attr(feature = \"serde\", serde(rename_all = \"camelCase\"))]\n    \
             pub struct T{number} {{\n"
    )
    .expect("a text");
    let mut field = |attributes: &str, name: &str, ty: &str| {
        if !attributes.is_empty() {
            writeln!(text, "        {attributes}").expect("a text");
        }
        writeln!(text, "        pub {name}: {ty},").expect("a text");
    };
    let versioned = |rule: &str| {
        if is_first {
            String::new()
        } else {
            format!("#[cfg_attr(feature = \"versioned\", versioned({rule}))]")
        }
    };
    match rule {
        0 => field(
            &versioned(&format!("renamed_from = name{}", version - 1)),
            &format!("name{version}"),
            "String",
        ),
        1 => field(&versioned("added"), &format!("extra{version}"), "Option<String>"),
        2 if version % 2 == 0 => field(
            &versioned("with = crd_conv::with::Inverse(crd_conv::with::IntText)"),
            "size",
            "i32",
        ),
        2 => field(&versioned("with = crd_conv::with::IntText"), "size", "String"),
        _ => field("", "name", "String"),
    }
    field("", "count", "Option<i64>");
    field("#[cfg_attr(feature = \"serde\", serde(default))]", "is_enabled", "bool");
    field("#[cfg_attr(feature = \"serde\", serde(default))]", "labels", "BTreeMap<String, String>");
    field("", "tags", "Vec<String>");
    let (one, many) = (2 * number + 1, 2 * number + 2);
    if one < size.types {
        field("", "one", &format!("Option<T{one}>"));
    } else {
        field("", "one", "u16");
    }
    if many < size.types {
        field("", "many", &format!("Vec<T{many}>"));
    } else {
        field("", "many", "Vec<u8>");
    }
    text.push_str("    }\n\n");
}

fn resource(text: &mut String, size: Size) {
    let each = |what: &dyn Fn(usize) -> String| {
        (1..=size.versions).map(what).collect::<Vec<_>>().join(", ")
    };
    let read = each(&|version| {
        format!(
            "serde_json::to_string(&serde_json::from_str::<v{version}::T0>(text).expect(\"an object\")).expect(\"a text\")"
        )
    });
    *text = text.replace("__EACH__", &read);
    let schemas = each(&|version| format!("schemars::schema_for!(v{version}::T0)"));
    write!(
        text,
        "\n#[cfg(feature = \"schemars\")]\npub fn schemas() -> Vec<schemars::Schema> {{\n    vec![{schemas}]\n}}\n\
         \n#[cfg(feature = \"versioned\")]\n#[derive(crd_conv::Versioned)]\n\
         #[versioned(resource(group = \"example.com\", plural = \"trees\", scope = \"Namespaced\"))]\n\
         pub enum Tree {{\n"
    )
    .expect("a text");
    for version in 1..=size.versions {
        let storage = if version == size.versions { "#[versioned(storage)] " } else { "" };
        writeln!(text, "    {storage}V{version} {{ spec: v{version}::T0 }},").expect("a text");
    }
    text.push_str(
        "}\n\n#[cfg(feature = \"versioned\")]\npub fn resource() -> crd_conv::Resource {\n    crd_conv::Resource::of::<Tree>()\n}\n",
    );
}
