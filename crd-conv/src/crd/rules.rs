//! The API server's rules, for the finished document.

use std::collections::BTreeMap;

use super::{Crd, CrdError};
use crate::schema::Places;
use crate::verify::{About, Kind, Report, Violation, Warning, verify_but};

/// What the API server refuses, and what it takes although nothing good comes of it. The schemas of the versions in
/// `unread` are left out: what is wrong with them was said before.
pub(super) fn check(crd: &Crd, unread: &[&str], places: &BTreeMap<&str, Places>) -> Vec<CrdError> {
    let skipped: Vec<_> = (0..crd.spec.versions.len())
        .filter(|i| unread.contains(&crd.spec.versions[*i].name.as_str()))
        .collect();
    let tree = match crd.to_tree() {
        Ok(tree) => tree,
        Err(error) => return vec![CrdError::Declaration(error.to_string())],
    };
    let Report { violations, warnings, .. } = verify_but(&tree, &skipped);
    violations
        .into_iter()
        .chain(warnings.into_iter().filter_map(strict))
        .map(|violation| {
            let version = version_of(&violation.path, crd);
            let places = version.and_then(|version| places.get(version));
            let ty = places.and_then(|places| type_of(&violation.path, places));
            CrdError::Rule {
                version: version.map(str::to_owned),
                ty: ty.map(str::to_owned),
                violation,
            }
        })
        .collect()
}

/// What an author can mend is refused here.
fn strict(warning: Warning) -> Option<Violation> {
    let Warning { path, about, mut problem } = warning;
    match about {
        About::NullAtScale => problem += ": write `#[versioned(nullable = false)]` on the field",
        About::CaBundle => {}
        _ => return None,
    }
    Some(Violation { path, kind: Kind::Invalid, problem })
}

fn version_of<'a>(path: &str, crd: &'a Crd) -> Option<&'a str> {
    let (index, _) = path.strip_prefix("spec.versions[")?.split_once(']')?;
    let version = crd.spec.versions.get(index.parse::<usize>().ok()?)?;
    Some(&version.name)
}

/// The type that declares what stands at a path of the document.
fn type_of<'p>(path: &str, places: &'p Places) -> Option<&'p str> {
    let (_, mut rest) = path.split_once(".schema.openAPIV3Schema")?;
    let (mut at, mut ty) = (String::new(), places.get("").map(String::as_str));
    loop {
        let field = if let Some(inside) = rest.strip_prefix(".properties[") {
            let (name, inside) = inside.split_once(']')?;
            (at, rest) = (format!("{at}.{name}"), inside);
            true
        } else if let Some(inside) = rest.strip_prefix(".items") {
            (at, rest) = (format!("{at}[]"), inside);
            false
        } else if let Some(inside) = rest.strip_prefix(".additionalProperties") {
            (at, rest) = (format!("{at}.*"), inside);
            false
        } else {
            return ty;
        };
        // A field is declared by the type around it, and a stanza by itself.
        let is_last = ![".properties[", ".items", ".additionalProperties"]
            .iter()
            .any(|inside| rest.starts_with(inside));
        if !(field && is_last && ty.is_some()) {
            ty = places.get(&at).map(String::as_str).or(ty);
        }
    }
}
