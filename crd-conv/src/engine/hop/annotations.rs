//! The annotations of the carrier: what they are called, and what they hold.

use super::patch::{MemberEdit, Patch};
use crate::complement::{AnnotationPath, Parsed, parse};
use crate::engine::document::Source;
use crate::json::Scanner;

/// What the annotations are called whose home is one of the hop's versions.
#[derive(Debug)]
pub(crate) struct Keys {
    target: bool,
    /// By place; made when somebody asks first.
    paths: Vec<AnnotationPath>,
}

impl Keys {
    pub(super) const SOURCE: Self = Self { target: false, paths: Vec::new() };
    pub(super) const TARGET: Self = Self { target: true, paths: Vec::new() };

    /// The annotation of a field somewhere inside an instance, or of the instance itself if there are none.
    pub(super) fn of(&mut self, source: Source<'_>, instance: usize, fields: &[&str]) -> String {
        let route = source.route;
        if self.paths.is_empty() {
            let home = if self.target { route.to } else { route.from };
            source.document.annotation_paths(home, self.target, &mut self.paths);
        }
        let path = &self.paths[source.instance(instance).place];
        match fields {
            [] => path.key(&route.prefix),
            [field, more @ ..] => {
                let path = path.then(field);
                more.iter().fold(path, |path, field| path.then(field)).key(&route.prefix)
            }
        }
    }
}

/// What an annotation holds; `None` if it isn't a text.
pub(crate) fn parsed(source: Source<'_>, patch: &Patch, named: usize) -> Option<Parsed> {
    let value = match patch.member(named) {
        MemberEdit::Set(text) => &patch.arena[text.clone()],
        _ => source.value(named),
    };
    let mut scanner = Scanner::new(value);
    (scanner.peek() == b'"').then(|| scanner.string().ok())?.map(|text| parse(&text.decoded(value)))
}
