//! The syntax of CEL, in the dialect of Kubernetes: with `?.`, `[?…]` and `{?…}`, without backquoted names.
//!
//! Source: `parser/gen/CEL.g4`, `parser/parser.go` and `parser/macro.go` of `cel-go`.

mod lexer;

use crate::apiserver::escape::RESERVED;
use lexer::{Token, tokens};

/// How deep expressions may be nested here; the server takes somewhat more.
pub(super) const MAX_DEPTH: usize = 200;

/// Macros whose first arguments are names of variables: the name, the number of arguments, how many of them are names.
const MACROS: &[(&str, usize, usize)] = &[
    ("all", 2, 1),
    ("exists", 2, 1),
    ("exists_one", 2, 1),
    ("existsOne", 2, 1),
    ("map", 2, 1),
    ("map", 3, 1),
    ("filter", 2, 1),
    ("all", 3, 2),
    ("exists", 3, 2),
    ("exists_one", 3, 2),
    ("existsOne", 3, 2),
    ("transformList", 3, 2),
    ("transformList", 4, 2),
    ("transformMap", 3, 2),
    ("transformMap", 4, 2),
    ("transformMapEntry", 3, 2),
    ("transformMapEntry", 4, 2),
    ("optMap", 2, 1),
    ("optFlatMap", 2, 1),
];

/// What the server asks of an expression.
pub(super) struct Expression {
    /// Whether it compares with the value before.
    pub(super) uses_old_self: bool,
}

/// Parses an expression, or says what is wrong with it. `None` if it is nested too deep to know.
pub(super) fn parse(text: &str) -> Result<Option<Expression>, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0, uses_old_self: false };
    let parsed = parser.expression();
    if parser.depth > MAX_DEPTH {
        return Ok(None);
    }
    parsed?;
    match parser.peek() {
        None => Ok(Some(Expression { uses_old_self: parser.uses_old_self })),
        Some(token) => Err(format!("{token} follows a complete expression")),
    }
}

/// Returns an expression without comments, and with white space where it usually is. So expressions
/// that differ in nothing else become equal. What isn't made of tokens stays as it is.
pub(crate) fn respaced(text: &str) -> String {
    let Ok(tokens) = tokens(text) else { return text.to_owned() };
    let mut out = String::with_capacity(text.len());
    for (i, token) in tokens.iter().enumerate() {
        if is_apart(&tokens[..i], *token) {
            out.push(' ');
        }
        out += token.text();
    }
    out
}

/// Whether a space is before a token, which other tokens precede.
fn is_apart(before: &[Token<'_>], next: Token<'_>) -> bool {
    let [most @ .., last] = before else { return false };
    let is_value = |token: Option<&Token<'_>>| match token {
        Some(Token::Sign(sign)) => matches!(*sign, ")" | "]" | "}"),
        token => token.is_some(),
    };
    match (*last, next) {
        (Token::Sign("(" | "[" | "{" | "." | "!"), _)
        | (_, Token::Sign(")" | "]" | "}" | "." | ","))
        // A call, and a message.
        | (Token::Name(_), Token::Sign("(" | "{")) => false,
        (_, Token::Sign("[")) => !is_value(Some(last)),
        // The sign of a value, and what may be absent.
        (Token::Sign("-"), _) => is_value(most.last()),
        (Token::Sign("?"), _) => !matches!(most.last(), Some(Token::Sign("." | "[" | "{" | ","))),
        _ => true,
    }
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    uses_old_self: bool,
}

/// What macros ask of their arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape<'a> {
    Name(&'a str),
    Select,
    Other,
}

type Parsed<'a> = Result<Shape<'a>, String>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.peek() == Some(Token::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn want(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.misses(&format!("`{sign}`")))
    }

    fn misses(&self, what: &str) -> String {
        match self.peek() {
            Some(token) => format!("{what} is missing before {token}"),
            None => format!("{what} is missing at the end"),
        }
    }

    fn expression(&mut self) -> Parsed<'a> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("it is nested too deep".to_owned());
        }
        let mut shape = self.binary(0)?;
        if self.take("?") {
            shape = Shape::Other;
            self.binary(0)?;
            self.want(":")?;
            self.expression()?;
        }
        self.depth -= 1;
        Ok(shape)
    }

    /// Operators by how closely they bind, the loosest first.
    fn binary(&mut self, level: usize) -> Parsed<'a> {
        const OPERATORS: [&[&str]; 5] = [
            &["||"],
            &["&&"],
            &["<", "<=", ">=", ">", "==", "!=", "in"],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let mut shape = self.binary(level + 1)?;
        while operators.iter().any(|operator| self.take(operator)) {
            shape = Shape::Other;
            self.binary(level + 1)?;
        }
        Ok(shape)
    }

    fn unary(&mut self) -> Parsed<'a> {
        let sign = ["!", "-"].into_iter().find(|sign| self.take(sign));
        let Some(sign) = sign else { return self.member() };
        while self.take(sign) {}
        self.member()?;
        Ok(Shape::Other)
    }

    fn member(&mut self) -> Parsed<'a> {
        let mut shape = self.primary()?;
        loop {
            if self.take(".") {
                let optional = self.take("?");
                let called = match self.field()? {
                    Token::Name(name) if !optional && self.take("(") => Some(name),
                    _ => None,
                };
                shape = if let Some(function) = called {
                    self.arguments(function, true)?;
                    Shape::Other
                } else if optional {
                    Shape::Other
                } else {
                    Shape::Select
                };
            } else if self.take("[") {
                self.take("?");
                self.expression()?;
                self.want("]")?;
                shape = Shape::Other;
            } else {
                return Ok(shape);
            }
        }
    }

    /// The name of a field. In backquotes, it may have characters that other names can't have.
    fn field(&mut self) -> Result<Token<'a>, String> {
        match self.peek() {
            Some(name @ (Token::Name(_) | Token::Quoted(_))) => {
                self.at += 1;
                Ok(name)
            }
            Some(Token::Literal(_) | Token::Sign(_)) | None => {
                Err(self.misses("the name of a field"))
            }
        }
    }

    fn primary(&mut self) -> Parsed<'a> {
        let start = self.at;
        let dot = self.take(".");
        match self.peek() {
            Some(Token::Name(name)) => {
                self.at += 1;
                return self.name(name, dot);
            }
            Some(Token::Literal(_)) if !dot => self.at += 1,
            Some(Token::Sign("(")) if !dot => {
                self.at += 1;
                let shape = self.expression()?;
                self.want(")")?;
                return Ok(shape);
            }
            Some(Token::Sign("[")) if !dot => {
                self.at += 1;
                self.list("]", |parser| {
                    parser.take("?");
                    parser.expression().map(drop)
                })?;
            }
            Some(Token::Sign("{")) if !dot => {
                self.at += 1;
                self.list("}", |parser| {
                    parser.take("?");
                    parser.expression()?;
                    parser.want(":")?;
                    parser.expression().map(drop)
                })?;
            }
            _ => {
                self.at = start;
                return Err(self.misses("a value"));
            }
        }
        Ok(Shape::Other)
    }

    /// A variable, a call, or a message such as `a.b.C{d: 1}`.
    fn name(&mut self, name: &'a str, dot: bool) -> Parsed<'a> {
        if self.begins_message() {
            while !self.take("{") {
                self.at += 1;
            }
            self.list("}", |parser| {
                parser.take("?");
                parser.field()?;
                parser.want(":")?;
                parser.expression().map(drop)
            })?;
            return Ok(Shape::Other);
        }
        if RESERVED.contains(&name) {
            return Err(format!("`{name}` is a reserved word"));
        }
        if self.take("(") {
            self.arguments(name, false)?;
            return Ok(Shape::Other);
        }
        self.uses_old_self |= name == "oldSelf";
        Ok(if dot { Shape::Other } else { Shape::Name(name) })
    }

    /// Whether names with dots between them and `{` follow.
    fn begins_message(&self) -> bool {
        let mut at = self.at;
        loop {
            match self.tokens.get(at) {
                Some(Token::Sign("{")) => return true,
                Some(Token::Sign("."))
                    if matches!(self.tokens.get(at + 1), Some(Token::Name(_))) =>
                {
                    at += 2;
                }
                _ => return false,
            }
        }
    }

    fn arguments(&mut self, function: &str, of_member: bool) -> Result<(), String> {
        let used_before = self.uses_old_self;
        let mut shapes = Vec::new();
        if !self.take(")") {
            loop {
                shapes.push(self.expression()?);
                if self.take(")") {
                    break;
                }
                self.want(",")?;
            }
        }
        if of_member {
            let macro_of = |(name, arguments, _): &&(&str, usize, usize)| {
                *name == function && *arguments == shapes.len()
            };
            let variables = MACROS.iter().find(macro_of).map_or(0, |(.., variables)| *variables);
            for shape in &shapes[..variables] {
                match shape {
                    // The variable hides what has the same name outside.
                    Shape::Name("oldSelf") => self.uses_old_self = used_before,
                    Shape::Name(_) => {}
                    _ => {
                        return Err(format!(
                            "`.{function}(…)` must begin with the name of a variable"
                        ));
                    }
                }
            }
        } else if function == "has" && shapes.len() == 1 && shapes[0] != Shape::Select {
            return Err("`has(…)` needs a field, such as `has(self.size)`".to_owned());
        }
        Ok(())
    }

    /// Elements with commas between them, perhaps one more at the end.
    fn list(
        &mut self,
        end: &str,
        element: impl Fn(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.take(",") {
            return self.want(end);
        }
        while !self.take(end) {
            element(self)?;
            if !self.take(",") {
                return self.want(end);
            }
        }
        Ok(())
    }
}
