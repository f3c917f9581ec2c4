//! The author's declarations for a type, and for a field in addition to its type.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{
    codec::{default_of, write},
    tokens::option,
    validation::validations,
};
use crate::{
    model::{Declared, Default, Field, OfType, Struct},
    types::inside_option,
};

/// ```text
/// __p::Said {
///     list_type: None,
///     map_type: None,
///     default: Some(|__out| …),
///     serde_default: None,
///     int_or_string: false,
///     preserve_unknown_fields: false,
///     embedded_resource: false,
///     validations: &[],
///     recursion_depth: None,
/// }
/// ```
pub(super) fn said(model: &Struct, field: &Field) -> Option<TokenStream> {
    let Declared { list_type, map_type, int_or_string, preserve_unknown_fields, .. } =
        &field.declared;
    let embedded_resource = field.declared.embedded_resource;
    let validations = validations(&field.declared.validations);
    if !field.declared.is_any() {
        return None;
    }
    let none = || quote!(::core::option::Option::None);
    let (list_type, map_type) = (option(list_type.as_ref()), option(map_type.as_ref()));
    let depth = field.declared.recursion_depth;
    let depth = option(depth.as_ref());
    let default = default_writer(field).unwrap_or_else(none);
    let serde_default = field
        .declared
        .default
        .as_ref()
        .and_then(|_| serde_default(model, field))
        .unwrap_or_else(none);
    Some(quote! {
        __p::Said {
            list_type: #list_type,
            map_type: #map_type,
            default: #default,
            serde_default: #serde_default,
            int_or_string: #int_or_string,
            preserve_unknown_fields: #preserve_unknown_fields,
            embedded_resource: #embedded_resource,
            validations: #validations,
            recursion_depth: #depth,
        }
    })
}

/// ```text
/// __p::TypeFacts { name: <Self as __p::Shape>::NAME, map_type: None, validations: &[] }
/// ```
pub(super) fn of_type(named_by: &TokenStream, declared: &OfType) -> TokenStream {
    let map_type = option(declared.map_type.as_ref());
    let validations = validations(&declared.validations);
    quote! {
        __p::TypeFacts {
            name: <Self as #named_by>::NAME,
            map_type: #map_type,
            validations: #validations,
        }
    }
}

/// The code that writes the declared default, even if serde would leave that value out.
///
/// ```text
/// Some(|__out| {
///     let __value: &Option<i32> = &Some(__p::fill::<i32>(3));
///     __p::write::<Option<i32>>(__value, <__p::IsOption<Option<i32>>>::VALUE, __out)
/// })
/// ```
pub(super) fn default_writer(field: &Field) -> Option<TokenStream> {
    let value = field.declared.default.as_ref()?;
    let ty = &field.ty;
    let value = if let Some(inside) = inside_option(ty) {
        let fill = quote_spanned!(value.span()=> __p::fill::<#inside>(#value));
        quote!(::core::option::Option::Some(#fill))
    } else {
        quote_spanned!(value.span()=> __p::fill::<#ty>(#value))
    };
    Some(writer(field, &value))
}

/// The code that writes serde's own default. The default of an `Option` writes nothing.
fn serde_default(model: &Struct, field: &Field) -> Option<TokenStream> {
    if matches!(field.default, Some(Default::Trait)) && inside_option(&field.ty).is_some() {
        return None;
    }
    Some(writer(field, &default_of(model, field)?))
}

fn writer(field: &Field, value: &TokenStream) -> TokenStream {
    let (ty, write) = (&field.ty, write(field));
    quote! {
        ::core::option::Option::Some(|__out| {
            let __value: &#ty = &#value;
            #write
        })
    }
}
