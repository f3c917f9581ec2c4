//! The places of the fields that rules mention.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use crate::{
    model::{Field, OlderField, Reason, Struct},
    types::inside_option,
};

/// Collects the older fields' places while rules are written.
pub(super) struct Places<'a> {
    pub(super) older: String,
    pub(super) consts: Vec<TokenStream>,
    pub(super) checks: Vec<TokenStream>,
    /// The rules that are constants of their own, `__RULE0` and so on.
    pub(super) rules: Vec<TokenStream>,
    pub(super) names: Vec<&'a str>,
    /// The names that come from an attribute.
    pub(super) by_attributes: Vec<&'a str>,
    /// The older fields that an attribute names, with its tokens.
    pub(super) idents: Vec<Ident>,
    /// The names that need not exist in the older version.
    pub(super) perhaps: Vec<&'a str>,
    /// The mappings inside of fields that both versions have, as arms of a match.
    pub(super) nested: Vec<TokenStream>,
}

impl<'a> Places<'a> {
    /// Emits the place of an older field and returns the place's name. The name exists only if
    /// `typed`, that is, if the field's type is needed.
    pub(super) fn place(&mut self, field: &'a OlderField, typed: bool) -> Ident {
        let name = &field.name.text;
        let span = field.name.ident.span();
        let older = &self.older;
        let reason = match field.reason {
            Reason::Converted => quote_spanned!(span=> __p::Reason::Converted),
            Reason::Named | Reason::SameName => quote_spanned!(span=> __p::Reason::Named),
        };
        let call = quote_spanned!(span=> __p::older_field(__FIELDS, __SKIPPED, #older, #name, #reason, __NAMED));
        self.add(field, &call, typed)
    }

    /// Like [`place`](Self::place), for a field that both versions have. If its name is the same in
    /// both, one constant does all checks, because each constant costs rustc as much as a small
    /// function.
    pub(super) fn kept(&mut self, field: &'a OlderField, newer: &Field, ident: &Ident) -> Ident {
        if !matches!(field.reason, Reason::SameName) {
            let place = self.place(field, true);
            self.check_kept(field, newer, ident);
            return place;
        }
        let (span, older, index) = (field.name.ident.span(), &self.older, newer.index);
        let optional = newer.default.is_some() || inside_option(&newer.ty).is_some();
        let new = if optional { "#[versioned(added)]" } else { "#[versioned(added(value = …))]" };
        let call = quote_spanned! {span=>
            __p::kept_field(__FIELDS, __SKIPPED, <#ident as __p::Shape>::FIELDS, #older, #index, #new, __NAMED)
        };
        self.add(field, &call, true)
    }

    pub(super) fn check_kept(&mut self, field: &OlderField, newer: &Field, ident: &Ident) {
        let (span, index, text) = (newer.name.ident.span(), newer.index, &field.name.text);
        let older = &self.older;
        let arguments = quote_spanned! {span=>
            __FIELDS, <#ident as __p::Shape>::FIELDS, #older, #text, #index
        };
        self.check(span, "kept", &arguments);
    }

    fn add(&mut self, field: &'a OlderField, call: &TokenStream, typed: bool) -> Ident {
        let name = &field.name.text;
        let span = field.name.ident.span();
        let place = format_ident!("__Older{}", self.consts.len(), span = span);
        // rustc evaluates an alias once, however often it is used, and never if it isn't used.
        self.consts.push(if typed {
            quote_spanned!(span=> type #place = __p::At<{ #call }>;)
        } else {
            quote_spanned!(span=> const _: ::core::primitive::usize = #call;)
        });
        self.names.push(name);
        if matches!(field.reason, Reason::Named) {
            self.by_attributes.push(name);
            self.idents.extend(field.name.as_field());
        }
        place
    }

    pub(super) fn check(&mut self, span: Span, function: &str, arguments: &TokenStream) {
        let function = Ident::new(function, span);
        self.checks.push(quote_spanned!(span=> const _: () = __p::#function(#arguments);));
    }
}

pub(super) fn newer_field(model: &Struct, field: &Field) -> TokenStream {
    let (ident, index) = (&model.ident, field.index);
    quote!(<#ident as __p::Shape>::FIELDS[#index].field)
}
