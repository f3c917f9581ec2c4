//! An upper bound for what the server counts while it evaluates a rule. Beyond a limit it refuses the object.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `interpreter/runtimecost.go` of `cel-go`.

use super::value::Values;

/// What one evaluation may cost, and all those of an object.
pub(super) const PER_CALL: u64 = 1_000_000;
pub(super) const PER_OBJECT: u64 = 10_000_000;

/// The highest cost of a part without what is inside it: a list in a rule costs ten.
pub(super) const OF_PART: u64 = 11;

/// How long values get.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    items: u64,
    text: u64,
}

impl Sizes {
    pub(super) fn of(values: &Values, rule: &str) -> Self {
        // What a rule puts together isn't longer than all that it is made of, as often as it is named.
        let together = rule.contains('+') || rule.contains("join") || rule.contains("replace");
        let text = if together {
            (values.texts + rule.len()).saturating_mul(rule.len())
        } else {
            values.text + rule.len()
        };
        let items = values.items + rule.len() + if rule.contains("split") { text } else { 0 };
        let items = if rule.contains('+') { items.saturating_mul(rule.len()) } else { items };
        Self { items: items as u64, text: text as u64 }
    }

    /// The most rounds of a loop.
    pub(super) fn items(self) -> u64 {
        self.items
    }

    pub(super) fn of_call(self, name: &str) -> u64 {
        let text = self.text / 10 + 1;
        let longest = self.text.max(self.items) / 10 + 1;
        match name {
            "matches" => text.saturating_mul(self.text / 4 + 1),
            _ => longest,
        }
    }
}
