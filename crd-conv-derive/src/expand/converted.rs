//! A group of fields that a converter makes from fields of the other version.

mod side;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use super::{
    places::{Places, newer_field},
    tokens::{place, variable},
};
use crate::model::{Conversion, Converter, Field, OlderField, Struct};
pub(super) use side::{Place, Side, Target};
use side::{names, one_or_tuple, or_leave_out, or_return};

/// Each rule is a constant of its own. rustc reports one mistake for each constant that it
/// evaluates, and so one for each group.
///
/// ```text
/// const __RULE0: __p::Rule = {
///     {
///         let __older_type = __p::ty::<__Older, __Older0, _>();
///         let __pair = __p::Pair::new(__older_type, PhantomData::<(String, String)>, HostPort);
///         __p::never_called(move || {
///             __pair.older_is_text();
///             __pair.newer_is_text();
///             __pair.absent_in_older();
///             __pair.absent_in_newer();
///             __pair.fits()
///         })
///     }
///     __p::Rule::Converted {
///         older: &[…],
///         newer: &[…],
///         by: __p::By::new("HostPort", __p::Conversion::new(|__in, __before, __out| {
///             let __older_type = __p::ty::<__Older, __Older0, _>();
///             let __older0 = match __p::input::<__Older, __Older0, _>(__in, 0) {
///                 Ok(__value) => __value,
///                 Err(__fault) => return Err(__fault),
///             };
///             let __older = __p::typed(__older_type, __older0);
///             let (__newer0, __newer1): (String, String) = match __p::Pair::new(
///                 __older_type, PhantomData::<(String, String)>, const { HostPort },
///             ).upgrade(__older, match (
///                 __p::before::<CronTabSpec, __p::F0, String>(__before, 0),
///                 __p::before::<CronTabSpec, __p::F1, String>(__before, 1),
///             ) {
///                 (Some(__newer0), Some(__newer1)) => Some((__newer0, __newer1)),
///                 _ => None,
///             }) { … };
///             match __p::output::<CronTabSpec, __p::F0, String>(&__newer0, __out) { … }
///             __p::output::<CronTabSpec, __p::F1, String>(&__newer1, __out)
///         }, None), …),
///     }
/// };
/// ```
pub(super) fn converted<'a>(
    model: &Struct,
    older: &'a [OlderField],
    newer: &[&Field],
    conversion: &Conversion,
    places: &mut Places<'a>,
) -> TokenStream {
    let older_places: Vec<Ident> = older.iter().map(|field| places.place(field, true)).collect();
    check(model, older, newer, places);
    let own = |place: TokenStream, facts: TokenStream, text: &str| Target {
        place: Place::Own(place),
        facts,
        text: text.to_owned(),
        always: quote!(true),
    };
    let targets = older_places
        .iter()
        .zip(older)
        .map(|(place, field)| own(quote!(__Older, #place, _), quote!(__FIELDS), &field.name.text));
    let types = older_places.iter().map(|place| quote!(__p::ty::<__Older, #place, _>()));
    let older_type = group_type(&types.collect::<Vec<_>>());
    let older_side = Side::new("older", targets.collect(), older_type);
    let ident = &model.ident;
    let targets = newer.iter().map(|field| {
        let (place, ty) = (place(field.index), &field.ty);
        let facts = quote!(<#ident as __p::Shape>::FIELDS);
        own(quote!(#ident, #place, #ty), facts, &field.name.text)
    });
    let types = newer.iter().map(|field| &field.ty);
    let newer_type = one_or_tuple(&types.map(|ty| quote!(#ty)).collect::<Vec<_>>());
    let newer_type = quote!(::core::marker::PhantomData::<#newer_type>);
    let newer_side = Side::new("newer", targets.collect(), newer_type);
    let conversions =
        conversions(conversion, &older_side, &newer_side, Asked::Always, &mut places.checks);
    let Conversions { fits, by, upgrade, downgrade } = conversions;
    let older_texts = older.iter().map(|field| &field.name.text);
    let newer_fields = newer.iter().map(|field| newer_field(model, field));
    let rule = quote! {
        __p::Rule::Converted {
            older: &[#(__p::known(__FIELDS, #older_texts)),*],
            newer: &[#(#newer_fields),*],
            by: __p::By::new(#by, #upgrade, #downgrade),
        }
    };
    let name = format_ident!("__RULE{}", places.rules.len());
    places.rules.push(quote!(const #name: __p::Rule = { #fits #rule };));
    quote!(#name)
}

/// When a converter is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Always,
    /// A moved value that is absent stays absent.
    IfPresent,
    /// Values that move together stay where they are if they aren't complete.
    IfComplete,
}

/// The two directions of a conversion.
pub(super) struct Conversions {
    /// Checks the types.
    pub(super) fits: Option<TokenStream>,
    /// The converter's name.
    pub(super) by: String,
    pub(super) upgrade: TokenStream,
    pub(super) downgrade: TokenStream,
}

pub(super) fn conversions(
    conversion: &Conversion,
    older: &Side,
    newer: &Side,
    asked: Asked,
    checks: &mut Vec<TokenStream>,
) -> Conversions {
    let Calls { upgraded, downgraded, before, fits } = Calls::new(conversion, older, newer, asked);
    let older_type = &older.ty;
    let types = quote!(let __older_type = #older_type;);
    let (read_older, read_newer) = (older.read(), newer.read());
    let (write_older, write_newer) = (older.write(), newer.write());
    let (older_value, newer_value) = (older.value(), newer.value());
    let upgrade_fallback = newer.fallback(conversion.fallback.upgrade.as_ref(), checks);
    let downgrade_fallback = older.fallback(conversion.fallback.downgrade.as_ref(), checks);
    let [upgrade_refuses, downgrade_refuses] =
        [&conversion.refuses.upgrade, &conversion.refuses.downgrade]
            .map(|why| why.as_ref().map(|(_, why)| quote!(.refusing(#why))));
    Conversions {
        fits: fits.map(|fits| quote!({ #types #fits })),
        by: conversion.by.shown(),
        upgrade: quote! {
            __p::Conversion::new(|__in, #before, __out| {
                #types
                #read_older
                let __older = __p::typed(__older_type, #older_value);
                let #newer_value = #upgraded;
                #write_newer
            }, #upgrade_fallback) #upgrade_refuses
        },
        downgrade: quote! {
            __p::Conversion::new(|__in, #before, __out| {
                #types
                #read_newer
                let __newer = #newer_value;
                let #older_value = #downgraded;
                #write_older
            }, #downgrade_fallback) #downgrade_refuses
        },
    }
}

fn check(model: &Struct, older: &[OlderField], newer: &[&Field], places: &mut Places<'_>) {
    let (ident, this, shown) = (&model.ident, &model.shown, places.older.clone());
    for field in older {
        let (span, text) = (field.name.ident.span(), &field.name.text);
        for function in ["not_aliased", "not_flattened", "returns"] {
            places.check(span, function, &quote_spanned!(span=> __FIELDS, #shown, #text));
        }
    }
    for field in newer {
        let (span, text) = (field.name.ident.span(), &field.name.text);
        places.check(
            span,
            "returns",
            &quote_spanned!(span=> <#ident as __p::Shape>::FIELDS, #this, #text),
        );
    }
}

/// The calls of the author's code.
struct Calls {
    upgraded: TokenStream,
    downgraded: TokenStream,
    /// The closure's parameter for the values before an edit.
    before: TokenStream,
    /// Evaluates a converter outside of the closures, where `cargo check` finds a mistake in it.
    /// Inside a closure, rustc evaluates a constant only when it generates code.
    fits: Option<TokenStream>,
}

impl Calls {
    fn new(
        Conversion { by, fallback, .. }: &Conversion,
        older: &Side,
        newer: &Side,
        asked: Asked,
    ) -> Self {
        let mut fits = None;
        let newer_type = &newer.ty;
        let (upgraded, downgraded, before, span, older_type) = match by {
            Converter::Value(value) => {
                let span = value.span();
                let [older_type, older_value, newer_value] =
                    ["__older_type", "__older", "__newer"].map(|name| variable(name, value));
                let pair = |value: TokenStream| {
                    quote_spanned! {span=>
                        __p::Pair::new(
                            #older_type,
                            #newer_type,
                            #value,
                        )
                    }
                };
                let evaluated = pair(quote!(#value));
                // A fallback also supplies the value for an absent one.
                let is_single_move = asked == Asked::IfPresent;
                let is_asked = asked == Asked::Always;
                let [fit, forth, back] = if is_single_move {
                    ["carries", "carry", "carry_back"]
                } else {
                    ["fits", "upgrade", "downgrade"]
                }
                .map(|method| Ident::new(method, span));
                let absent_in_older = (is_asked && fallback.upgrade.is_none())
                    .then(|| quote_spanned!(span=> __pair.absent_in_older();));
                let absent_in_newer = (is_asked && fallback.downgrade.is_none())
                    .then(|| quote_spanned!(span=> __pair.absent_in_newer();));
                fits = Some(quote_spanned! {span=>
                    let __pair = #evaluated;
                    __p::never_called(move || {
                        __pair.older_is_text();
                        __pair.newer_is_text();
                        #absent_in_older
                        #absent_in_newer
                        __pair.#fit()
                    })
                });
                let pair = pair(quote_spanned!(span=> const { #value }));
                let (older, newer) = (older.before(), newer.before());
                let upgraded = quote_spanned!(span=> #pair.#forth(#older_value, #newer));
                let downgraded = quote_spanned!(span=> #pair.#back(#newer_value, #older));
                let taken = |converted: &TokenStream| {
                    if is_single_move {
                        or_leave_out(span, converted)
                    } else {
                        or_return(span, converted)
                    }
                };
                (taken(&upgraded), taken(&downgraded), quote!(__before), span, older_type)
            }
            Converter::Functions { upgrade, downgrade } => {
                let older_value = variable("__older", upgrade);
                let newer_value = variable("__newer", downgrade);
                // With `?`, rustc gives the best message for a function that returns another type.
                let upgraded = quote_spanned! {upgrade.span()=>
                    __p::typed(
                        #newer_type,
                        (&mut __p::Outcome::new(#upgrade(#older_value))).get()?,
                    )
                };
                let span = downgrade.span();
                let downgraded = quote_spanned!(span=> (&mut __p::Outcome::new(#downgrade(#newer_value))).get()?);
                (upgraded, downgraded, quote!(_), span, variable("__older_type", downgrade))
            }
        };
        let downgraded = quote_spanned!(span=> __p::typed(#older_type, #downgraded));
        Self { upgraded, downgraded, before, fits }
    }
}

/// Returns the type of a group as `PhantomData`. The names of its types may be unknown here, so type
/// inference puts it together.
pub(super) fn group_type(types: &[TokenStream]) -> TokenStream {
    let type_names = names("T", types.len());
    let all = one_or_tuple(&type_names.iter().map(|name| quote!(#name)).collect::<Vec<_>>());
    quote! {
        {
            const fn __group<#(#type_names),*>(
                #(_: ::core::marker::PhantomData<#type_names>),*
            ) -> ::core::marker::PhantomData<#all> {
                ::core::marker::PhantomData
            }
            __group(#(#types),*)
        }
    }
}
