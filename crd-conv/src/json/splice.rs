//! Edits to a text.

use std::ops::Range;

/// Replaces a span of the input by a span of the arena.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) span: Range<usize>,
    pub(crate) text: Range<usize>,
}

/// Appends `input[within]` with the edits made. Edits don't overlap; those at one place keep their order.
pub(crate) fn splice(
    input: &str,
    within: Range<usize>,
    edits: &mut [Edit],
    arena: &str,
    out: &mut String,
) {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut copied = within.start;
    for edit in edits {
        out.push_str(&input[copied..edit.span.start]);
        out.push_str(&arena[edit.text.clone()]);
        copied = edit.span.end;
    }
    out.push_str(&input[copied..within.end]);
}
