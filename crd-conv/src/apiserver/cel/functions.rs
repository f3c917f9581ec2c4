//! Functions that rules call, where the evaluator's own are missing or aren't the server's.

use std::sync::{Arc, LazyLock};

use cel::{
    Context, Env, ExecutionError, FunctionContext, ResolveResult, Value, common::types::CelString,
    common::value::Val,
};

use crate::{apiserver::pattern, go::duration::read_duration};

pub(super) const MATCHES: &str = "@matches";
pub(super) const DURATION: &str = "@duration";

/// What expressions are evaluated in: the functions, without variables.
pub(super) fn context<'v>() -> Option<Context<'static, 'v>> {
    static ENVIRONMENT: LazyLock<Option<Arc<Env>>> = LazyLock::new(|| {
        let mut environment = Env::stdlib();
        environment.add_extension(cel::extensions::strings).ok()?;
        Some(Arc::new(environment))
    });
    let mut context = Context::with_env(Arc::clone(ENVIRONMENT.as_ref()?));
    context.add_function(MATCHES, matches).ok()?;
    context.add_function(DURATION, duration).ok()?;
    Some(context)
}

fn matches(call: &FunctionContext<'_, '_>) -> ResolveResult {
    let [text, pattern] = texts(call)?;
    let found = pattern::is_match(pattern, text);
    found.map(Value::Bool).ok_or_else(|| call.error("the pattern isn't known to mean the same"))
}

fn duration(call: &FunctionContext<'_, '_>) -> ResolveResult {
    let [text] = texts(call)?;
    read_duration(text).map(Value::Int).ok_or_else(|| call.error("no duration"))
}

fn texts<'c, const N: usize>(
    call: &'c FunctionContext<'_, '_>,
) -> Result<[&'c str; N], ExecutionError> {
    let text = |value: &'c dyn Val| value.downcast_ref::<CelString<'_>>().map(CelString::inner);
    let texts: Option<Vec<&str>> = call.args.iter().map(|value| text(value.as_ref())).collect();
    texts.and_then(|texts| texts.try_into().ok()).ok_or_else(|| call.error("not a text"))
}
