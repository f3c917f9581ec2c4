//! The annotations of the carrier: what they are called, and what they hold.

use std::rc::Rc;

use super::patch::{MemberEdit, Patch};
use crate::complement::{AnnotationPath, Parsed, parse};
use crate::engine::document::{Document, Place, ROOT_PLACE, Source};
use crate::engine::program::Route;
use crate::json::Scanner;

/// What annotations are called. That depends on no object, only on the place of a rule, so it is found out once.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// Which of the document's places these are.
    generation: u64,
    /// By place.
    named: Vec<Named>,
}

/// The annotations of one place.
#[derive(Debug, Default)]
struct Named {
    paths: Vec<(Home, AnnotationPath)>,
    /// Of fields in it, or of the place itself if there are none.
    keys: Vec<(Home, Option<&'static str>, Rc<str>)>,
}

/// Whether the home version is the target of a hop, and its name.
type Home = (bool, &'static str);

impl Keys {
    /// Starts with another object.
    pub(super) fn begin(&mut self, document: &Document) {
        if self.generation != document.generation {
            self.named.clear();
            self.generation = document.generation;
        }
        if self.named.len() < document.places.len() {
            self.named.resize_with(document.places.len(), Named::default);
        }
    }

    /// Bytes allocated, about.
    pub(super) fn capacity(&self) -> usize {
        let of_place = |named: &Named| {
            named.paths.capacity() * size_of::<(Home, AnnotationPath)>()
                + named.keys.capacity() * size_of::<(Home, Option<&str>, Rc<str>)>()
        };
        self.named.capacity() * size_of::<Named>() + self.named.iter().map(of_place).sum::<usize>()
    }

    /// The annotation of a field somewhere inside an instance, or of the instance itself if there are none, whose home is the
    /// source or the target.
    pub(super) fn of(
        &mut self,
        source: Source<'_>,
        target: bool,
        instance: usize,
        fields: &[&'static str],
    ) -> Rc<str> {
        let place = source.instance(instance).place;
        let Route { prefix, from, to, .. } = source.route;
        let home = (target, if target { *to } else { *from });
        let field = match fields {
            [] => None,
            [field] => Some(*field),
            fields => {
                let path = self.path(source, home, place);
                return fields.iter().fold(path, |path, field| path.then(field)).key(prefix).into();
            }
        };
        let known = self.named[place].keys.iter().find(|(of, known, key)| {
            // Another group may have a version of this name, and fields.
            (*of, *known) == (home, field) && key.starts_with(&**prefix)
        });
        if let Some((_, _, key)) = known {
            return key.clone();
        }
        let key: Rc<str> = self.path(source, home, place).key_of(prefix, field).into();
        self.named[place].keys.push((home, field, key.clone()));
        key
    }

    /// The path of a place.
    fn path(&mut self, source: Source<'_>, home: Home, place: usize) -> AnnotationPath {
        let places = &source.document.places;
        let (mut at, mut way) = (place, Vec::new());
        let mut path = loop {
            if at == ROOT_PLACE {
                break AnnotationPath::new(home.1);
            }
            let known = self.named[at].paths.iter().find(|(of, _)| *of == home);
            if let Some((_, path)) = known {
                break path.clone();
            }
            way.push(at);
            at = places[at].parent;
        };
        for inner in way.into_iter().rev() {
            let Place { source, target, .. } = &places[inner];
            path = path.then(if home.0 { target } else { source });
            self.named[inner].paths.push((home, path.clone()));
        }
        path
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
