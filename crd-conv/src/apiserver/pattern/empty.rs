//! Patterns that match no text at all, such as `a^`.

use std::collections::HashSet;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::start;

use super::parse;

/// Patterns that need more memory, in bytes, or more states aren't decided.
const MEMORY: usize = 1 << 20;
const STATES: usize = 2000;

/// Whether it is certain that no text matches.
pub(crate) fn matches_nothing(pattern: &str) -> bool {
    // Without these, each part of a pattern matches something, and so does the whole.
    pattern.contains(['^', '$', '\\'])
        && parse(pattern)
            .ok()
            .and_then(|pattern| pattern.translated)
            .and_then(|translated| has_match(&translated))
            == Some(false)
}

/// Looks for a state in which a text has matched. `None` if there are too many states.
fn has_match(pattern: &str) -> Option<bool> {
    let config = DFA::config().minimum_cache_clear_count(Some(0)).cache_capacity(MEMORY);
    let limit = thompson::Config::new().nfa_size_limit(Some(MEMORY));
    let dfa = DFA::builder().configure(config).thompson(limit).build(pattern).ok()?;
    let mut cache = Cache::new(&dfa);
    let start = dfa.start_state(&mut cache, &start::Config::new()).ok()?;
    let (mut seen, mut open) = (HashSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        // A match is reported one step late.
        if state.is_match() || dfa.next_eoi_state(&mut cache, state).ok()?.is_match() {
            return Some(true);
        }
        if state.is_quit() || seen.len() > STATES {
            return None;
        }
        for unit in dfa.byte_classes().representatives(0..=u8::MAX) {
            let byte = unit.as_u8()?;
            let next = dfa.next_state(&mut cache, state, byte).ok()?;
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    Some(false)
}
