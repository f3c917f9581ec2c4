//! The names and the content of the carrier's annotations.

use std::rc::Rc;

use crate::complement::{AnnotationPath, Parsed, parse};
use crate::engine::document::{Document, Place, ROOT_PLACE, Source};
use crate::engine::program::Route;
use crate::json::Scanner;

/// The names of annotations. They don't depend on the object, only on the place of a rule, so each
/// is determined once.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    /// The generation of the document's places that `named` belongs to.
    generation: u64,
    /// By place.
    named: Vec<Named>,
    /// How many paths and names are in it.
    made: usize,
    /// The home versions that were needed so far.
    homes: Vec<Home>,
    /// The indexes of the source and the target in `homes`, once they were needed.
    ends: [Option<usize>; 2],
}

/// The annotations of one place. Each comes with the index of its home version.
#[derive(Debug, Default)]
struct Named {
    paths: Vec<(usize, AnnotationPath)>,
    /// The names for fields in the place, or for the place itself if there is no field.
    keys: Vec<(usize, Option<&'static str>, Rc<str>)>,
}

/// A home version: the source or the target of a hop.
#[derive(Debug)]
struct Home {
    prefix: String,
    version: &'static str,
    target: bool,
}

/// About the size of a path or a name.
const USUAL_SIZE: usize = 128;

impl Keys {
    /// Starts with another object.
    pub(super) fn begin(&mut self, document: &Document) {
        if self.generation != document.generation {
            self.named.clear();
            self.made = 0;
            self.generation = document.generation;
        }
        if self.named.len() < document.places.len() {
            self.named.resize_with(document.places.len(), Named::default);
        }
        self.ends = [None; 2];
    }

    /// Returns the index of the source or the target in `homes`.
    fn home(&mut self, route: &Route, target: bool) -> usize {
        let Route { prefix, from, to, .. } = route;
        let version = if target { *to } else { *from };
        *self.ends[usize::from(target)].get_or_insert_with(|| {
            let is_it = |home: &Home| {
                (home.target, home.version) == (target, version) && home.prefix == *prefix
            };
            self.homes.iter().position(is_it).unwrap_or_else(|| {
                self.homes.push(Home { prefix: prefix.clone(), version, target });
                self.homes.len() - 1
            })
        })
    }

    /// About how many bytes are allocated.
    pub(super) fn capacity(&self) -> usize {
        self.named.capacity() * size_of::<Named>() + self.made * USUAL_SIZE
    }

    /// Returns the name of the annotation for a field at any depth in an instance, or for the
    /// instance itself if there are no fields. Its home version is the source or the target.
    pub(super) fn of(
        &mut self,
        source: Source<'_>,
        target: bool,
        instance: usize,
        fields: &[&'static str],
    ) -> Rc<str> {
        let (place, prefix) = (source.instance(instance).place, &source.route.prefix);
        let home = self.home(source.route, target);
        let field = match fields {
            [] => None,
            [field] => Some(*field),
            fields => {
                let path = self.path(source, home, place);
                return fields.iter().fold(path, |path, field| path.then(field)).key(prefix).into();
            }
        };
        let mut known = self.named[place].keys.iter();
        if let Some((_, _, key)) = known.find(|(of, known, _)| (*of, *known) == (home, field)) {
            return key.clone();
        }
        let key: Rc<str> = self.path(source, home, place).key_of(prefix, field).into();
        self.named[place].keys.push((home, field, key.clone()));
        self.made += 1;
        key
    }

    /// Returns the path of a place.
    fn path(&mut self, source: Source<'_>, home: usize, place: usize) -> AnnotationPath {
        let places = &source.document.places;
        let (mut at, mut way) = (place, Vec::new());
        let Home { version, target: renamed, .. } = self.homes[home];
        let mut path = loop {
            if at == ROOT_PLACE {
                break AnnotationPath::new(version);
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
            path = path.then(if renamed { target } else { source });
            self.named[inner].paths.push((home, path.clone()));
            self.made += 1;
        }
        path
    }
}

/// Reads the content of an annotation with this value. Returns `None` if the value isn't a string.
pub(crate) fn parsed(value: &str) -> Option<Parsed> {
    let mut scanner = Scanner::new(value);
    (scanner.peek() == b'"').then(|| scanner.string().ok())?.map(|text| parse(&text.decoded(value)))
}
