//! Lets rust-analyzer complete keywords inside `#[versioned(…)]`. Only rust-analyzer compiles this
//! part of the expansion.
//!
//! rust-analyzer doesn't know the grammar of a helper attribute. But it expands the derive, and
//! completes an identifier wherever the expansion contains it with its span. So the expansion
//! repeats each keyword as the path of an item in `crd_conv::__private::complete`. Those items have
//! the keywords' names, and their documentation explains the keywords.

#[cfg(test)]
mod tests;

use std::iter::Peekable;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree, token_stream::IntoIter};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Meta};

use crate::attr::{Place, keywords::Level};

/// Repeats the keywords of an input as paths. Reads tokens and not the model, because a half-typed
/// keyword isn't an attribute yet. Returns `None` if there are no attributes.
///
/// ```text
/// #[cfg(rust_analyzer)]
/// {
///     use __p::complete::*;
///     (on_struct::from, on_field::added, in_added::value,);
/// }
/// ```
///
/// rust-analyzer also expands the derive without the identifier that is being typed, and expects
/// the same tokens before that identifier. So the paths are in the order of the source, and no
/// token before them depends on the typed text, not even an error.
///
/// They are paths of expressions, because rust-analyzer then completes functions with their
/// parentheses. In a `use` it doesn't.
pub(crate) fn keywords(input: &DeriveInput, is_resource: bool) -> Option<TokenStream> {
    let mut written = Written::default();
    match &input.data {
        Data::Struct(data) => {
            written.attributes(Place::Struct, &input.attrs);
            written.fields(Place::Field, &data.fields);
        }
        Data::Enum(data) => {
            let on_enum = if is_resource { Place::ResourceEnum } else { Place::Enum };
            written.attributes(on_enum, &input.attrs);
            for variant in &data.variants {
                let (on_variant, on_field) = match &variant.fields {
                    _ if is_resource => (Place::Version, Place::Stanza),
                    Fields::Named(_) => (Place::VariantWithFields, Place::Field),
                    _ => (Place::Variant, Place::Field),
                };
                written.attributes(on_variant, &variant.attrs);
                written.fields(on_field, &variant.fields);
            }
        }
        Data::Union(_) => {}
    }
    let paths = written.paths?;
    Some(quote! {
        #[cfg(rust_analyzer)]
        {
            use __p::complete::*;
            (#paths);
        }
    })
}

#[derive(Default)]
struct Written {
    /// `None` if there is no list of keywords, not even an empty one.
    paths: Option<TokenStream>,
}

/// Whether the tokens after a name are a dot or an arrow.
fn is_path(after: &Peekable<IntoIter>) -> bool {
    let mut after = after.clone().map_while(|token| match token {
        TokenTree::Punct(punct) => Some(punct.as_char()),
        _ => None,
    });
    matches!((after.next(), after.next()), (Some('.'), _) | (Some('='), Some('>')))
}

impl Written {
    fn fields(&mut self, place: Place, fields: &Fields) {
        if let Fields::Named(fields) = fields {
            for field in &fields.named {
                self.attributes(place, &field.attrs);
            }
        }
    }

    fn attributes(&mut self, place: Place, attrs: &[Attribute]) {
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("versioned")) {
            if let Meta::List(list) = &attr.meta {
                self.list(Level::At(place), list.tokens.clone());
            }
        }
    }

    fn list(&mut self, level: Level, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        let mut at_start = !level.starts_with_value();
        while let Some(token) = tokens.next() {
            match &token {
                // The first field of a path in `moved(…)`.
                TokenTree::Ident(_) if at_start && is_path(&tokens) => at_start = false,
                TokenTree::Ident(keyword) if at_start => {
                    at_start = false;
                    // A path can't end with `crate` or `type`.
                    if syn::parse2::<Ident>(keyword.to_token_stream()).is_ok() {
                        self.path(level, keyword);
                    }
                    if let Some(TokenTree::Group(group)) = tokens.peek()
                        && group.delimiter() == Delimiter::Parenthesis
                        && let Some(inside) = level.inside(keyword)
                    {
                        self.list(inside, group.stream());
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ',' => {
                    if at_start {
                        self.nothing(level);
                    }
                    at_start = true;
                }
                _ => at_start = false,
            }
        }
        if at_start {
            self.nothing(level);
        }
    }

    /// Adds a path even where nothing has been typed yet, because rust-analyzer needs one to find
    /// the module.
    fn nothing(&mut self, level: Level) {
        self.path(level, &Ident::new("__", Span::call_site()));
    }

    fn path(&mut self, level: Level, keyword: &Ident) {
        let module = Ident::new(level.module(), Span::call_site());
        self.paths.get_or_insert_default().extend(quote!(#module::#keyword,));
    }
}
