//! What a version knows of the values that are fingerprinted.

use super::print::fingerprint;

/// How often a default may be looked for inside another one: they could hold themselves.
const MAX_NESTED_DEFAULTS: usize = 8;

/// The shapes of the values that a plan describes, in one version.
#[derive(Debug, Default)]
pub(crate) struct Guide {
    shapes: Vec<Shape>,
}

/// The shape of a value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Shape {
    /// Nothing is known: all of it counts.
    #[default]
    Whole,
    /// That of another value.
    Of(usize),
    /// An object with these fields. The API server may prune all others.
    Fields(Vec<Known>),
    /// An array of such items.
    Items(usize),
    /// An object of such values under any keys.
    Values(usize),
}

/// A field that the version has.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// Whether `null` is a value of its own.
    pub(crate) nullable: bool,
    /// What the API server fills in.
    pub(crate) filled: Option<String>,
    /// Its fingerprint, once the whole guide is there.
    pub(crate) default: Option<u64>,
    pub(crate) inner: Shape,
}

impl Known {
    /// What the API server fills in; a default of `null` is none.
    fn filled(&self) -> Option<&str> {
        self.filled.as_deref().filter(|filled| *filled != "null")
    }
}

impl Guide {
    pub(crate) fn set(&mut self, node: usize, shape: Shape) {
        if self.shapes.len() <= node {
            self.shapes.resize_with(node + 1, Shape::default);
        }
        self.shapes[node] = shape;
    }

    pub(crate) fn at(&self, node: usize) -> &Shape {
        self.shapes.get(node).unwrap_or(&Shape::Whole)
    }

    /// What the API server fills into fields of a list's items.
    pub(crate) fn filled(&self, list: usize, fields: &[&str]) -> Vec<Option<&str>> {
        let item = match self.at(list) {
            Shape::Items(item) => self.at(*item),
            _ => &Shape::Whole,
        };
        let known = |name: &&str| match item {
            Shape::Fields(fields) => fields.iter().find(|known| known.name == *name)?.filled(),
            _ => None,
        };
        fields.iter().map(known).collect()
    }

    pub(super) fn resolve<'g>(&'g self, shape: &'g Shape) -> &'g Shape {
        match shape {
            Shape::Of(node) => self.at(*node),
            shape => shape,
        }
    }

    /// Fingerprints the defaults: first as if they had none inside, then with those, and so on.
    pub(crate) fn learn_defaults(&mut self) {
        for _ in 0..MAX_NESTED_DEFAULTS {
            let mut next = self.shapes.clone();
            let changed = next.iter_mut().map(|shape| self.learn(shape)).fold(false, |a, b| a | b);
            self.shapes = next;
            if !changed {
                break;
            }
        }
    }

    /// Whether a default has another fingerprint now.
    fn learn(&self, shape: &mut Shape) -> bool {
        let Shape::Fields(fields) = shape else { return false };
        let mut changed = false;
        for known in fields {
            let filled = known.filled.as_deref().filter(|filled| *filled != "null");
            let print = filled.and_then(|text| fingerprint(text, self, &known.inner, &mut ()));
            changed |= print != std::mem::replace(&mut known.default, print);
            changed |= self.learn(&mut known.inner);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complement::fingerprints;

    fn known(name: &'static str, filled: Option<&str>, inner: Shape) -> Known {
        let filled = filled.map(str::to_owned);
        Known { name, nullable: name == "nullable", filled, default: None, inner }
    }

    /// Items with these fields; `inside` are such items again, and `rail` has a default inside.
    fn guide() -> Guide {
        let rail = Shape::Fields(vec![known("length", Some("0"), Shape::Whole)]);
        let fields = vec![
            known("a", Some("1"), Shape::Whole),
            known("nullable", None, Shape::Whole),
            known("inside", None, Shape::Of(0)),
            known("by_key", None, Shape::Values(1)),
            known("rail", Some(r#"{"length":0}"#), rail),
        ];
        let mut guide = Guide::default();
        guide.set(0, Shape::Items(1));
        guide.set(1, Shape::Fields(fields));
        guide.learn_defaults();
        guide
    }

    fn prints(items: &str) -> Vec<String> {
        let (guide, mut prints) = (guide(), Vec::new());
        let mut note = |start, print| prints.push((start, print));
        fingerprints(items, &guide, guide.at(0), &mut note).expect("JSON");
        // Those of the items themselves.
        prints.retain(|(start, _)| {
            items[..*start].matches('[').count() == items[..*start].matches(']').count() + 1
        });
        prints.into_iter().map(|(_, print)| format!("{print:016x}")).collect()
    }

    /// Golden: an entry that was written once must find its item for ever.
    #[test]
    fn stay_the_same() {
        assert_eq!(
            prints(r#"[{"a":2,"nullable":null,"rail":{"length":3},"unknown":1}]"#),
            ["8b8d1504b8f0d64e"]
        );
    }

    #[test]
    fn what_the_server_may_do_makes_no_difference() {
        for items in [
            r#"[{},{"a":1},{"a":1.0},{"a":null},{"a":2,"a":null},{"unknown":[1]},{"inside":null}]"#,
            r#"[{},{"rail":{}},{"rail":{"length":0}},{"rail":{"length":null,"more":1}},{"rail":null}]"#,
            r#"[{"inside":[{}]},{"inside":[{"a":1,"rail":{},"more":2}]}]"#,
            r#"[{"by_key":{"x":{}}},{"by_key":{"x":{"a":1},"y":null}}]"#,
        ] {
            let prints = prints(items);
            assert!(prints.iter().all(|print| *print == prints[0]), "{items}: {prints:?}");
        }
    }

    #[test]
    fn what_a_client_does_makes_one() {
        let items = r#"[{},{"a":2},{"nullable":null},{"nullable":0},{"inside":[]},{"inside":[{}]},{"inside":[null]},{"rail":{"length":1}},{"rail":[]},{"by_key":{}},{"by_key":{"x":{}}},{"by_key":{"y":{}}},{"by_key":{"x":{"a":2}}}]"#;
        let mut prints = prints(items);
        let count = prints.len();
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), count);
    }

    /// A default that holds what it is a default of comes to an end.
    #[test]
    fn defaults_inside_themselves_end() {
        let mut guide = Guide::default();
        let fields = vec![known("a", Some(r#"{"a":{"a":{}}}"#), Shape::Of(0))];
        guide.set(0, Shape::Fields(fields));
        guide.learn_defaults();
        let Shape::Fields(fields) = guide.at(0) else { panic!("an object") };
        assert!(fields[0].default.is_some());
    }
}
