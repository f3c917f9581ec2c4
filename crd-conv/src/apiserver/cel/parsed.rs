//! Expressions, and the stack that they need.
//!
//! The parser, the evaluator and even `Drop` call themselves for each level of an expression. Without optimization, the parser
//! takes 170 KiB for a level, and the evaluator 40 KiB.

use std::{
    collections::HashMap,
    panic::resume_unwind,
    sync::{LazyLock, Mutex, PoisonError},
    thread,
};

use cel::{IdedExpr, Program};

/// The parser ends at 96 levels of nesting. The worst expressions of `MAX_LENGTH` bytes take 22 MiB of this.
const STACK: usize = 64 << 20;

/// How many parsed expressions are kept for later, and how long they may be.
const MAX_PARSED: usize = 256;
const MAX_LENGTH: usize = 10_000;

static PARSED: LazyLock<Mutex<HashMap<String, Option<IdedExpr>>>> = LazyLock::new(Mutex::default);

/// Runs what parses and evaluates expressions. `None` if there can't be a thread for it: most WebAssembly targets have none.
pub(super) fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).ok()?;
        Some(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// Parses an expression, or finds it among the last ones. Only for `with_stack`.
pub(super) fn parse(text: &str) -> Option<IdedExpr> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let known = || PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(parsed) = known().get(text) {
        return parsed.clone();
    }
    let parsed = Program::compile(text).ok().map(|program| program.expression().clone());
    let mut known = known();
    if known.len() >= MAX_PARSED {
        known.clear();
    }
    known.insert(text.to_owned(), parsed.clone());
    parsed
}
