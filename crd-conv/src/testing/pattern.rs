//! Strings that match a pattern.

use regex_syntax::hir::{Class, Hir, HirKind};

use super::choices::Choices;

/// How many more times than necessary something may be repeated.
const MAX_MORE: u32 = 3;

/// Returns a string that matches a schema's pattern.
///
/// Look-around is ignored. If a pattern needs it, the string may not match.
pub(super) fn matching(pattern: &Hir, choices: &mut Choices<'_>) -> String {
    let mut out = Vec::new();
    draw(pattern, choices, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

fn draw(hir: &Hir, choices: &mut Choices<'_>, out: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => out.extend_from_slice(&literal.0),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges = class.ranges();
            let plain = ranges.iter().find(|range| range.start() <= 'z' && range.end() >= 'a');
            let range = match plain {
                Some(plain) if !choices.once_in(3) => plain,
                _ if ranges.is_empty() => return,
                _ => &ranges[choices.below(ranges.len())],
            };
            let start = if plain == Some(range) { range.start().max('a') } else { range.start() };
            let span = u32::from(range.end()) - u32::from(start);
            let step = choices.below(span.min(25) as usize + 1);
            let drawn = char::from_u32(u32::from(start) + u32::try_from(step).unwrap_or_default());
            out.extend_from_slice(drawn.unwrap_or(start).encode_utf8(&mut [0; 4]).as_bytes());
        }
        HirKind::Class(Class::Bytes(class)) => {
            out.extend(class.ranges().first().map(regex_syntax::hir::ClassBytesRange::start));
        }
        HirKind::Repetition(repetition) => {
            let max = repetition.max.unwrap_or(u32::MAX);
            let more = (max - repetition.min).min(MAX_MORE) as usize;
            for _ in 0..repetition.min as usize + choices.below(more + 1) {
                draw(&repetition.sub, choices, out);
            }
        }
        HirKind::Capture(capture) => draw(&capture.sub, choices, out),
        HirKind::Concat(all) => all.iter().for_each(|hir| draw(hir, choices, out)),
        HirKind::Alternation(all) => draw(&all[choices.below(all.len())], choices, out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apiserver::pattern::parse;

    #[test]
    fn the_simplest_and_others() {
        let draw = |pattern: &str, choices: &[u32]| {
            let translated = parse(pattern).ok().and_then(|pattern| pattern.translated);
            let pattern = regex_syntax::parse(&translated.expect("a pattern")).expect("a pattern");
            matching(&pattern, &mut Choices::new(choices))
        };
        assert_eq!(draw("^.+:[0-9]{1,5}$", &[]), "a:0");
        assert_eq!(draw("^(a|bc)?x*$", &[1, 1, 2]), "bcxx");
        assert_eq!(draw("^([0-9]+[hms])+$", &[]), "0h");
        assert_eq!(draw(r"^\d\.[^\s]$", &[0, 5]), "5.a");
    }
}
