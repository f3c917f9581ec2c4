//! How a versioned struct came from the older one.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Ident, spanned::Spanned};

use super::moved;
use crate::{
    check::{inside_option, structure::converter_name},
    model::{Converter, Field, OlderField, Reason, Rule, Struct, Upgrade},
};

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
    }
}

/// Collects the older fields' places while rules are written.
pub(super) struct Places<'a> {
    pub(super) older: String,
    consts: Vec<TokenStream>,
    checks: Vec<TokenStream>,
    names: Vec<&'a str>,
}

impl<'a> Places<'a> {
    /// Emits the place of an older field and gives its name, which is there if the field's type is needed.
    pub(super) fn place(
        &mut self,
        field: &'a OlderField,
        newer: Option<&Field>,
        typed: bool,
    ) -> Ident {
        let name = &field.name.text;
        let span = field.name.ident.span();
        let place = format_ident!("__Older{}", self.consts.len(), span = span);
        let older = &self.older;
        let reason = match (field.reason, newer) {
            (Reason::SameName, Some(newer)) => {
                let optional = newer.default.is_some() || inside_option(&newer.ty).is_some();
                let new = if optional {
                    "#[versioned(added)]"
                } else {
                    "#[versioned(added(value = …))]"
                };
                quote_spanned!(span=> __p::Reason::SameName(#new))
            }
            (Reason::Converted, _) => quote_spanned!(span=> __p::Reason::Converted),
            _ => quote_spanned!(span=> __p::Reason::Named),
        };
        let call = quote_spanned!(span=> __p::field(__FIELDS, #older, #name, #reason));
        // An alias is evaluated once, however often it is used, and not at all if it isn't.
        self.consts.push(if typed {
            quote_spanned!(span=> type #place = __p::At<{ #call }>;)
        } else {
            quote_spanned!(span=> const _: ::core::primitive::usize = #call;)
        });
        self.names.push(name);
        place
    }

    /// A number that no other item has.
    pub(super) fn number(&self) -> usize {
        self.checks.len()
    }

    pub(super) fn item(&mut self, item: TokenStream) {
        self.checks.push(item);
    }

    pub(super) fn check(&mut self, span: Span, function: &str, arguments: &TokenStream) {
        let function = Ident::new(function, span);
        self.checks.push(quote_spanned!(span=> const _: () = __p::#function(#arguments);));
    }
}

/// ```text
/// type __Older = super::v1beta1::CronTabSpec;
/// const __FIELDS: &[__p::Facts] = <__Older as __p::Shape>::FIELDS;
/// type __Older0 = __p::At<{ __p::field(__FIELDS, "v1beta1::CronTabSpec", "host_port", __p::Reason::Named) }>;
/// const _: () = __p::covered(__FIELDS, "v1beta1::CronTabSpec", "CronTabSpec", &["host_port"]);
///
/// impl __p::UpgradeFrom<__Older> for CronTabSpec {
///     fn plan() -> __p::Nested {
///         const __RULES: &'static [__p::Rule] = &[…];
///         static __PLAN: __p::StructPlan = __p::StructPlan::new("v1beta1::CronTabSpec", …, __RULES);
///         __p::Nested::Struct(&__PLAN)
///     }
/// }
/// ```
pub(super) fn upgrade(model: &Struct, upgrade: &Upgrade) -> TokenStream {
    let (ident, path) = (&model.ident, &upgrade.older.ty);
    let (older, newer) = (&upgrade.older.shown, &model.shown);
    let mut places =
        Places { older: older.clone(), consts: Vec::new(), checks: Vec::new(), names: Vec::new() };
    let rules: Vec<_> =
        upgrade.rules.iter().map(|rule| self::rule(model, rule, &mut places)).collect();
    let Places { consts, checks, names, .. } = places;
    // From the path's first token to its last: on stable a span can't be made of two.
    let (first, last) = upgrade.older.ends;
    let mut arguments =
        Group::new(Delimiter::Parenthesis, quote!(__FIELDS, #older, #newer, &[#(#names),*]));
    arguments.set_span(last);
    let covered = quote_spanned!(first=> const _: () = __p::covered #arguments;);
    let says_how = if upgrade.older.of_variant {
        quote!(__p::FieldsPlan)
    } else {
        quote!(__p::UpgradeFrom<__Older>)
    };
    quote! {
        type __Older = #path;
        const __FIELDS: &[__p::Facts] = <#path as __p::Shape>::FIELDS;
        #(#consts)*
        #covered
        #(#checks)*
        #[automatically_derived]
        impl #says_how for #ident {
            fn plan() -> __p::Nested {
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
            let (ident, index, ty) = (&model.ident, newer.index, &newer.ty);
            let text = &newer.name.text;
            let span = newer.name.ident.span();
            let field = newer_field(model, newer);
            let fill = if let Some(value) = value {
                // The type of a literal is found from the field's.
                let fill = quote_spanned!(value.span()=> __p::fill::<#ty>(#value));
                quote! {
                    ::core::option::Option::Some(
                        |__out| <#ident as __p::FieldOf<__p::At<#index>, #ty>>::write(&#fill, __out)
                    )
                }
            } else {
                places.check(
                    span,
                    "added",
                    &quote_spanned!(span=> <#ident as __p::Shape>::FIELDS, #text),
                );
                quote!(__p::default_fill(<#ident as __p::Shape>::FIELDS, #text))
            };
            quote!(__p::Rule::Added { newer: #field, fill: #fill })
        }
        Rule::Removed { older, value } => {
            let place = places.place(older, None, value.is_some());
            let (shown, text) = (places.older.clone(), &older.name.text);
            let span = older.name.ident.span();
            places.check(span, "not_aliased", &quote_spanned!(span=> __FIELDS, #shown, #text));
            let fill = if let Some(value) = value {
                let span = value.span();
                let check = quote_spanned!(span=> __FIELDS, #shown, #text);
                if matches!(value, syn::Expr::Path(_)) {
                    places.check(span, "takes_value", &check);
                }
                let write = quote_spanned! {span=>
                    __p::write_fill::<__Older, #place, _, _>(#value, __out)
                };
                quote!(::core::option::Option::Some(|__out| #write))
            } else {
                places.check(span, "removed", &quote_spanned!(span=> __FIELDS, #shown, #text));
                quote!(__p::default_fill(__FIELDS, #text))
            };
            quote!(__p::Rule::Removed { older: __p::known(__FIELDS, #text), fill: #fill })
        }
        Rule::Converted { older, newer, by } => {
            let newer: Vec<&Field> = newer.iter().map(|field| &**field).collect();
            converted(model, older, &newer, by, places)
        }
        Rule::Gathered { holder, moves } => moved::gathered(model, holder, moves, places),
        Rule::Scattered { holder, moves } => moved::scattered(model, holder, moves, places),
    }
}

fn newer_field(model: &Struct, field: &Field) -> TokenStream {
    let (ident, index) = (&model.ident, field.index);
    quote!(<#ident as __p::Shape>::FIELDS[#index].field)
}

/// ```text
/// __p::Rule::Kept {
///     older: __p::known(__FIELDS, "cron_spec"),
///     newer: <CronTabSpec as __p::Shape>::FIELDS[1].field,
///     nested: || __p::Probe::new(
///         __p::ty::<__Older, __Older0, _>(),
///         ::core::marker::PhantomData::<Vec<Container>>,
///     ).plan(),
/// }
/// ```
fn kept<'a>(
    model: &Struct,
    older: &'a OlderField,
    newer: &Field,
    places: &mut Places<'a>,
) -> TokenStream {
    let place = places.place(older, Some(newer), true);
    let (ident, index, ty) = (&model.ident, newer.index, &newer.ty);
    let (shown, text) = (places.older.clone(), &older.name.text);
    let name = newer.name.ident.span();
    places.check(
        name,
        "same_codec",
        &quote_spanned!(name=> __FIELDS, <#ident as __p::Shape>::FIELDS, #shown, #text, #index),
    );
    let field = newer_field(model, newer);
    let nested = quote_spanned! {ty.span()=>
        __p::Probe::new(
            __p::ty::<__Older, #place, _>(),
            ::core::marker::PhantomData::<#ty>,
        ).plan()
    };
    quote! {
        __p::Rule::Kept {
            older: __p::known(__FIELDS, #text),
            newer: #field,
            nested: || #nested,
        }
    }
}

/// ```text
/// __p::Rule::Converted {
///     older: &[…],
///     newer: &[…],
///     by: "HostPort",
///     upgrade: |__in, __out| {
///         let __older_type = __p::ty::<__Older, __Older0, _>();
///         let __older = __p::input::<__Older, __Older0, _>(__in, 0)?;
///         let (__newer0, __newer1): (String, String) =
///             __p::Pair::new(__older_type, PhantomData::<(String, String)>).upgrade::<HostPort>(__older)?;
///         __p::output::<CronTabSpec, __p::At<0>, String>(&__newer0, __out)?;
///         __p::output::<CronTabSpec, __p::At<1>, String>(&__newer1, __out)?;
///         Ok(())
///     },
///     downgrade: …,
/// }
/// ```
fn converted<'a>(
    model: &Struct,
    older: &'a [OlderField],
    newer: &[&Field],
    by: &Converter,
    places: &mut Places<'a>,
) -> TokenStream {
    let ident = &model.ident;
    let shown = places.older.clone();
    let this = &model.shown;
    let older_places: Vec<Ident> =
        older.iter().map(|field| places.place(field, None, true)).collect();
    for field in older {
        let (span, text) = (field.name.ident.span(), &field.name.text);
        places.check(span, "not_aliased", &quote_spanned!(span=> __FIELDS, #shown, #text));
        places.check(span, "returns", &quote_spanned!(span=> __FIELDS, #shown, #text));
    }
    for field in newer {
        let (span, text) = (field.name.ident.span(), &field.name.text);
        places.check(
            span,
            "returns",
            &quote_spanned!(span=> <#ident as __p::Shape>::FIELDS, #this, #text),
        );
    }
    let older_texts = older.iter().map(|field| &field.name.text);
    let newer_indices: Vec<usize> = newer.iter().map(|field| field.index).collect();
    let newer_types: Vec<_> = newer.iter().map(|field| &field.ty).collect();
    let newer_fields = newer.iter().map(|field| newer_field(model, field));

    // One value stands for itself, several are a tuple.
    let one_or_tuple = |all: &[TokenStream]| match all {
        [one] => one.clone(),
        all => quote!((#(#all),*)),
    };
    let names = |prefix: &str, count: usize| -> Vec<Ident> {
        (0..count).map(|index| format_ident!("__{prefix}{index}")).collect()
    };
    let older_names = names("older", older.len());
    let newer_names = names("newer", newer.len());
    let tokens = |names: &[Ident]| names.iter().map(|name| quote!(#name)).collect::<Vec<_>>();
    let older_value = one_or_tuple(&tokens(&older_names));
    let newer_value = one_or_tuple(&tokens(&newer_names));
    let newer_type = one_or_tuple(&newer_types.iter().map(|ty| quote!(#ty)).collect::<Vec<_>>());

    let type_names = names("T", older.len());
    let all_types = one_or_tuple(&tokens(&type_names));
    // The older types may have no name here, so a group of them is put together by inference.
    let types = quote! {
        const fn __group<#(#type_names),*>(
            #(_: ::core::marker::PhantomData<#type_names>),*
        ) -> ::core::marker::PhantomData<#all_types> {
            ::core::marker::PhantomData
        }
        let __older_type = __group(#(__p::ty::<__Older, #older_places, _>()),*);
    };
    let (upgraded, downgraded) = match by {
        Converter::Type(ty) => {
            let span = ty.span();
            let pair = quote_spanned! {span=>
                __p::Pair::new(__older_type, ::core::marker::PhantomData::<#newer_type>)
            };
            (
                quote_spanned!(span=> #pair.upgrade::<#ty>(__older)?),
                quote_spanned!(span=> #pair.downgrade::<#ty>(__newer)?),
            )
        }
        Converter::Functions { upgrade, downgrade } => (
            quote_spanned! {upgrade.span()=>
                __p::typed(
                    ::core::marker::PhantomData::<#newer_type>,
                    __p::Outcome(#upgrade(__older)).get()?,
                )
            },
            quote_spanned!(downgrade.span()=> __p::Outcome(#downgrade(__newer)).get()?),
        ),
    };
    let span = match by {
        Converter::Type(ty) => ty.span(),
        Converter::Functions { downgrade, .. } => downgrade.span(),
    };
    let downgraded = quote_spanned!(span=> __p::typed(__older_type, #downgraded));
    let older_at = 0..older.len();
    let newer_at = 0..newer.len();
    let by_name = converter_name(by);
    quote! {
        __p::Rule::Converted {
            older: &[#(__p::known(__FIELDS, #older_texts)),*],
            newer: &[#(#newer_fields),*],
            by: #by_name,
            upgrade: |__in, __out| {
                #types
                #(let #older_names = __p::input::<__Older, #older_places, _>(__in, #older_at)?;)*
                let __older = __p::typed(__older_type, #older_value);
                let #newer_value: #newer_type = #upgraded;
                #(__p::output::<#ident, __p::At<#newer_indices>, #newer_types>(&#newer_names, __out)?;)*
                ::core::result::Result::Ok(())
            },
            downgrade: |__in, __out| {
                #types
                #(let #newer_names = __p::input::<#ident, __p::At<#newer_indices>, #newer_types>(__in, #newer_at)?;)*
                let __newer: #newer_type = #newer_value;
                let #older_value = #downgraded;
                #(__p::output::<__Older, #older_places, _>(&#older_names, __out)?;)*
                ::core::result::Result::Ok(())
            },
        }
    }
}
