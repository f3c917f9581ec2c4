//! Reads attributes one item at a time. After an item that it can't understand, it reports the
//! mistake and reads on.

pub(crate) mod declared;
mod depth;
pub(crate) mod keywords;
mod known;
pub(crate) mod moved;
pub(crate) mod resource;
pub(crate) mod serde;
pub(crate) mod structure;
pub(crate) mod validation;
pub(crate) mod values;
mod with;

use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{
    Attribute, Expr, Ident, Lit, LitBool, LitStr, Meta, Path, Token, UnOp,
    ext::IdentExt,
    parse::{ParseStream, Parser},
};

use keywords::Inside;
pub(crate) use known::Place;
use known::unknown;

use crate::{ctxt::Ctxt, name::Name, types::inside_holder};

/// A setting that may be written once.
pub(crate) struct Once<T> {
    value: Option<(Ident, T)>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self { value: None }
    }
}

impl<T> Once<T> {
    fn set(&mut self, cx: &Ctxt, key: &Ident, value: T) {
        if self.value.is_some() {
            cx.error(key, format!("`{key}` is written twice"));
        } else {
            self.value = Some((key.clone(), value));
        }
    }

    /// The key's tokens, if the setting was written.
    pub(crate) fn key(&self) -> Option<&Ident> {
        self.value.as_ref().map(|(key, _)| key)
    }

    pub(crate) fn get(&self) -> Option<&T> {
        self.value.as_ref().map(|(_, value)| value)
    }

    pub(crate) fn take(self) -> Option<T> {
        self.value.map(|(_, value)| value)
    }
}

/// Reads every `#[versioned(…)]` in the attributes.
pub(crate) fn versioned(
    cx: &Ctxt,
    attrs: &[Attribute],
    mut item: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("versioned")) {
        let Meta::List(list) = &attr.meta else {
            cx.error(attr, "this attribute has no items: write `#[versioned(…)]`, or remove it");
            continue;
        };
        // Each mistake was already reported at its item.
        let _ = (|input: ParseStream<'_>| {
            items(cx, input, &mut item);
            Ok(())
        })
        .parse2(list.tokens.clone());
    }
}

/// Reads items separated by commas.
fn items(
    cx: &Ctxt,
    input: ParseStream<'_>,
    mut item: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    each(cx, input, |input| {
        let key = input.call(Ident::parse_any)?;
        item(&key, input)
    });
}

/// Reads elements separated by commas. After a mistake, continues after the next comma.
fn each(
    cx: &Ctxt,
    input: ParseStream<'_>,
    mut element: impl FnMut(ParseStream<'_>) -> syn::Result<()>,
) {
    while !input.is_empty() {
        let result = element(input).and_then(|()| {
            if input.is_empty() || input.peek(Token![,]) {
                Ok(())
            } else {
                Err(input.error("expected `,`"))
            }
        });
        if let Err(error) = result {
            cx.push(error);
            while !input.is_empty() && !input.peek(Token![,]) {
                if input.parse::<TokenTree>().is_err() {
                    return;
                }
            }
        }
        if input.parse::<Option<Token![,]>>().is_err() {
            return;
        }
    }
}

/// Reads the parentheses after a key. Tokens that are left unread because of a mistake aren't
/// reported as another one.
fn parenthesized<T>(
    input: ParseStream<'_>,
    read: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let content;
    syn::parenthesized!(content in input);
    let result = read(&content);
    drain(&content)?;
    result
}

/// Skips everything that is left.
fn drain(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}

/// Reads `= "text"`.
fn text(key: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(key, format!("write `{key} = \"…\"`")));
    }
    input.parse::<Token![=]>()?;
    match input.parse::<Lit>() {
        Ok(Lit::Str(text)) => Ok(text),
        Ok(other) => Err(syn::Error::new_spanned(
            other,
            format!("`{key}` takes a string: write `{key} = \"…\"`"),
        )),
        Err(error) => Err(syn::Error::new(
            error.span(),
            format!("`{key}` takes a string: write `{key} = \"…\"`"),
        )),
    }
}

/// Reads a flag: the key alone, `= true` or `= false`.
fn flag(key: &Ident, input: ParseStream<'_>) -> syn::Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    input
        .parse::<LitBool>()
        .map(|flag| flag.value)
        .map_err(|error| syn::Error::new(error.span(), format!("write `{key}` or `{key} = false`")))
}

/// Reads a literal, which may have a minus sign, or the path of a constant. `computed` tells the
/// author what to write instead of a computed value.
fn constant(input: ParseStream<'_>, computed: &str) -> syn::Result<Expr> {
    let expr: Expr = input.parse()?;
    let message = match &expr {
        Expr::Lit(_) | Expr::Path(_) => return Ok(expr),
        Expr::Unary(unary)
            if matches!(unary.op, UnOp::Neg(_)) && matches!(*unary.expr, Expr::Lit(_)) =>
        {
            return Ok(expr);
        }
        Expr::Call(call) if matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some")) => {
            "write the value without `Some`; in `added` and `removed`, write no value for an `Option`, and it is absent in objects that \
             never had one"
                .to_owned()
        }
        _ => format!(
            "a value must be a literal or the path of a const, so that every conversion gives the same result: move this into a `const` \
             and name it here{computed}"
        ),
    };
    Err(syn::Error::new_spanned(expr, message))
}

/// Reads a field's Rust name, which may be a keyword.
fn field_name(input: ParseStream<'_>) -> syn::Result<Name> {
    if input.peek(LitStr) {
        return Err(unquoted(input, "a field's Rust name"));
    }
    input.call(Ident::parse_any).map(Name::new)
}

/// Reads `= path::Type`.
fn path(key: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    let how = || format!("write `{key} = path`");
    if !input.peek(Token![=]) {
        return Err(syn::Error::new_spanned(key, how()));
    }
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        return Err(unquoted(input, "a path"));
    }
    input.parse().map_err(|error| syn::Error::new(error.span(), how()))
}

/// Reads the older type in `from = path::Type`.
fn older(key: &Ident, input: ParseStream<'_>) -> syn::Result<Path> {
    let path = path(key, input)?;
    match inside_holder(&path) {
        None => Ok(path),
        Some(inside) => {
            let inside = inside.to_token_stream().to_string().replace(' ', "");
            Err(syn::Error::new_spanned(
                path,
                format!(
                    "`from` must name a struct or an enum alone: write `from = {inside}`; fields that hold it in an `Option`, a list or a \
                     map are converted, too"
                ),
            ))
        }
    }
}

/// The error for a string where a name belongs.
fn unquoted(input: ParseStream<'_>, what: &str) -> syn::Error {
    match input.fork().parse::<LitStr>() {
        Ok(text) => input.error(format!("write {what} here without quotes: `{}`", text.value())),
        Err(error) => error,
    }
}
