//! From the checked model to tokens.

mod converted;
mod declared;
mod editor;
mod moved;
mod resource;
mod structure;
mod upgrade;
mod validation;
mod values;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Fields, Ident, Meta, spanned::Spanned};

use crate::{attr, check, ctxt::Ctxt, model::Container};

/// Everything that the derive adds for one input.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let cx = Ctxt::new();
    match &input.data {
        Data::Enum(data) if is_resource(&input.attrs) => {
            let attr = attr::resource::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "a resource has no generics and no lifetimes: take them out",
                );
            }
            let resource = check::resource::resource(&cx, &input.ident, attr, data);
            let errors = cx.finish();
            match (errors, resource) {
                (None, Some(resource)) => wrap(&container, &resource::resource(&resource)),
                (errors, _) => {
                    let stub = wrap(&container, &resource::stub(&container));
                    quote!(#errors #stub)
                }
            }
        }
        Data::Enum(data) => {
            let attr = attr::values::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "an enum of values has no generics and no lifetimes: write the types out",
                );
                let errors = cx.finish();
                let stub = wrap(&container, &values::broken(&container));
                return quote!(#errors #stub);
            }
            let model = check::values::values(&cx, &input.ident, &input.attrs, &attr, data);
            let errors = cx.finish();
            let body = wrap(&container, &values::values(&model, errors.is_none()));
            quote!(#errors #body)
        }
        Data::Struct(data) => {
            let attr = attr::structure::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            let from = attr.from.get().cloned();
            let fields = match &data.fields {
                Fields::Named(fields) => Some(fields),
                Fields::Unnamed(fields) => {
                    cx.error(
                        fields,
                        "a versioned struct is an object in JSON, so its fields need names; a tuple struct can be the \
                         type of a field",
                    );
                    None
                }
                Fields::Unit => {
                    cx.error(
                        &input.ident,
                        "a versioned struct is an object in JSON: write `{}` behind its name instead of `;`",
                    );
                    None
                }
            };
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "a versioned struct has no generics and no lifetimes: write the types out",
                );
            }
            let Some(fields) = fields.filter(|_| input.generics.params.is_empty()) else {
                let errors = cx.finish();
                let stub = wrap(&container, &structure::broken(&container, from.as_ref()));
                return quote!(#errors #stub);
            };
            let model = check::structure::structure(&cx, &input.ident, &input.attrs, &attr, fields);
            let errors = cx.finish();
            let body = structure::structure(&model, errors.is_none());
            let body = wrap(&container, &body);
            quote!(#errors #body)
        }
        Data::Union(data) => {
            cx.error(data.union_token, "a union can't be versioned: it has no form in JSON");
            let errors = cx.finish();
            let container = container(input, None);
            let stub = wrap(&container, &structure::broken(&container, None));
            quote!(#errors #stub)
        }
    }
}

/// Whether an enum declares a resource, rightly or wrongly.
fn is_resource(attrs: &[Attribute]) -> bool {
    attrs.iter().filter(|attr| attr.path().is_ident("versioned")).any(|attr| {
        let Meta::List(list) = &attr.meta else { return false };
        // Elsewhere it may be a module's name.
        let mut starts_item = true;
        list.tokens.clone().into_iter().any(|token| {
            let here = starts_item;
            starts_item = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
            here && matches!(&token, TokenTree::Ident(ident) if ident == "resource")
        })
    })
}

fn container<'a>(input: &'a DeriveInput, krate: Option<&syn::Path>) -> Container<'a> {
    let private =
        krate.map_or_else(|| quote!(::crd_conv::__private), |krate| quote!(#krate::__private));
    Container { ident: &input.ident, generics: &input.generics, private }
}

/// ```text
/// const _: () = {
///     use ::crd_conv::__private as __p;
///     …
/// };
/// ```
fn wrap(container: &Container<'_>, body: &TokenStream) -> TokenStream {
    let private = &container.private;
    quote! {
        #[allow(
            clippy::redundant_closure,
            reason = "a closure that only calls the author's function keeps the types in its signature"
        )]
        #[allow(unexpected_cfgs, reason = "`rust_analyzer` is set by the editor alone")]
        const _: () = {
            use #private as __p;
            // Which of them a method or a const is found through depends on the fields' types.
            #[allow(unused_imports)]
            use __p::{
                AnyKind as _, Lifted as _, NoConverter as _, NoItems as _, NotMade as _, NotOption as _,
                NotOptionOfName as _, NothingDeclared as _, OptionOnOneSide as _, OutcomeLater as _, OutcomeOf as _, SchemaDeclared as _, Unlike as _,
                Via as _, Wrapped as _,
            };
            #body
        };
    }
}

fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

/// The place of the author's tokens, for code whose style clippy would otherwise hold against the author.
///
/// Where a mapping's mistakes are shown the tokens' own spans say more: these let rustc add a note on macros.
fn at(tokens: &impl Spanned) -> Span {
    Span::call_site().located_at(tokens.span())
}

/// A variable of the generated code where the author's tokens are: inside a user's macro those wouldn't see it.
fn variable(name: &str, tokens: &impl Spanned) -> Ident {
    Ident::new(name, at(tokens))
}
