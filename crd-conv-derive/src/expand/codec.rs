//! Writes a field's value, and finds the value that an absent field has.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::tokens::at;
use crate::model::{Codec, Default, Field, Struct};

/// Writes `__value` by the field's codec.
pub(super) fn write(field: &Field) -> TokenStream {
    let ty = &field.ty;
    let span = at(ty);
    let nullable = quote_spanned!(span=> <__p::IsOption<#ty>>::VALUE);
    match &field.codec {
        Codec::Type => quote_spanned!(span=> __p::write::<#ty>(__value, #nullable, __out)),
        Codec::Functions { serialize, .. } => quote! {
            __p::write_with(#nullable, __out, |__serializer| #serialize(__value, __serializer))
        },
    }
}

/// The value that serde's attributes give an absent field.
pub(super) fn default_of(model: &Struct, field: &Field) -> Option<TokenStream> {
    let (ty, member, ident) = (&field.ty, &field.name.ident, &model.ident);
    let span = at(ty);
    match (&field.default, &model.default) {
        (Some(Default::Trait), _) => {
            Some(quote_spanned!(span=> <#ty as ::core::default::Default>::default()))
        }
        (Some(Default::Function(path)), _) => Some(quote!(#path())),
        (None, Some(Default::Trait)) => {
            Some(quote!(<#ident as ::core::default::Default>::default().#member))
        }
        (None, Some(Default::Function(path))) => Some(quote!(#path().#member)),
        (None, None) => None,
    }
}
