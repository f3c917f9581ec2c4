//! An enum of values: what it exports, and how it came from the older version.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

use super::ends;
use crate::{
    model::{Container, OlderField, Reason, Values, ValuesUpgrade, VariantRule},
    name::shown,
};

/// ```text
/// impl __p::Variants for Phase {
///     const NAME: &'static str = …;
///     const VARIANTS: &'static [__p::VariantFacts] = &[
///         __p::VariantFacts { rust: "Running", wire: "running", aliased: false },
///     ];
/// }
/// ```
pub(crate) fn values(model: &Values, right: bool) -> TokenStream {
    let ident = &model.ident;
    let name = format!("::{ident}");
    let variants = model.variants.iter().map(|variant| {
        let (rust, wire, aliased) = (&variant.name.text, &variant.wire, variant.aliased);
        quote!(__p::VariantFacts { rust: #rust, wire: #wire, aliased: #aliased })
    });
    let upgrade = model.upgrade.as_ref().map(|upgrade| {
        if right { self::upgrade(model, upgrade) } else { no_upgrade(ident, &upgrade.older) }
    });
    // What is missing because of a mistake is no mistake of the newer version's author.
    let variants = if right { quote!(&[#(#variants),*]) } else { quote!(__p::NO_VARIANTS) };
    quote! {
        #[automatically_derived]
        impl __p::Variants for #ident {
            const NAME: &'static ::core::primitive::str =
                __p::short_name(::core::concat!(::core::module_path!(), #name));
            const VARIANTS: &'static [__p::VariantFacts] = #variants;
        }
        #upgrade
    }
}

/// Impls for a generic enum, so that nothing else complains about it.
pub(crate) fn broken(container: &Container<'_>) -> TokenStream {
    let Container { ident, generics, .. } = container;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = ident.to_string();
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::Variants for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = #name;
            const VARIANTS: &'static [__p::VariantFacts] = __p::NO_VARIANTS;
        }
    }
}

/// ```text
/// impl __p::UpgradeFrom<super::v1beta1::Phase> for Phase { … no rules … }
/// ```
fn no_upgrade(ident: &Ident, older: &Path) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __p::UpgradeFrom<#older> for #ident {
            fn plan() -> __p::Nested {
                static __PLAN: __p::EnumPlan = __p::EnumPlan::new("", "", &[]);
                __p::Nested::Enum(&__PLAN)
            }
        }
    }
}

/// ```text
/// const __VARIANTS: &[__p::VariantFacts] = <super::v1beta1::Phase as __p::Variants>::VARIANTS;
/// const _: () = __p::variant(__VARIANTS, "v1beta1::Phase", "Active", __p::Reason::Named);
/// const _: () = __p::all_variants(__VARIANTS, "v1beta1::Phase", "Phase", &["Active"]);
///
/// impl __p::UpgradeFrom<super::v1beta1::Phase> for Phase {
///     fn plan() -> __p::Nested {
///         static __PLAN: __p::EnumPlan = __p::EnumPlan::new("v1beta1::Phase", …, &[
///             __p::variant_kept(__p::variant_wire(__VARIANTS, "Active"), "running"),
///         ]);
///         __p::Nested::Enum(&__PLAN)
///     }
/// }
/// ```
fn upgrade(model: &Values, upgrade: &ValuesUpgrade) -> TokenStream {
    let (ident, path) = (&model.ident, &upgrade.older);
    let (older, newer) = (shown(path), ident.to_string());
    let mut checks = Vec::new();
    let mut check = |span: Span, function: &str, arguments: TokenStream| {
        let function = Ident::new(function, span);
        checks.push(quote_spanned!(span=> const _: () = __p::#function(#arguments);));
    };
    let mut names = Vec::new();
    let mut rules = Vec::new();
    for rule in &upgrade.rules {
        match rule {
            VariantRule::Kept { older: OlderField { name, reason }, newer } => {
                let (span, text) = (name.ident.span(), &name.text);
                let reason = match reason {
                    Reason::SameName => quote_spanned!(span=> SameName("")),
                    Reason::Named | Reason::Converted => quote_spanned!(span=> Named),
                };
                check(
                    span,
                    "variant",
                    quote_spanned!(span=> __VARIANTS, #older, #text, __p::Reason::#reason),
                );
                let (wire, aliased) = (&newer.wire, newer.aliased);
                check(
                    span,
                    "same_alias",
                    quote_spanned!(span=> __VARIANTS, #older, #text, #wire, #aliased),
                );
                names.push(text);
                rules.push(quote!(__p::variant_kept(__p::variant_wire(__VARIANTS, #text), #wire)));
            }
            VariantRule::Added { newer, shown_as } => {
                let (span, text, wire) = (shown_as.ident.span(), &shown_as.text, &newer.wire);
                check(
                    span,
                    "variant",
                    quote_spanned!(span=> __VARIANTS, #older, #text, __p::Reason::Named),
                );
                rules.push(quote!(__p::variant_added(#wire, __p::variant_wire(__VARIANTS, #text))));
            }
            VariantRule::Removed { older: OlderField { name, .. }, shown_as } => {
                let (span, text, wire) = (name.ident.span(), &name.text, &shown_as.wire);
                check(
                    span,
                    "variant",
                    quote_spanned!(span=> __VARIANTS, #older, #text, __p::Reason::Named),
                );
                check(span, "unaliased_variant", quote_spanned!(span=> __VARIANTS, #older, #text));
                names.push(text);
                rules.push(
                    quote!(__p::variant_removed(__p::variant_wire(__VARIANTS, #text), #wire)),
                );
            }
        }
    }
    // From the path's first token to its last: on stable a span can't be made of two.
    let (first, last) = ends(path);
    let mut arguments =
        Group::new(Delimiter::Parenthesis, quote!(__VARIANTS, #older, #newer, &[#(#names),*]));
    arguments.set_span(last);
    let all = quote_spanned!(first=> const _: () = __p::all_variants #arguments;);
    quote! {
        const __VARIANTS: &[__p::VariantFacts] = <#path as __p::Variants>::VARIANTS;
        #all
        #(#checks)*
        #[automatically_derived]
        impl __p::UpgradeFrom<#path> for #ident {
            fn plan() -> __p::Nested {
                static __PLAN: __p::EnumPlan = __p::EnumPlan::new(
                    #older,
                    <#ident as __p::Variants>::NAME,
                    &[#(#rules),*],
                );
                __p::Nested::Enum(&__PLAN)
            }
        }
    }
}
