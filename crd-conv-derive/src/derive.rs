//! Runs the steps for one input: reads the attributes, checks them into the model, and writes
//! tokens.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Fields, FieldsUnnamed, Meta};

use crate::{
    attr, check, complete,
    ctxt::Ctxt,
    expand::{resource, structure, values, wrap},
    model::Container,
};

/// Returns everything that the derive adds for one input. Errors come last; `complete` explains
/// why.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let cx = Ctxt::new();
    match &input.data {
        Data::Enum(data) if is_resource(&input.attrs) => {
            let attr = attr::resource::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "a resource can't have generics or lifetimes: remove them",
                );
            }
            let resource = check::resource::resource(&cx, &input.ident, attr, data);
            let errors = cx.finish();
            match (errors, resource) {
                (None, Some(resource)) => wrap(&container, &resource::resource(&resource)),
                (errors, _) => {
                    let stub = wrap(&container, &resource::stub(&container));
                    quote!(#stub #errors)
                }
            }
        }
        Data::Enum(data) => {
            let attr = attr::values::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "an enum of values can't have generics or lifetimes: write out the types",
                );
                let errors = cx.finish();
                let stub = wrap(&container, &values::broken(&container));
                return quote!(#stub #errors);
            }
            let model = check::values::values(&cx, &input.ident, &input.attrs, &attr, data);
            let errors = cx.finish();
            let body = wrap(&container, &values::values(&model, errors.is_none()));
            quote!(#body #errors)
        }
        Data::Struct(data) => {
            let attr = attr::structure::container(&cx, &input.attrs);
            let container = container(input, attr.krate.get());
            let from =
                attr.from.get().filter(|path| !check::is_itself(path, &input.ident)).cloned();
            let fields = match &data.fields {
                Fields::Named(fields) => Some(fields),
                // A struct that is meant to declare a resource was reported already.
                _ if attr.broken => None,
                Fields::Unnamed(fields) => {
                    cx.error(fields, without_names(fields, from.is_some()));
                    None
                }
                Fields::Unit => {
                    cx.error(
                        &input.ident,
                        "`Versioned` is for structs that are objects in JSON, but serde writes this one as null: write `{}` after its name \
                         instead of `;`",
                    );
                    None
                }
            };
            if !input.generics.params.is_empty() {
                cx.error(
                    &input.generics,
                    "a versioned struct can't have generics or lifetimes: write out the types",
                );
            }
            let Some(fields) = fields.filter(|_| input.generics.params.is_empty()) else {
                let errors = cx.finish();
                let stub = wrap(&container, &structure::broken(&container, from.as_ref()));
                return quote!(#stub #errors);
            };
            let model = check::structure::structure(&cx, &input.ident, &input.attrs, &attr, fields);
            let errors = cx.finish();
            let body = structure::structure(&model, errors.is_none());
            let body = wrap(&container, &body);
            quote!(#body #errors)
        }
        Data::Union(data) => {
            cx.error(data.union_token, "a union can't be versioned: it has no form in JSON");
            let errors = cx.finish();
            let container = container(input, None);
            let stub = wrap(&container, &structure::broken(&container, None));
            quote!(#stub #errors)
        }
    }
}

/// The remedy for a struct whose fields have no names.
fn without_names(fields: &FieldsUnnamed, has_older: bool) -> String {
    let (written, name) = match fields.unnamed.len() {
        1 => ("the value inside it", "the field a name"),
        _ => ("a list", "the fields names"),
    };
    let converter = if has_older {
        ", and where the older version has another type, name a converter on the field, `#[versioned(with = …)]`"
    } else {
        ""
    };
    format!(
        "`Versioned` is for structs that are objects in JSON, but serde writes this one as {written}: remove `Versioned`, which the type \
         of a field doesn't need{converter}; or give {name}"
    )
}

/// Whether an enum declares a resource, correctly or not.
fn is_resource(attrs: &[Attribute]) -> bool {
    attrs.iter().filter(|attr| attr.path().is_ident("versioned")).any(|attr| {
        let Meta::List(list) = &attr.meta else { return false };
        // Anywhere else, `resource` may be the name of a module.
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
    let keywords = complete::keywords(input, is_resource(&input.attrs));
    Container { ident: &input.ident, generics: &input.generics, private, keywords }
}
