//! The impls for a struct that moved values leave or enter: what becomes of its fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::model::{Rule, Struct, Upgrade};

/// ```text
/// impl __p::Accounts<__Older> for CronTabSpec {
///     const ACCOUNT: __p::Account = __p::Account {
///         kept: &[("schedule", "schedule")],
///         added: &["suspend"],
///         removed: &["owner"],
///         mapped: [&["host_port"], &["host", "port"]],
///         same: false,
///         broken: false,
///     };
/// }
/// ```
pub(in crate::expand) fn account(model: &Struct, upgrade: &Upgrade) -> TokenStream {
    let ident = &model.ident;
    let (mut kept, mut added, mut removed) = (Vec::new(), Vec::new(), Vec::new());
    let (mut olds, mut news) = (Vec::new(), Vec::new());
    for rule in &upgrade.rules {
        match rule {
            Rule::Kept { older, newer } | Rule::KeptOrCome { older, newer } => {
                let (older, newer) = (&older.name.text, &newer.name.text);
                kept.push(quote!((#older, #newer)));
            }
            Rule::Added { newer, .. } => added.push(&newer.name.text),
            Rule::Removed { older, .. } => removed.push(&older.name.text),
            Rule::Converted { older, newer, .. } => {
                olds.extend(older.iter().map(|older| &older.name.text));
                news.extend(newer.iter().map(|newer| &newer.name.text));
            }
            Rule::Come(newer) => news.push(&newer.name.text),
            Rule::Gone(older) => olds.push(&older.name.text),
        }
    }
    quote! {
        #[automatically_derived]
        impl __p::Accounts<__Older> for #ident {
            const ACCOUNT: __p::Account = __p::Account {
                kept: &[#(#kept),*],
                added: &[#(#added),*],
                removed: &[#(#removed),*],
                mapped: [&[#(#olds),*], &[#(#news),*]],
                same: false,
                broken: false,
            };
        }
    }
}

/// The impls that every struct has as a holder of moved values.
pub(in crate::expand) fn holder(ident: &Ident) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __p::Holder for #ident {
            type Struct = Self;
        }
        #[automatically_derived]
        impl __p::Accounts<Self> for #ident {
            const ACCOUNT: __p::Account = __p::SAME;
        }
        #[automatically_derived]
        impl __p::Accounts<__p::Unknown> for #ident {}
    }
}
