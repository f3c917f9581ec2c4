//! The annotations of the carrier: what they are called, and what they hold.

use std::rc::Rc;

use super::patch::{MemberEdit, Patch};
use crate::complement::{AnnotationPath, Parsed, parse};
use crate::engine::document::{ROOT_PLACE, Source};
use crate::json::Scanner;

/// What the annotations are called whose home is one of the hop's versions.
#[derive(Debug)]
pub(crate) struct Keys {
    target: bool,
    /// By place, those that were asked for.
    named: Vec<Named>,
}

/// The annotations of one place.
#[derive(Debug, Default)]
struct Named {
    path: Option<AnnotationPath>,
    /// Of fields in it, or of the place itself if there are none.
    fields: Vec<(Option<&'static str>, Rc<str>)>,
}

impl Keys {
    pub(super) const SOURCE: Self = Self { target: false, named: Vec::new() };
    pub(super) const TARGET: Self = Self { target: true, named: Vec::new() };

    /// The annotation of a field somewhere inside an instance, or of the instance itself if there are none.
    pub(super) fn of(
        &mut self,
        source: Source<'_>,
        instance: usize,
        fields: &[&'static str],
    ) -> Rc<str> {
        let place = source.instance(instance).place;
        let prefix = &source.route.prefix;
        let field = match fields {
            [] => None,
            [field] => Some(*field),
            [field, more @ ..] => {
                let path = self.path(source, place).then(field);
                return more.iter().fold(path, |path, field| path.then(field)).key(prefix).into();
            }
        };
        // Items of a list are at one place, and ask for the same.
        let known = self.named.get(place).and_then(|named| {
            named.fields.iter().find_map(|(known, key)| (*known == field).then(|| key.clone()))
        });
        known.unwrap_or_else(|| {
            let key: Rc<str> = self.path(source, place).key_of(prefix, field).into();
            self.named[place].fields.push((field, key.clone()));
            key
        })
    }

    /// The path of a place.
    fn path(&mut self, source: Source<'_>, place: usize) -> &AnnotationPath {
        let places = &source.document.places;
        self.named.resize_with(places.len(), Named::default);
        let mut way = Vec::new();
        let mut at = place;
        while self.named[at].path.is_none() && at != ROOT_PLACE {
            way.push(at);
            at = places[at].parent;
        }
        let route = source.route;
        let home = if self.target { route.to } else { route.from };
        self.named[at].path.get_or_insert_with(|| AnnotationPath::new(home));
        for inner in way.into_iter().rev() {
            let name = if self.target { places[inner].target } else { places[inner].source };
            let path = self.named[at].path.as_ref().map(|path| path.then(name));
            self.named[inner].path = path;
            at = inner;
        }
        self.named[place].path.get_or_insert_with(|| AnnotationPath::new(home))
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
