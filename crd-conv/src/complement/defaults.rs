//! Fingerprints the defaults that a guide knows. A value that the API server fills in counts as
//! absent.

use super::fingerprint::fingerprint;
use super::guide::{Guide, Shape};

/// How many levels of defaults inside defaults are fingerprinted. There must be a limit, because a
/// default could contain itself.
const MAX_NESTED_DEFAULTS: usize = 8;

impl Guide {
    /// Fingerprints the defaults: first as if no default contained another, then with the defaults
    /// found so far, and so on.
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

    /// Fingerprints the defaults of a shape. Returns whether any fingerprint changed.
    fn learn(&self, shape: &mut Shape) -> bool {
        let Shape::Fields(fields) = shape else { return false };
        let mut changed = false;
        for known in fields {
            let filled = known.filled.as_deref().filter(|filled| *filled != "null");
            let fingerprint =
                filled.and_then(|text| fingerprint(text, self, &known.inner, &mut ()));
            changed |= fingerprint != std::mem::replace(&mut known.default, fingerprint);
            changed |= self.learn(&mut known.inner);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complement::{Known, note_fingerprints};

    fn known(name: &'static str, filled: Option<&str>, inner: Shape) -> Known {
        let filled = filled.map(str::to_owned);
        Known { name, nullable: name == "nullable", filled, default: None, inner }
    }

    /// Items with these fields. `inside` contains such items again, and `rail` contains a default.
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

    fn fingerprints(items: &str) -> Vec<String> {
        let (guide, mut fingerprints) = (guide(), Vec::new());
        let mut note = |start, fingerprint| fingerprints.push((start, fingerprint));
        note_fingerprints(items, &guide, guide.at(0), &mut note).expect("JSON");
        // Keeps the fingerprints of the items themselves.
        fingerprints.retain(|(start, _)| {
            items[..*start].matches('[').count() == items[..*start].matches(']').count() + 1
        });
        fingerprints.into_iter().map(|(_, fingerprint)| format!("{fingerprint:016x}")).collect()
    }

    /// Golden values: once an entry is written, it must find its item forever.
    #[test]
    fn stay_the_same() {
        assert_eq!(
            fingerprints(r#"[{"a":2,"nullable":null,"rail":{"length":3},"unknown":1}]"#),
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
            let fingerprints = fingerprints(items);
            assert!(
                fingerprints.iter().all(|fingerprint| *fingerprint == fingerprints[0]),
                "{items}: {fingerprints:?}"
            );
        }
    }

    #[test]
    fn what_a_client_does_makes_one() {
        let items = r#"[{},{"a":2},{"nullable":null},{"nullable":0},{"inside":[]},{"inside":[{}]},{"inside":[null]},{"rail":{"length":1}},{"rail":[]},{"by_key":{}},{"by_key":{"x":{}}},{"by_key":{"y":{}}},{"by_key":{"x":{"a":2}}}]"#;
        let mut fingerprints = fingerprints(items);
        let count = fingerprints.len();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        assert_eq!(fingerprints.len(), count);
    }

    /// Fingerprinting ends even if a default contains itself.
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
