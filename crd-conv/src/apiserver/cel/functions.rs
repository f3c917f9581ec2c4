//! Functions that rules call, where the evaluator's own are missing or aren't the server's.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library`. A quantity and an address are texts here.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, LazyLock};

use cel::{
    Context, Env, ExecutionError, FunctionContext, ResolveResult, Value, common::types::CelString,
    common::value::Val,
};

use crate::{
    apiserver::{dns, formats, pattern, url},
    go::duration::read_duration,
    with::quantity::nanos,
};

/// What a function makes of texts. `None` if it isn't known to be what the server makes of them.
type Function = fn(&[&str]) -> Option<Value>;

/// The functions with the names that compiled rules call them by.
const FUNCTIONS: [(&str, Function); 11] = [
    (MATCHES, |texts| match texts {
        [text, pattern] => pattern::is_match(pattern, text).map(Value::Bool),
        _ => None,
    }),
    (DURATION, |texts| Some(Value::Int(read_duration(texts.first()?)?))),
    (QUANTITY, |texts| {
        let text = *texts.first()?;
        nanos(text).map(|_| Value::from(text))
    }),
    (IS_GREATER, |texts| Some(Value::Bool(compare(texts)? > 0))),
    (IS_LESS, |texts| Some(Value::Bool(compare(texts)? < 0))),
    (COMPARE, |texts| compare(texts).map(Value::Int)),
    (HAS_PROBLEMS, |texts| match texts {
        [format, text] => is_of(format, text).map(|is_of| Value::Bool(!is_of)),
        _ => None,
    }),
    (IS_URL, |texts| Some(Value::Bool(is_url(texts.first()?)))),
    (URL, |texts| {
        let text = *texts.first()?;
        (is_url(text) && url::parse(text).is_ok()).then(|| Value::from(text))
    }),
    (SCHEME, |texts| Some(Value::from(url::parse(texts.first()?).ok()?.scheme))),
    (IS_CIDR, |texts| Some(Value::Bool(is_cidr(texts.first()?)))),
];

pub(super) const MATCHES: &str = "@matches";
pub(super) const DURATION: &str = "@duration";
pub(super) const QUANTITY: &str = "@quantity";
pub(super) const IS_GREATER: &str = "@isGreaterThan";
pub(super) const IS_LESS: &str = "@isLessThan";
pub(super) const COMPARE: &str = "@compareTo";
pub(super) const HAS_PROBLEMS: &str = "@hasProblems";
pub(super) const IS_URL: &str = "@isURL";
pub(super) const URL: &str = "@url";
pub(super) const SCHEME: &str = "@getScheme";
pub(super) const IS_CIDR: &str = "@isCIDR";

/// The functions that expressions can call. There are no variables yet.
pub(super) fn context<'v>() -> Option<Context<'static, 'v>> {
    static ENVIRONMENT: LazyLock<Option<Arc<Env>>> = LazyLock::new(|| {
        let mut environment = Env::stdlib();
        environment.add_extension(cel::extensions::strings).ok()?;
        Some(Arc::new(environment))
    });
    let mut context = Context::with_env(Arc::clone(ENVIRONMENT.as_ref()?));
    for (name, function) in FUNCTIONS {
        let function = move |call: &FunctionContext<'_, '_>| -> ResolveResult {
            function(&texts(call)?).ok_or_else(|| call.error("not known to be the same"))
        };
        context.add_function(name, function).ok()?;
    }
    Some(context)
}

fn texts<'c>(call: &'c FunctionContext<'_, '_>) -> Result<Vec<&'c str>, ExecutionError> {
    let text = |value: &'c dyn Val| value.downcast_ref::<CelString<'_>>().map(CelString::inner);
    let texts = call.args.iter().map(|value| text(value.as_ref()));
    texts.collect::<Option<_>>().ok_or_else(|| call.error("not a text"))
}

fn compare(texts: &[&str]) -> Option<i64> {
    let [a, b] = texts else { return None };
    Some(nanos(a)?.cmp(&nanos(b)?) as i64)
}

/// Whether the format with a name is known.
pub(super) fn is_format(name: &str) -> bool {
    is_of(name, "").is_some()
}

/// Whether a text is of one of the named formats. `None` if the format isn't known.
fn is_of(format: &str, text: &str) -> Option<bool> {
    Some(match format {
        "dns1123Label" => dns::is_dns_label(text),
        "dns1123Subdomain" => dns::is_subdomain(text),
        "dns1035Label" => dns::is_label(text),
        "qualifiedName" => dns::is_qualified_name(text),
        "labelValue" => dns::is_label_value(text),
        _ => return None,
    })
}

fn is_url(text: &str) -> bool {
    formats::fits("uri", text) == Some(true)
}

/// Source: `ParsePrefix` of Go's `net/netip`.
fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.rsplit_once('/') else { return false };
    let is_number =
        bits.bytes().all(|b| b.is_ascii_digit()) && (bits == "0" || !bits.starts_with('0'));
    let most = if address.parse::<Ipv4Addr>().is_ok() {
        32
    } else if address.parse::<Ipv6Addr>().is_ok_and(|address| address.to_ipv4_mapped().is_none()) {
        128
    } else {
        return false;
    };
    is_number && bits.parse::<u8>().is_ok_and(|bits| bits <= most)
}
