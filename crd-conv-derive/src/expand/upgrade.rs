//! How a versioned struct came from the older one.

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use super::{
    converted::converted,
    editor, moved,
    places::{Places, newer_field},
    tokens::{self, variable},
};
use crate::model::{Field, OlderField, Rule, Struct, Upgrade};

/// ```text
/// impl __p::UpgradeFrom<super::v1beta1::CronTabSpec> for CronTabSpec { … no rules … }
/// ```
pub(super) fn no_upgrade(ident: &Ident, older: &TokenStream) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __p::UpgradeFrom<#older> for #ident {
            fn plan() -> __p::Nested {
                static __PLAN: __p::StructPlan = __p::StructPlan::new("", "", &[]);
                __p::Nested::Struct(&__PLAN)
            }
        }
        #[automatically_derived]
        impl __p::Accounts<#older> for #ident {}
    }
}

/// ```text
/// type __Older = super::v1beta1::CronTabSpec;
/// const __FIELDS: &[__p::Facts] = <__Older as __p::Shape>::FIELDS;
/// const __SKIPPED: &[&str] = <__Older as __p::Shape>::SKIPPED;
/// const __NAMED: &[&str] = &["host_port"];
/// const __BY_ATTRIBUTES: &[&str] = &["host_port"];
/// type __Older0 = __p::At<{
///     __p::older_field(__FIELDS, __SKIPPED, "v1beta1::CronTabSpec", "host_port", __p::Reason::Named, __NAMED)
/// }>;
/// const _: () = __p::covered(
///     __FIELDS, <CronTabSpec as __p::Shape>::SKIPPED, "v1beta1::CronTabSpec", "CronTabSpec", __NAMED, __BY_ATTRIBUTES,
/// );
///
/// impl __p::UpgradeFrom<__Older> for CronTabSpec {
///     fn plan() -> __p::Nested {
///         fn __nested(__at: usize) -> Option<fn() -> __p::Nested> { match __at { … } }
///         const __RULES: &'static [__p::Rule] = &[…];
///         static __PLAN: __p::StructPlan = __p::StructPlan::new("v1beta1::CronTabSpec", …, __RULES);
///         __p::Nested::Struct(&__PLAN)
///     }
/// }
/// ```
pub(super) fn upgrade(model: &Struct, upgrade: &Upgrade) -> TokenStream {
    let (ident, path) = (&model.ident, &upgrade.older.ty);
    let (older, newer) = (&upgrade.older.shown, &model.shown);
    let mut places = Places {
        older: older.clone(),
        consts: Vec::new(),
        checks: Vec::new(),
        rules: Vec::new(),
        names: Vec::new(),
        by_attributes: Vec::new(),
        idents: Vec::new(),
        perhaps: Vec::new(),
        nested: Vec::new(),
    };
    let mut rules: Vec<_> =
        upgrade.rules.iter().map(|rule| self::rule(model, rule, &mut places)).collect();
    let (items, moves) = moved::moved(&upgrade.moves, |root, is_newer| {
        Some(moved::field(model, older, root, is_newer))
    });
    rules.extend(moves);
    let Places {
        consts, checks, rules: own, names, by_attributes, idents, perhaps, nested, ..
    } = places;
    // Covers the path's first token to its last. On stable Rust, two spans can't be joined into
    // one.
    let (first, last) = upgrade.older.ends;
    let mut arguments = Group::new(
        Delimiter::Parenthesis,
        quote!(__FIELDS, <#ident as __p::Shape>::SKIPPED, #older, #newer, __NAMED, __BY_ATTRIBUTES),
    );
    arguments.set_span(last);
    let covered = quote_spanned!(first=> const _: () = __p::covered #arguments;);
    let of_struct = !upgrade.older.of_variant;
    // No value moves into a variant from outside, and the older version of its fields may be
    // unknown.
    let account = of_struct.then(|| moved::account(model, upgrade));
    let editor = of_struct.then(|| editor::fields(ident, upgrade, &idents));
    let nested = (!nested.is_empty()).then(|| {
        quote! {
            fn __nested(
                __at: ::core::primitive::usize,
            ) -> ::core::option::Option<fn() -> __p::Nested> {
                match __at {
                    #(#nested)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    });
    let says_how =
        if of_struct { quote!(__p::UpgradeFrom<__Older>) } else { quote!(__p::FieldsPlan) };
    quote! {
        type __Older = #path;
        const __FIELDS: &[__p::Facts] = <#path as __p::Shape>::FIELDS;
        const __SKIPPED: __p::Texts = <#path as __p::Shape>::SKIPPED;
        // This comes before the first text with a name from an attribute.
        #editor
        const __NAMED: __p::Texts =
            &[#(#names,)* #(__p::name_if(__FIELDS, #perhaps)),*];
        const __BY_ATTRIBUTES: __p::Texts = &[#(#by_attributes),*];
        #(#consts)*
        #covered
        #(#checks)*
        #(#own)*
        #(#items)*
        #account
        #[automatically_derived]
        impl #says_how for #ident {
            fn plan() -> __p::Nested {
                #nested
                const __RULES: &'static [__p::Rule] = &[#(#rules),*];
                static __PLAN: __p::StructPlan =
                    __p::StructPlan::new(#older, <#ident as __p::Shape>::NAME, __RULES);
                __p::Nested::Struct(&__PLAN)
            }
        }
    }
}

fn rule<'a>(model: &Struct, rule: &'a Rule, places: &mut Places<'a>) -> TokenStream {
    match rule {
        Rule::Kept { older, newer } => kept(model, older, newer, places),
        Rule::Added { newer, value } => {
            let (ident, place, ty) = (&model.ident, tokens::place(newer.index), &newer.ty);
            let text = &newer.name.text;
            let span = newer.name.ident.span();
            let field = newer_field(model, newer);
            let fill = if let Some(value) = value {
                // The field's type decides the type of a literal.
                let fill = quote_spanned!(value.span()=> __p::fill::<#ty>(#value));
                let out = variable("__out", value);
                let write = quote_spanned! {value.span()=>
                    __p::write_fill::<#ident, #place, #ty, _>(#fill, #out)
                };
                quote!(::core::option::Option::Some(|#out| #write))
            } else {
                places.check(
                    span,
                    "added",
                    &quote_spanned!(span=> <#ident as __p::Shape>::FIELDS, #text),
                );
                if newer.flatten {
                    let this = ident.to_string();
                    let arguments =
                        quote_spanned!(span=> <#ident as __p::Shape>::FIELDS, #this, #text);
                    places.check(span, "one_sided", &arguments);
                }
                quote!(__p::default_fill(<#ident as __p::Shape>::FIELDS, #text))
            };
            quote!(__p::Rule::Added { newer: #field, fill: #fill })
        }
        Rule::Removed { older, value } => {
            let place = places.place(older, value.is_some());
            let (shown, text) = (places.older.clone(), &older.name.text);
            let span = older.name.ident.span();
            places.check(span, "not_aliased", &quote_spanned!(span=> __FIELDS, #shown, #text));
            let fill = if let Some(value) = value {
                let span = value.span();
                let out = variable("__out", value);
                let check = quote_spanned!(span=> __FIELDS, #shown, #text);
                if matches!(value, syn::Expr::Path(_)) {
                    places.check(span, "takes_value", &check);
                }
                let write = quote_spanned! {span=>
                    __p::write_fill::<__Older, #place, _, _>(#value, #out)
                };
                quote!(::core::option::Option::Some(|__out| #write))
            } else {
                places.check(span, "removed", &quote_spanned!(span=> __FIELDS, #shown, #text));
                places.check(span, "one_sided", &quote_spanned!(span=> __FIELDS, #shown, #text));
                quote!(__p::default_fill(__FIELDS, #text))
            };
            quote!(__p::Rule::Removed { older: __p::known(__FIELDS, #text), fill: #fill })
        }
        Rule::Converted { older, newer, by } => {
            let newer: Vec<&Field> = newer.iter().map(|field| &**field).collect();
            converted(model, older, &newer, by, places)
        }
        Rule::Come(newer) => come(model, newer),
        Rule::Gone(older) => {
            // The moves find the field by themselves, and report nothing if it doesn't exist.
            places.place(older, false);
            let (shown, text) = (places.older.clone(), &older.name.text);
            let span = older.name.ident.span();
            places.check(span, "not_aliased", &quote_spanned!(span=> __FIELDS, #shown, #text));
            quote! {
                __p::Rule::Removed {
                    older: __p::known(__FIELDS, #text),
                    fill: __p::default_fill(__FIELDS, #text),
                }
            }
        }
        Rule::KeptOrCome { older, newer } => kept_or_come(model, older, newer, places),
    }
}

fn come(model: &Struct, newer: &Field) -> TokenStream {
    let (ident, text) = (&model.ident, &newer.name.text);
    let field = newer_field(model, newer);
    let fill = quote!(__p::default_fill(<#ident as __p::Shape>::FIELDS, #text));
    quote!(__p::Rule::Added { newer: #field, fill: #fill })
}

/// ```text
/// if __p::place_if(__FIELDS, "checks") == __p::NOWHERE { __p::Rule::Added { … } } else { __p::Rule::Kept { … } }
/// ```
fn kept_or_come<'a>(
    model: &Struct,
    older: &'a OlderField,
    newer: &Field,
    places: &mut Places<'a>,
) -> TokenStream {
    let text = &older.name.text;
    let place = format_ident!("__Older{}", places.consts.len());
    places.consts.push(quote!(type #place = __p::At<{ __p::place_if(__FIELDS, #text) }>;));
    places.perhaps.push(text);
    places.check_kept(older, newer, &model.ident);
    let kept = kept_at(model, newer, &place, places);
    let come = come(model, newer);
    quote!(if __p::place_if(__FIELDS, #text) == __p::NOWHERE { #come } else { #kept })
}

/// ```text
/// type __Older0 = __p::At<{
///     __p::kept_field(__FIELDS, __SKIPPED, <CronTabSpec as __p::Shape>::FIELDS, "v1beta1::CronTabSpec", 1, "…", __NAMED)
/// }>;
///
/// __p::kept_rule::<__Older0>(__FIELDS, <CronTabSpec as __p::Shape>::FIELDS, 1, __nested)
/// ```
fn kept<'a>(
    model: &Struct,
    older: &'a OlderField,
    newer: &Field,
    places: &mut Places<'a>,
) -> TokenStream {
    let place = places.kept(older, newer, &model.ident);
    kept_at(model, newer, &place, places)
}

/// ```text
/// 1 => __p::Probe::<_, Vec<Container>, _>::of_field(__p::ty::<__Older, __Older0, _>()).plan(),
/// ```
fn kept_at(model: &Struct, newer: &Field, place: &Ident, places: &mut Places<'_>) -> TokenStream {
    let (ident, index, ty) = (&model.ident, newer.index, &newer.ty);
    places.nested.push(quote_spanned! {ty.span()=>
        #index => __p::Probe::<_, #ty, _>::of_field(__p::ty::<__Older, #place, _>()).plan(),
    });
    quote! {
        __p::kept_rule::<#place>(__FIELDS, <#ident as __p::Shape>::FIELDS, #index, __nested)
    }
}
