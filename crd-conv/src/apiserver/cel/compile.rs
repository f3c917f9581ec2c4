//! Whether the evaluator says the same of an expression as the server, by the types of its parts.
//!
//! The evaluator has no types before it runs. What isn't known to have the server's meaning is refused here.

use cel::{
    IdedExpr,
    common::ast::{CallExpr, ComprehensionExpr, Expr, LiteralValue},
};

use super::{
    calls::{self, Called},
    cost::{self, Call, NEW_LIST, Part, STEP},
    functions::{HAS_PROBLEMS, is_format},
    sizes::{At, Declared, Size, Sizes, Step},
    types::Type,
};
use crate::{
    apiserver::{pattern, schema::Schema},
    go::duration::read_duration,
};

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
    scopes: Vec<(String, Part<'s>)>,
    /// The value that the rule is about.
    root: Declared<'s>,
    depth: usize,
    sizes: Sizes,
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
    /// For a rule about values of a schema, which have a type.
    pub(super) fn new(ty: &Type<'s>, schema: &'s Schema, is_resource: bool, sizes: Sizes) -> Self {
        let root = Declared::Schema(schema, is_resource);
        let variable = |name: &str| {
            (name.to_owned(), Part::declared(ty.clone(), STEP, At::Declared(root), sizes))
        };
        Self {
            scopes: ["self", OLD_SELF].map(variable).into(),
            root,
            depth: 0,
            sizes,
            compares_objects: false,
            uses_metadata: false,
            uses_durations: false,
            uses_old_self: false,
            undeclared: None,
        }
    }

    /// Finds an expression's type, cost and size. Calls become calls of the server's functions.
    pub(super) fn compile(&mut self, part: &mut IdedExpr) -> Result<Part<'s>, Unknown> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("an expression so deep".to_owned());
        }
        let part = match &mut part.expr {
            Expr::Literal(literal) => Self::literal(literal)?,
            Expr::Ident(name) => self.variable(name)?,
            Expr::Select(select) => {
                let of = self.compile(&mut select.operand)?;
                let ty = self.field(&of.ty, &select.field)?;
                if select.test {
                    Part::new(Type::Bool, of.cost)
                } else {
                    let at = of.at.step(Step::Field(&select.field), self.root);
                    Part::declared(ty, of.cost.saturating_add(STEP), at, self.sizes)
                }
            }
            Expr::List(list) if list.optional_indices.is_empty() => {
                let (mut items, mut cost) = (Type::Nothing, NEW_LIST);
                let mut size: Option<Size> = None;
                for item in &mut list.elements {
                    let item = self.compile(item)?;
                    items = items.join(item.ty).ok_or("a list of several types")?;
                    cost = cost.saturating_add(item.cost);
                    let own = item.size.unwrap_or(self.sizes.unknown());
                    size = Some(size.map_or(own, |size| size.or(own)));
                }
                Part {
                    size: Some(Size::exactly(list.elements.len() as u64)),
                    item: size.or(Some(Size::exactly(0))),
                    ..Part::new(Type::list(items), cost)
                }
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
        Ok(part)
    }

    fn literal(literal: &LiteralValue) -> Result<Part<'s>, Unknown> {
        let mut size = 1;
        let ty = match literal {
            LiteralValue::Boolean(_) => Type::Bool,
            LiteralValue::Int(_) => Type::Int,
            LiteralValue::Double(_) => Type::Double,
            LiteralValue::String(text) => {
                size = text.inner().chars().count() as u64;
                Type::Text
            }
            LiteralValue::Null => Type::Null,
            LiteralValue::Bytes(_) | LiteralValue::UInt(_) => {
                return Err("bytes and unsigned integers".to_owned());
            }
        };
        Ok(Part { size: Some(Size::exactly(size)), ..Part::new(ty, 0) })
    }

    fn variable(&mut self, name: &str) -> Result<Part<'s>, Unknown> {
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

    fn call(&mut self, call: &mut CallExpr) -> Result<Part<'s>, Unknown> {
        if let Some((format, text)) = validated(call) {
            *call = CallExpr {
                func_name: HAS_PROBLEMS.to_owned(),
                target: None,
                args: vec![format, text],
            };
            self.compile(&mut call.args[0])?;
            let text = self.compile(&mut call.args[1])?;
            let cost = cost::of_format(&text, self.sizes).saturating_add(text.cost);
            return match text.ty {
                Type::Text => Ok(Part::new(Type::Bool, cost)),
                _ => Err("a format of such a value".to_owned()),
            };
        }
        let target = call.target.as_mut().map(|target| self.compile(target)).transpose()?;
        let args: Vec<_> =
            call.args.iter_mut().map(|arg| self.compile(arg)).collect::<Result<_, _>>()?;
        let parts: Vec<&Part<'s>> = target.iter().chain(&args).collect();
        let types: Vec<&Type<'s>> = parts.iter().map(|part| &part.ty).collect();
        self.uses_durations |= types.iter().any(|ty| matches!(ty, Type::Duration));
        refused_literal(call)?;
        let called = match target {
            None => calls::function(&call.func_name, &types),
            Some(_) => calls::method(&call.func_name, &types),
        };
        let Called { ty, instead, compares_objects } =
            called.ok_or_else(|| format!("`{}` of such values", call.func_name))?;
        self.compares_objects |= compares_objects;
        let Call { cost, size, item } =
            cost::of_call(&call.func_name, &parts, self.root, self.sizes);
        // One of the arguments of a choice is in its own cost.
        let evaluated = if call.func_name == "_?_:_" { &parts[..1] } else { &parts[..] };
        let cost = evaluated.iter().fold(cost, |sum, part| sum.saturating_add(part.cost));
        let at = match (call.func_name.as_str(), &parts[..]) {
            ("_[_]", [of, _]) => of.at.step(Step::Element, self.root),
            _ => At::Nowhere,
        };
        let made = Part::declared(ty, cost, at, self.sizes);
        if let Some(name) = instead {
            name.clone_into(&mut call.func_name);
            if let Some(target) = call.target.take() {
                call.args.insert(0, *target);
            }
        }
        Ok(Part { size: size.or(made.size), item, ..made })
    }

    /// A macro such as `all`, as the parser writes it: a loop with one variable and a result.
    fn comprehension(&mut self, own: &mut ComprehensionExpr) -> Result<Part<'s>, Unknown> {
        if own.iter_var2.is_some() {
            return Err("loops with two variables".to_owned());
        }
        let range = self.compile(&mut own.iter_range)?;
        let (ty, step) = match &range.ty {
            Type::List(items, _) => ((**items).clone(), Step::Element),
            Type::Map(_) => (Type::Text, Step::Key),
            _ => return Err("a loop over such a value".to_owned()),
        };
        let at = range.at.step(step, self.root);
        let declared = Part::declared(ty, STEP, at, self.sizes);
        let item = Part { size: declared.size.or(range.item), ..declared };
        let init = self.compile(&mut own.accu_init)?;
        let is_list = matches!(init.ty, Type::List(..));
        let mut result = Part { cost: STEP, ..init.clone() };

        self.scopes.push((own.accu_var.clone(), result.clone()));
        self.scopes.push((own.iter_var.clone(), item));
        let goes_on = self.compile(&mut own.loop_cond)?;
        let step = self.compile(&mut own.loop_step)?;
        self.scopes.truncate(self.scopes.len() - 2);
        result.ty = init.ty.join(step.ty).ok_or("a loop of several types")?;
        self.scopes.push((own.accu_var.clone(), result));
        let made = self.compile(&mut own.result);
        self.scopes.pop();

        let made = made?;
        let rounds = range.size.unwrap_or(self.sizes.unknown());
        let round = goes_on.cost.saturating_add(step.cost);
        let loops = rounds.max.saturating_mul(round);
        let parts = [range.cost, init.cost, made.cost];
        let cost = parts.into_iter().fold(loops, u64::saturating_add);
        Ok(if is_list {
            Part { size: Some(rounds), item: step.item, ..Part::new(made.ty, cost) }
        } else {
            Part::new(made.ty, cost)
        })
    }
}

/// Whether the server refuses a text in a call before it evaluates the rule.
fn refused_literal(call: &CallExpr) -> Result<(), Unknown> {
    let [IdedExpr { expr: Expr::Literal(LiteralValue::String(text)), .. }] = call.args.as_slice()
    else {
        return Ok(());
    };
    match call.func_name.as_str() {
        "duration" if read_duration(text.inner()).is_none() => {
            Err("a text that is no duration".to_owned())
        }
        "matches" if !pattern::parse(text.inner()).is_ok_and(|own| own.doubt.is_none()) => {
            Err("a text that isn't known to be a pattern".to_owned())
        }
        _ => Ok(()),
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
