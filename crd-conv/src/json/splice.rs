//! Edits to a text.

use std::ops::Range;

/// Replaces a span of the input by a span of the arena.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) span: Range<usize>,
    pub(crate) text: Range<usize>,
}

/// Brings edits into the order of the text; those at one place keep theirs. Those of one object are sorted
/// already, and the stable sort makes use of that.
pub(crate) fn sort(edits: &mut [Edit]) {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
}

/// Appends `input[within]` with the edits made, which are sorted and don't overlap.
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
