//! Whether the evaluator says the same of an expression as the server, by the types of its parts.
//!
//! The evaluator has no types before it runs. What isn't known to have the server's meaning is refused here.

use cel::{
    IdedExpr,
    common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue},
};

use super::{
    calls::{self, Called},
    cost::{OF_PART, Sizes},
    functions::{HAS_PROBLEMS, is_format},
    types::Type,
};
use crate::go::duration::read_duration;

/// How deep expressions may be: the evaluator calls itself.
const MAX_DEPTH: usize = 100;

pub(super) const OLD_SELF: &str = "oldSelf";
/// `self` and `oldSelf`.
const VARIABLES: usize = 2;

/// What keeps an expression from being evaluated.
pub(super) type Unknown = String;

/// What is found out about an expression on the way.
#[expect(clippy::struct_excessive_bools, reason = "each is a question about the expression")]
pub(super) struct Compiler<'s> {
    scopes: Vec<(String, Type<'s>)>,
    depth: usize,
    sizes: Sizes,
    /// How often a part is evaluated, at most.
    times: u64,
    /// The highest cost that the server may count for all parts.
    pub(super) cost: u64,
    /// Whether objects are compared as a whole.
    pub(super) compares_objects: bool,
    /// Whether the metadata of the resource is looked at.
    pub(super) uses_metadata: bool,
    pub(super) uses_durations: bool,
    pub(super) uses_old_self: bool,
    /// A field that the schema doesn't have.
    pub(super) undeclared: Option<String>,
}

impl<'s> Compiler<'s> {
    pub(super) fn new(variables: [(String, Type<'s>); VARIABLES], sizes: Sizes) -> Self {
        Self {
            scopes: variables.into(),
            depth: 0,
            sizes,
            times: 1,
            cost: 0,
            compares_objects: false,
            uses_metadata: false,
            uses_durations: false,
            uses_old_self: false,
            undeclared: None,
        }
    }

    /// The type of an expression. Calls become calls of the server's functions.
    pub(super) fn compile(&mut self, part: &mut IdedExpr) -> Result<Type<'s>, Unknown> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("an expression so deep".to_owned());
        }
        self.count(OF_PART);
        let ty = match &mut part.expr {
            Expr::Literal(literal) => Self::literal(literal)?,
            Expr::Ident(name) => self.variable(name)?,
            Expr::Select(select) => {
                let of = self.compile(&mut select.operand)?;
                let ty = self.field(&of, &select.field)?;
                if select.test { Type::Bool } else { ty }
            }
            Expr::List(list) if list.optional_indices.is_empty() => {
                let mut items = Type::Nothing;
                for item in &mut list.elements {
                    let ty = self.compile(item)?;
                    items = items.join(ty).ok_or("a list of several types")?;
                }
                Type::list(items)
            }
            Expr::Call(call) => self.call(call)?,
            Expr::Comprehension(comprehension) => self.comprehension(comprehension)?,
            _ => {
                return Err(
                    "optional parts of lists, and maps and messages in expressions".to_owned()
                );
            }
        };
        self.depth -= 1;
        Ok(ty)
    }

    fn count(&mut self, cost: u64) {
        self.cost = self.cost.saturating_add(self.times.saturating_mul(cost));
    }

    fn literal(literal: &LiteralValue) -> Result<Type<'s>, Unknown> {
        Ok(match literal {
            LiteralValue::Boolean(_) => Type::Bool,
            LiteralValue::Int(_) => Type::Int,
            LiteralValue::Double(_) => Type::Double,
            LiteralValue::String(_) => Type::Text,
            LiteralValue::Null => Type::Null,
            LiteralValue::Bytes(_) | LiteralValue::UInt(_) => {
                return Err("bytes and unsigned integers".to_owned());
            }
        })
    }

    fn variable(&mut self, name: &str) -> Result<Type<'s>, Unknown> {
        let at = self.scopes.iter().rposition(|(own, _)| own == name);
        let at = at.ok_or_else(|| format!("the name `{name}`"))?;
        // What a loop calls so is another variable.
        self.uses_old_self |= name == OLD_SELF && at < VARIABLES;
        Ok(self.scopes[at].1.clone())
    }

    fn field(&mut self, of: &Type<'s>, name: &str) -> Result<Type<'s>, Unknown> {
        match of {
            Type::Object(schema, is_resource) => {
                self.uses_metadata |= *is_resource && name == "metadata";
                Type::field(schema, *is_resource, name).ok_or_else(|| {
                    self.undeclared = Some(name.to_owned());
                    format!("the field `{name}`, which the schema doesn't have")
                })
            }
            Type::Metadata if matches!(name, "name" | "generateName") => Ok(Type::Text),
            Type::Map(values) => Ok((**values).clone()),
            _ => Err(format!("the field `{name}` of such a value")),
        }
    }

    fn call(&mut self, call: &mut CallExpr) -> Result<Type<'s>, Unknown> {
        if let Some((format, text)) = validated(call) {
            *call = CallExpr {
                func_name: HAS_PROBLEMS.to_owned(),
                target: None,
                args: vec![format, text],
            };
            self.compile(&mut call.args[0])?;
            self.count(self.sizes.of_call("matches"));
            return match self.compile(&mut call.args[1])? {
                Type::Text => Ok(Type::Bool),
                _ => Err("a format of such a value".to_owned()),
            };
        }
        let target = call.target.as_mut().map(|target| self.compile(target)).transpose()?;
        let args: Vec<_> =
            call.args.iter_mut().map(|arg| self.compile(arg)).collect::<Result<_, _>>()?;
        let types: Vec<&Type<'s>> = target.iter().chain(&args).collect();
        self.uses_durations |= types.iter().any(|ty| matches!(ty, Type::Duration));
        // The server refuses such a rule before it is evaluated.
        if let ("duration", [IdedExpr { expr: Expr::Literal(LiteralValue::String(text)), .. }]) =
            (call.func_name.as_str(), call.args.as_slice())
            && read_duration(text.inner()).is_none()
        {
            return Err("a text that is no duration".to_owned());
        }
        let called = match target {
            None => calls::function(&call.func_name, &types),
            Some(_) => calls::method(&call.func_name, &types),
        };
        let Called { ty, instead, compares_objects } =
            called.ok_or_else(|| format!("`{}` of such values", call.func_name))?;
        self.compares_objects |= compares_objects;
        self.count(self.sizes.of_call(&call.func_name));
        if let Some(name) = instead {
            name.clone_into(&mut call.func_name);
            if let Some(target) = call.target.take() {
                call.args.insert(0, *target);
            }
        }
        Ok(ty)
    }

    /// A macro such as `all`, as the parser writes it: a loop with one variable and a result.
    fn comprehension(&mut self, own: &mut ComprehensionExpr) -> Result<Type<'s>, Unknown> {
        if own.iter_var2.is_some() {
            return Err("loops with two variables".to_owned());
        }
        let item = match self.compile(&mut own.iter_range)? {
            Type::List(items, _) => *items,
            Type::Map(_) => Type::Text,
            _ => return Err("a loop over such a value".to_owned()),
        };
        let init = self.compile(&mut own.accu_init)?;
        let times = self.times;
        self.times = times.saturating_mul(self.sizes.items());
        self.scopes.push((own.accu_var.clone(), init.clone()));
        self.scopes.push((own.iter_var.clone(), item));
        self.compile(&mut own.loop_cond)?;
        let step = self.compile(&mut own.loop_step)?;
        self.scopes.truncate(self.scopes.len() - 2);
        self.times = times;
        let result = init.join(step).ok_or("a loop of several types")?;
        self.scopes.push((own.accu_var.clone(), result));
        let ty = self.compile(&mut own.result);
        self.scopes.pop();
        ty
    }
}

/// The name of the format and the text in `format.….validate(…).hasValue()`.
fn validated(call: &mut CallExpr) -> Option<(IdedExpr, IdedExpr)> {
    let Expr::Call(validate) = &mut call.target.as_mut()?.expr else { return None };
    let Expr::Call(format) = &validate.target.as_ref()?.expr else { return None };
    let of = matches!(&format.target.as_ref()?.expr, Expr::Ident(name) if name == "format");
    let named = call.func_name == "hasValue" && validate.func_name == "validate" && of;
    let no_more = call.args.is_empty() && format.args.is_empty() && validate.args.len() == 1;
    if !named || !no_more || !is_format(&format.func_name) {
        return None;
    }
    let name = LiteralValue::String(format.func_name.clone().into());
    let name = IdedExpr { id: call.target.as_ref()?.id, expr: Expr::Literal(name) };
    let Expr::Call(validate) = &mut call.target.as_mut()?.expr else { return None };
    Some((name, validate.args.pop()?))
}
