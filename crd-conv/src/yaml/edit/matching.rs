//! Finds what has become of each member and each item.

use super::Node;

/// For each old member, the place of its new one.
///
/// A conversion writes the new member where the old one was. So a member that has another name now
/// is looked for between the same neighbors, with the same value or a similar one.
pub(super) fn members(old: &[(String, Node)], new: &[(String, Node)]) -> Vec<Option<usize>> {
    let place = |name: &str| new.iter().position(|(other, _)| other == name);
    let mut found: Vec<_> = old.iter().map(|(name, _)| place(name)).collect();
    let kept = found.clone();
    let tests: [fn(&Node, &Node) -> bool; 2] = [Node::same, is_similar];
    for is_match in tests {
        let mut before = None;
        for (at, (_, value)) in old.iter().enumerate() {
            if kept[at].is_some() {
                before = kept[at];
                continue;
            }
            if found[at].is_some() {
                continue;
            }
            let first = before.map_or(0, |before| before + 1);
            found[at] = (first..new.len())
                .take_while(|candidate| !kept.contains(&Some(*candidate)))
                .find(|candidate| {
                    !found.contains(&Some(*candidate)) && is_match(value, &new[*candidate].1)
                });
        }
    }
    found
}

/// For each old item, the place of its new one: an equal one, or else the one at its place between
/// equal neighbors.
pub(super) fn items(old: &[Node], new: &[Node]) -> Vec<Option<usize>> {
    let mut kinds: Vec<&Node> = Vec::new();
    let mut kind = |item| {
        let known = kinds.iter().position(|known| known.same(item));
        known.unwrap_or_else(|| {
            kinds.push(item);
            kinds.len() - 1
        })
    };
    let [before, after] = [old, new].map(|items| items.iter().map(&mut kind).collect::<Vec<_>>());
    let mut found = vec![None; old.len()];
    for change in similar::capture_diff_slices(similar::Algorithm::Myers, &before, &after) {
        let (olds, news) = (change.old_range(), change.new_range());
        if olds.len() == news.len() {
            for (old, new) in olds.zip(news) {
                found[old] = Some(new);
            }
            continue;
        }
        let mut next = news.start;
        for at in olds {
            found[at] = (next..news.end).find(|place| is_similar(&old[at], &new[*place]));
            next = found[at].map_or(next, |place| place + 1);
        }
    }
    found
}

/// Whether a value has a part of another one.
fn is_similar(old: &Node, new: &Node) -> bool {
    match (old, new) {
        (Node::Mapping(old), Node::Mapping(new)) => old.iter().any(|(name, value)| {
            new.iter()
                .any(|(other, new)| name == other && (value.same(new) || is_similar(value, new)))
        }),
        (Node::Sequence(old), Node::Sequence(new)) => old
            .first()
            .zip(new.first())
            .is_some_and(|(old, new)| old.same(new) || is_similar(old, new)),
        _ => match (scalar(old), scalar(new)) {
            (Some(old), Some(new)) => has_part(old, new) || has_part(new, old),
            _ => false,
        },
    }
}

fn scalar(node: &Node) -> Option<&str> {
    match node {
        Node::Number(text) | Node::String(text) => Some(text).filter(|text| !text.is_empty()),
        _ => None,
    }
    .map(String::as_str)
}

/// Whether a text is in another one, and isn't only a part of a word or a number there: `60` is in
/// `60s`, and isn't in `160`.
fn has_part(text: &str, part: &str) -> bool {
    let belong_together = |first: Option<char>, second: Option<char>| {
        first.zip(second).is_some_and(|(first, second)| {
            (first.is_alphabetic() && second.is_alphabetic())
                || (first.is_numeric() && second.is_numeric())
        })
    };
    text.match_indices(part).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + part.len()..]);
        !belong_together(before.chars().next_back(), part.chars().next())
            && !belong_together(part.chars().next_back(), after.chars().next())
    })
}
