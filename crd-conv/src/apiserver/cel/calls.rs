//! The functions and operators that are known to mean the same here and on the server.

use super::{
    functions,
    types::{Order, Type},
};

/// A call that means the same to the server.
pub(super) struct Called<'s> {
    pub(super) ty: Type<'s>,
    /// The function that is called in its place.
    pub(super) instead: Option<&'static str>,
    pub(super) compares_objects: bool,
}

impl<'s> Called<'s> {
    fn new(ty: Type<'s>) -> Self {
        Self { ty, instead: None, compares_objects: false }
    }

    fn instead(ty: Type<'s>, name: &'static str) -> Self {
        Self { instead: Some(name), ..Self::new(ty) }
    }
}

/// A call of an operator or of a function without a target.
pub(super) fn function<'s>(name: &str, types: &[&Type<'s>]) -> Option<Called<'s>> {
    use Type::{Bool, Double, Duration, Dyn, Int, List, Map, Quantity, Text, Url};
    Some(Called::new(match (name, types) {
        ("_&&_" | "_||_", [Bool, Bool])
        | ("!_" | "@not_strictly_false", [Bool])
        | ("@in", [Text, Map(_)]) => Bool,
        ("_?_:_", [Bool, yes, no]) => Type::clone(yes).join(Type::clone(no))?,
        ("_==_" | "_!=_", [a, b]) => return equality(a, b),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [a, b]) => match (a, b) {
            (Int | Double | Dyn, Int | Double | Dyn)
            | (Text | Dyn, Text | Dyn)
            | (Duration, Duration) => Bool,
            _ => return None,
        },
        ("_+_" | "_-_" | "_*_" | "_/_" | "_%_", [Int, Int])
        | ("-_", [Int])
        | ("size", [Text | List(..) | Map(_)]) => Int,
        ("_+_" | "_-_" | "_*_" | "_/_", [Double, Double]) | ("-_", [Double]) => Double,
        ("_+_", [Text, Text]) => Text,
        ("_+_", [List(a, Order::Ordered), List(b, _)]) => {
            Type::list(Type::clone(a).join(Type::clone(b))?)
        }
        ("_[_]", [List(items, _), Int]) => Type::clone(items),
        ("_[_]", [Map(values), Text]) => Type::clone(values),
        ("@in", [item, List(items, _)]) => return equality(items, item),
        ("quantity", [Text]) => return Some(Called::instead(Quantity, functions::QUANTITY)),
        ("isURL", [Text]) => return Some(Called::instead(Bool, functions::IS_URL)),
        ("url", [Text]) => return Some(Called::instead(Url, functions::URL)),
        ("isCIDR", [Text]) => return Some(Called::instead(Bool, functions::IS_CIDR)),
        ("duration", [Text]) => return Some(Called::instead(Duration, functions::DURATION)),
        _ => return None,
    }))
}

/// A call of a function with a target, which is the first of the types.
pub(super) fn method<'s>(name: &str, types: &[&Type<'s>]) -> Option<Called<'s>> {
    use Type::{Bool, Dyn, Int, List, Map, Quantity, Text, Url};
    Some(Called::new(match (name, types) {
        ("size", [Text | List(..) | Map(_)]) | ("indexOf" | "lastIndexOf", [Text, Text]) => Int,
        ("startsWith" | "endsWith" | "contains", [Text | Dyn, Text]) => Bool,
        ("lowerAscii" | "upperAscii" | "trim", [Text])
        | ("substring", [Text, Int] | [Text, Int, Int])
        | ("replace", [Text, Text, Text])
        | ("charAt", [Text, Int]) => Text,
        ("split", [Text, Text]) => Type::list(Text),
        ("join", [List(items, _)] | [List(items, _), Text]) if matches!(**items, Text) => Text,
        ("isGreaterThan", [Quantity, Quantity]) => {
            return Some(Called::instead(Bool, functions::IS_GREATER));
        }
        ("isLessThan", [Quantity, Quantity]) => {
            return Some(Called::instead(Bool, functions::IS_LESS));
        }
        ("compareTo", [Quantity, Quantity]) => {
            return Some(Called::instead(Int, functions::COMPARE));
        }
        ("getScheme", [Url]) => return Some(Called::instead(Text, functions::SCHEME)),
        ("matches", [Text | Dyn, Text]) => return Some(Called::instead(Bool, functions::MATCHES)),
        _ => return None,
    }))
}

fn equality<'s>(a: &Type<'s>, b: &Type<'s>) -> Option<Called<'s>> {
    let both = a.clone().join(b.clone())?;
    let compares_objects = both.has_objects();
    both.is_plain().then_some(Called { compares_objects, ..Called::new(Type::Bool) })
}
