//! A group of fields that a converter makes from fields of the other version.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Ident, spanned::Spanned};

use super::{
    places::{Places, newer_field},
    tokens::{place, variable},
};
use crate::model::{Conversion, Converter, Field, OlderField, Shown, Struct};

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
///         by: "HostPort",
///         upgrade: __p::Conversion::new(|__in, __before, __out| {
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
///         }, None),
///         downgrade: …,
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
    let older_side = Side {
        fields: quote!(__FIELDS),
        texts: older.iter().map(|field| field.name.text.clone()).collect(),
        targets: older_places.iter().map(|place| quote!(__Older, #place, _)).collect(),
        names: names("older", older.len()),
    };
    let ident = &model.ident;
    let targets = newer.iter().map(|field| {
        let (place, ty) = (place(field.index), &field.ty);
        quote!(#ident, #place, #ty)
    });
    let newer_side = Side {
        fields: quote!(<#ident as __p::Shape>::FIELDS),
        texts: newer.iter().map(|field| field.name.text.clone()).collect(),
        targets: targets.collect(),
        names: names("newer", newer.len()),
    };
    let newer_types = newer.iter().map(|field| &field.ty);
    let newer_type = one_or_tuple(&newer_types.map(|ty| quote!(#ty)).collect::<Vec<_>>());

    let calls = Calls::new(conversion, &older_side, &newer_side, &newer_type);
    let Calls { upgraded, downgraded, before, fits } = calls;
    let types = older_type(&older_places);
    let fits = fits.map(|fits| quote!({ #types #fits }));
    let (read_older, read_newer) = (older_side.read(), newer_side.read());
    let (write_older, write_newer) = (older_side.write(), newer_side.write());
    let (older_value, newer_value) = (older_side.value(), newer_side.value());
    let upgrade_fallback = newer_side.fallback(conversion.fallback.upgrade.as_ref(), places);
    let downgrade_fallback = older_side.fallback(conversion.fallback.downgrade.as_ref(), places);
    let [upgrade_refuses, downgrade_refuses] =
        [&conversion.refuses.upgrade, &conversion.refuses.downgrade]
            .map(|why| why.as_ref().map(|(_, why)| quote!(.refusing(#why))));
    let older_texts = &older_side.texts;
    let newer_fields = newer.iter().map(|field| newer_field(model, field));
    let by = conversion.by.shown();
    let rule = quote! {
        __p::Rule::Converted {
            older: &[#(__p::known(__FIELDS, #older_texts)),*],
            newer: &[#(#newer_fields),*],
            by: #by,
            upgrade: __p::Conversion::new(|__in, #before, __out| {
                #types
                #read_older
                let __older = __p::typed(__older_type, #older_value);
                let #newer_value: #newer_type = #upgraded;
                #write_newer
            }, #upgrade_fallback) #upgrade_refuses,
            downgrade: __p::Conversion::new(|__in, #before, __out| {
                #types
                #read_newer
                let __newer: #newer_type = #newer_value;
                let #older_value = #downgraded;
                #write_older
            }, #downgrade_fallback) #downgrade_refuses,
        }
    };
    let name = format_ident!("__RULE{}", places.rules.len());
    places.rules.push(quote!(const #name: __p::Rule = { #fits #rule };));
    quote!(#name)
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

/// The group's fields in one of the versions.
struct Side {
    /// The facts about the struct's fields.
    fields: TokenStream,
    /// The Rust names of the group's fields.
    texts: Vec<String>,
    /// The struct, the place in it and the type of each field.
    targets: Vec<TokenStream>,
    /// The variables that hold the fields' values.
    names: Vec<Ident>,
}

impl Side {
    fn value(&self) -> TokenStream {
        one_or_tuple(&self.names.iter().map(|name| quote!(#name)).collect::<Vec<_>>())
    }

    fn read(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let at = 0..names.len();
        let inputs = targets.iter().zip(at).map(|(target, at)| {
            or_return(Span::call_site(), &quote!(__p::input::<#target>(__in, #at)))
        });
        quote!(#(let #names = #inputs;)*)
    }

    fn write(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let outputs = targets
            .iter()
            .zip(names)
            .map(|(target, name)| quote!(__p::output::<#target>(&#name, __out)));
        in_order(&outputs.collect::<Vec<_>>())
    }

    /// The values that these fields had before an edit.
    fn before(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let at = 0..names.len();
        match &targets[..] {
            [target] => quote!(__p::before::<#target>(__before, 0)),
            targets => quote! {
                match (#(__p::before::<#targets>(__before, #at)),*) {
                    (#(::core::option::Option::Some(#names)),*) => {
                        ::core::option::Option::Some((#(#names),*))
                    }
                    _ => ::core::option::Option::None,
                }
            },
        }
    }

    /// ```text
    /// Some(|__out| {
    ///     match __p::output_value::<CronTabSpec, __p::F0, String, _>("localhost", __out) { … }
    ///     __out.push(|_| Ok(false))
    /// })
    /// ```
    fn fallback(&self, shown: Option<&Shown>, places: &mut Places<'_>) -> TokenStream {
        let Some((direction, values)) = shown else { return quote!(::core::option::Option::None) };
        let Self { fields, texts, targets, .. } = self;
        let mut push = |((value, target), text): ((&Option<Expr>, &TokenStream), &String)| {
            if let Some(value) = value {
                let out = variable("__out", value);
                return quote_spanned! {value.span()=>
                    __p::output_value::<#target, _>(#value, #out)
                };
            }
            let span = direction.span();
            places.check(span, "left_out", &quote_spanned!(span=> #fields, #text));
            quote!(__out.push(|_| ::core::result::Result::Ok(false)))
        };
        let pushes: Vec<_> = values.iter().zip(targets).zip(texts).map(&mut push).collect();
        let pushes = in_order(&pushes);
        quote!(::core::option::Option::Some(|__out| { #pushes }))
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
        newer_type: &TokenStream,
    ) -> Self {
        let mut fits = None;
        let (upgraded, downgraded, before, span, older_type) = match by {
            Converter::Value(value) => {
                let span = value.span();
                let [older_type, older_value, newer_value] =
                    ["__older_type", "__older", "__newer"].map(|name| variable(name, value));
                let pair = |value: TokenStream| {
                    quote_spanned! {span=>
                        __p::Pair::new(
                            #older_type,
                            ::core::marker::PhantomData::<#newer_type>,
                            #value,
                        )
                    }
                };
                let evaluated = pair(quote!(#value));
                // A fallback also supplies the value for an absent one.
                let absent_in_older = fallback
                    .upgrade
                    .is_none()
                    .then(|| quote_spanned!(span=> __pair.absent_in_older();));
                let absent_in_newer = fallback
                    .downgrade
                    .is_none()
                    .then(|| quote_spanned!(span=> __pair.absent_in_newer();));
                fits = Some(quote_spanned! {span=>
                    let __pair = #evaluated;
                    __p::never_called(move || {
                        __pair.older_is_text();
                        __pair.newer_is_text();
                        #absent_in_older
                        #absent_in_newer
                        __pair.fits()
                    })
                });
                let pair = pair(quote_spanned!(span=> const { #value }));
                let (older, newer) = (older.before(), newer.before());
                let upgraded = quote_spanned!(span=> #pair.upgrade(#older_value, #newer));
                let downgraded = quote_spanned!(span=> #pair.downgrade(#newer_value, #older));
                (
                    or_return(span, &upgraded),
                    or_return(span, &downgraded),
                    quote!(__before),
                    span,
                    older_type,
                )
            }
            Converter::Functions { upgrade, downgrade } => {
                let older_value = variable("__older", upgrade);
                let newer_value = variable("__newer", downgrade);
                // With `?`, rustc gives the best message for a function that returns another type.
                let upgraded = quote_spanned! {upgrade.span()=>
                    __p::typed(
                        ::core::marker::PhantomData::<#newer_type>,
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

/// The names of the older types may be unknown here, so type inference puts the group's type
/// together.
fn older_type(places: &[Ident]) -> TokenStream {
    let type_names = names("T", places.len());
    let all = one_or_tuple(&type_names.iter().map(|name| quote!(#name)).collect::<Vec<_>>());
    quote! {
        const fn __group<#(#type_names),*>(
            #(_: ::core::marker::PhantomData<#type_names>),*
        ) -> ::core::marker::PhantomData<#all> {
            ::core::marker::PhantomData
        }
        let __older_type = __group(#(__p::ty::<__Older, #places, _>()),*);
    }
}

/// Returns the value, or returns the fault from the closure. `?` would be three times as much code
/// for LLVM.
fn or_return(span: Span, result: &TokenStream) -> TokenStream {
    // Without this span, clippy would report its style to the author.
    let span = Span::call_site().located_at(span);
    quote_spanned! {span=>
        match #result {
            ::core::result::Result::Ok(__value) => __value,
            ::core::result::Result::Err(__fault) => return ::core::result::Result::Err(__fault),
        }
    }
}

/// Runs the steps up to the first fault. A group has at least one field.
fn in_order(results: &[TokenStream]) -> TokenStream {
    let Some((last, others)) = results.split_last() else {
        return quote!(::core::result::Result::Ok(()));
    };
    let others = others.iter().map(|result| or_return(Span::call_site(), result));
    quote!(#(#others;)* #last)
}

fn names(prefix: &str, count: usize) -> Vec<Ident> {
    (0..count).map(|index| format_ident!("__{prefix}{index}")).collect()
}

/// One value by itself, or several values as a tuple.
fn one_or_tuple(all: &[TokenStream]) -> TokenStream {
    match all {
        [one] => one.clone(),
        all => quote!((#(#all),*)),
    }
}
