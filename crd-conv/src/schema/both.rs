//! Merges conditions that a value has to fit at once.

use super::Schema;

/// Adds further conditions.
pub(super) fn require(whole: &mut Schema, more: Schema) {
    if whole.one_of.is_empty() && whole.any_of.is_empty() && whole.not.is_none() {
        (whole.one_of, whole.any_of, whole.not) = (more.one_of, more.any_of, more.not);
        whole.all_of.extend(more.all_of);
    } else {
        whole.all_of.push(more);
    }
}
