//! Edits to a text.

use std::ops::Range;

/// Replaces a span of the input with a span of the arena.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) span: Range<usize>,
    pub(crate) text: Range<usize>,
}

/// Sorts edits by their position in the text. Edits at the same position keep their order. The
/// edits of one object are sorted already, which makes the stable sort fast.
pub(crate) fn sort(edits: &mut [Edit]) {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
}

/// Appends `input[within]` with the edits applied. The edits are sorted and don't overlap.
pub(crate) fn splice(
    input: &str,
    within: Range<usize>,
    edits: &[Edit],
    arena: &str,
    out: &mut String,
) {
    let mut copied = within.start;
    for edit in edits {
        out.push_str(&input[copied..edit.span.start]);
        out.push_str(&arena[edit.text.clone()]);
        copied = edit.span.end;
    }
    out.push_str(&input[copied..within.end]);
}
