//! The field or stanza at which the paths to moved values start.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use crate::model::{Root, Stanza, Status, Struct};

/// A field or a stanza at which paths start, as the generated code finds it.
pub(in crate::expand) struct Start {
    /// Where mistakes in its type are shown.
    pub(super) span: proc_macro2::Span,
    /// The struct in this field, and the struct in the other version's counterpart.
    pub(super) held: TokenStream,
    pub(super) other: TokenStream,
    /// The field's type.
    pub(super) ty: TokenStream,
    /// The struct, the place in it and the field's type. `None` for a stanza.
    pub(super) own: Option<TokenStream>,
    /// The facts of the type that contains the field, and that type's name in messages.
    pub(super) facts: TokenStream,
    pub(super) shown: TokenStream,
    pub(super) field: TokenStream,
    /// Whether only this version has the field.
    pub(super) one_sided: TokenStream,
    /// Whether the field is flattened.
    pub(super) flat: TokenStream,
}

/// A field of the struct as a start.
pub(in crate::expand) fn field(model: &Struct, older: &str, root: &Root, is_newer: bool) -> Start {
    let ident = &model.ident;
    let find = |name: &str| model.fields.iter().find(|field| field.name.text == *name);
    let text = &root.name.text;
    let span = match find(text) {
        Some(field) if is_newer => field.name.ident.span(),
        _ => root.name.ident.span(),
    };
    // rustc reports a type that holds no struct as one mistake only if all these tokens have one
    // span.
    let of_newer = |name: &str| {
        let index = find(name).map_or(0, |field| field.index);
        quote_spanned!(span=> #ident, __p::At<#index>, _)
    };
    let of_older =
        |name: &str| quote_spanned!(span=> __Older, __p::At<{ __p::place_if(__FIELDS, #name) }>, _);
    let (own, facts, shown) = if is_newer {
        (of_newer(text), quote!(<#ident as __p::Shape>::FIELDS), model.shown.clone())
    } else {
        (of_older(text), quote!(__FIELDS), older.to_owned())
    };
    let (other, one_sided) = match &root.status {
        Status::OneSided => (None, quote!(true)),
        Status::Kept(name) if is_newer => (Some(of_older(name)), quote!(false)),
        Status::Kept(name) => (Some(of_newer(name)), quote!(false)),
        Status::Perhaps => {
            let one_sided = quote!(__p::place_if(__FIELDS, #text) == __p::NOWHERE);
            (Some(of_older(text)), one_sided)
        }
    };
    Start {
        span,
        held: quote_spanned!(span=> __p::held::<#own>()),
        other: other.map_or_else(
            || quote!(__p::nothing()),
            |other| quote_spanned!(span=> __p::held::<#other>()),
        ),
        ty: quote_spanned!(span=> __p::ty::<#own>()),
        field: quote!(__p::known(#facts, #text)),
        flat: quote!(__p::is_flat(#facts, #text)),
        own: Some(own),
        facts,
        shown: quote!(#shown),
        one_sided,
    }
}

/// A stanza of a version as a start.
pub(in crate::expand) fn stanza(
    own: &Stanza,
    other: Option<&Stanza>,
    field: &TokenStream,
    version: &str,
) -> Start {
    let held = |stanza: &Stanza| {
        let ty = &stanza.written;
        quote_spanned!(ty.span()=> __p::held_as::<#ty>())
    };
    let written = &own.written;
    Start {
        span: written.span(),
        held: held(own),
        other: other.map_or_else(|| quote!(__p::nothing()), held),
        ty: quote_spanned!(written.span()=> ::core::marker::PhantomData::<#written>),
        own: None,
        facts: quote!(&[__p::Facts { field: #field, ..__p::BROKEN[0] }]),
        shown: quote!(#version),
        field: field.clone(),
        one_sided: if other.is_some() { quote!(false) } else { quote!(true) },
        flat: quote!(false),
    }
}
