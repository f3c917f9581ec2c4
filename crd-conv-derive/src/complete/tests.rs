//! Compares the derive's keywords with the items that rust-analyzer completes.

use std::{collections::BTreeMap, fs};

use quote::ToTokens;
use syn::{Attribute, DeriveInput, Item, UseTree, Visibility, parse_quote};

use super::keywords;
use crate::{attr::keywords::Level, derive::derive};

#[test]
fn every_keyword_has_an_item() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crd-conv/src/private/complete.rs");
    let file = syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap();
    let mut modules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for item in file.items {
        if let Item::Mod(module) = item {
            let (_, items) = module.content.unwrap();
            modules.insert(module.ident.to_string(), items.iter().flat_map(public).collect());
        }
    }
    for (level, keywords) in Level::all() {
        let module = level.module();
        let mut items = modules.remove(module).unwrap_or_else(|| panic!("no module `{module}`"));
        let keywords = keywords.into_iter().filter(|keyword| !matches!(*keyword, "crate" | "type"));
        let mut keywords: Vec<_> = keywords.collect();
        items.sort();
        keywords.sort_unstable();
        assert_eq!(items, keywords, "in `{module}`");
    }
    assert!(modules.is_empty(), "no list of keywords has one of these modules: {modules:?}");
}

/// The public names of an item that documents a keyword.
fn public(item: &Item) -> Vec<String> {
    let name = |attrs: &[Attribute], name: &syn::Ident| {
        assert!(attrs.iter().any(|attr| attr.path().is_ident("doc")), "nothing explains `{name}`");
        vec![name.to_string()]
    };
    match item {
        Item::Const(item) => name(&item.attrs, &item.ident),
        Item::Fn(item) => name(&item.attrs, &item.sig.ident),
        Item::Use(item) if matches!(item.vis, Visibility::Public(_)) => named(&item.tree),
        Item::Use(_) => Vec::new(),
        item => panic!("not a keyword: {}", item.to_token_stream()),
    }
}

fn named(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => named(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Group(group) => group.items.iter().flat_map(named).collect(),
        tree => panic!("write the names out: {}", tree.to_token_stream()),
    }
}

/// The paths that an input expands to, without spaces.
fn paths(input: &DeriveInput, is_resource: bool) -> String {
    let tokens = keywords(input, is_resource).unwrap().to_string().replace(' ', "");
    let (_, paths) = tokens.split_once("*;(").unwrap();
    paths.strip_suffix(",);}").unwrap().to_owned()
}

#[test]
fn nothing_without_attributes() {
    let input = parse_quote!(
        struct Spec {
            #[serde(default)]
            host: String,
        }
    );
    assert!(keywords(&input, false).is_none());
    assert!(!derive(&input).to_string().contains("complete"));
}

#[test]
fn keywords_of_all_levels() {
    let spec = parse_quote!(
        #[versioned(
            from = super::Spec, crate = krate, removed(a = 1, b),
            map((c, d) <=> e, with = Both, fallback(upgrade = 1, downgrade = _)),
        )]
        struct Spec {
            #[versioned(added(value = 1), validation("self > 0", message = "why"))]
            f: i32,
        }
    );
    assert_eq!(
        paths(&spec, false),
        "on_struct::from,on_struct::removed,on_struct::map,in_mapping::with,in_mapping::fallback,in_directions::upgrade,\
         in_directions::downgrade,on_struct::__,on_field::added,in_added::value,on_field::validation,\
         in_validation::message"
    );
    let values = parse_quote!(
        #[versioned(from = super::Values)]
        enum Values {
            #[versioned(added(shown_as = B))]
            A,
            #[versioned(moved(a => b.c, d.e => f, fallback(upgrade = 1), wi))]
            B {
                #[versioned(renamed_from = d)]
                e: i32,
            },
        }
    );
    assert_eq!(
        paths(&values, false),
        "on_enum::from,on_variant::added,in_added_variant::shown_as,on_variant_with_fields::moved,\
         in_mapping::fallback,in_directions::upgrade,in_mapping::wi,on_field::renamed_from"
    );
    let resource = parse_quote!(
        #[versioned(resource(group = "example.com"))]
        enum CronTab {
            #[versioned(
                printer_column(name = "A", type = "string"),
                scale(spec_replicas_path = ".a")
            )]
            V1 {
                #[versioned(added(moved = false))]
                spec: Spec,
            },
        }
    );
    assert_eq!(
        paths(&resource, true),
        "on_resource_enum::resource,in_resource::group,on_version::printer_column,in_printer_column::name,\
         on_version::scale,in_scale::spec_replicas_path,on_stanza::added,in_added::moved"
    );
}

#[test]
fn what_is_being_typed_has_a_path() {
    let input = parse_quote!(
        #[versioned()]
        struct Spec {
            #[versioned(ren)]
            a: i32,
            #[versioned(added(, mo), , with(up =))]
            b: i32,
            #[versioned(with =,)]
            c: i32,
        }
    );
    assert_eq!(
        paths(&input, false),
        "on_struct::__,on_field::ren,on_field::added,in_added::__,in_added::mo,on_field::__,on_field::with,\
         in_directions::up,on_field::with,on_field::__"
    );
}

/// rust-analyzer compares the expansions with and without the identifier, up to the identifier's
/// place.
#[test]
fn errors_come_later() {
    let input = parse_quote!(
        struct Spec {
            #[versioned(ren)]
            a: i32,
        }
    );
    let expanded = derive(&input).to_string();
    assert!(expanded.find("on_field").unwrap() < expanded.find("compile_error").unwrap());
}
