//! How a field's value is written, and which one stands for an absent field.

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

/// The value of an absent field, by serde's attributes.
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
