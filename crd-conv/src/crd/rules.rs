//! The API server's rules, for the finished document.

use super::{
    Crd, CrdError, CrdVersion,
    source::{Source, source},
};
use crate::{
    apiserver::finding::Kind,
    definition::Definition,
    verify::{About, VerificationReport, Violation, Warning, verify_but},
};

/// Violations of the API server's rules, and things that it accepts although they fail later. The schemas of the versions in
/// `unread` are left out: their mistakes are already reported.
pub(super) fn check(crd: &Crd, unread: &[&str], definition: &Definition) -> Vec<CrdError> {
    let skipped: Vec<_> = (0..crd.spec.versions.len())
        .filter(|i| unread.contains(&crd.spec.versions[*i].name.as_str()))
        .collect();
    let VerificationReport { violations, warnings, .. } = verify_but(&crd.to_tree(), &skipped);
    violations
        .into_iter()
        .chain(warnings.into_iter().filter_map(strict))
        .map(|violation| {
            let version = version_of(&violation.path, crd);
            let source =
                version.and_then(|version| source_of(&violation.path, version, definition));
            CrdError::Rule {
                version: version.map(|version| version.name.clone()),
                ty: source.map(|source| source.ty.to_owned()),
                field: source.and_then(|source| source.field).map(str::to_owned),
                violation,
            }
        })
        .collect()
}

/// Warnings about what an author can fix are errors here.
fn strict(warning: Warning) -> Option<Violation> {
    let Warning { path, about, mut problem } = warning;
    match about {
        About::NullAtScale => problem += ": write `#[versioned(nullable = false)]` on the field",
        About::CaBundle => {}
        _ => return None,
    }
    Some(Violation { path, kind: Kind::Invalid, problem })
}

fn version_of<'a>(path: &str, crd: &'a Crd) -> Option<&'a CrdVersion> {
    let (index, _) = path.strip_prefix("spec.versions[")?.split_once(']')?;
    crd.spec.versions.get(index.parse::<usize>().ok()?)
}

fn source_of(path: &str, version: &CrdVersion, definition: &Definition) -> Option<Source> {
    let (_, rest) = path.split_once(".schema.openAPIV3Schema")?;
    let own = definition.versions.iter().find(|own| own.name == version.name)?;
    source(rest, &version.schema.open_api_v3_schema, own)
}
