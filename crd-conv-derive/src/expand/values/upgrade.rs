//! How an enum of values came from the older version: the checks of its variants, and their rules.

use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Ident, Path};

use super::is_unit;
use crate::{
    expand::{editor, tokens::place},
    model::{Content, OlderField, Reason, Tagging, Values, ValuesUpgrade, Variant, VariantRule},
    name::{Name, ends, shown},
};

/// ```text
/// impl __p::UpgradeFrom<super::v1beta1::Phase> for Phase { … no rules … }
/// ```
pub(super) fn no_upgrade(ident: &Ident, older: &Path) -> TokenStream {
    quote! {
        #[automatically_derived]
        impl __p::UpgradeFrom<#older> for #ident {
            fn plan() -> __p::Nested {
                static __PLAN: __p::EnumPlan =
                    __p::EnumPlan::new("", "", [__p::Tagging::External; 2], &[]);
                __p::Nested::Enum(&__PLAN)
            }
        }
    }
}

/// ```text
/// const __VARIANTS: &[__p::VariantFacts] = <super::v1beta1::Source as __p::Variants>::VARIANTS;
/// const __NAMELESS: &[(&str, &str)] = <super::v1beta1::Source as __p::Variants>::NAMELESS;
/// const _: () = __p::same_tagging(__VARIANTS, "v1beta1::Source", "Source", …);
/// const _: () = __p::all_variants(__VARIANTS, "v1beta1::Source", "Source", &["Http"]);
/// type __Variant0 = __p::At<{ __p::variant(__VARIANTS, __NAMELESS, "v1beta1::Source", "Http", __p::Reason::Named) }>;
///
/// impl __p::UpgradeFrom<super::v1beta1::Source> for Source {
///     fn plan() -> __p::Nested {
///         const __RULES: &[__p::VariantRule] = &[__p::VariantRule::Kept {
///             older: __p::variant_known(__VARIANTS, "Http"),
///             newer: <Source as __p::Variants>::VARIANTS[0].variant,
///             nested: __p::Indexed::new(|_| …, 0),
///         }];
///         static __PLAN: __p::EnumPlan = __p::EnumPlan::new("v1beta1::Source", …, __RULES);
///         __p::Nested::Enum(&__PLAN)
///     }
/// }
/// ```
pub(super) fn upgrade(model: &Values, upgrade: &ValuesUpgrade) -> TokenStream {
    let (ident, path) = (&model.ident, &upgrade.older);
    let (older, newer) = (shown(path), ident.to_string());
    let mut writer = Writer {
        model,
        path,
        older: older.clone(),
        newer: newer.clone(),
        items: Vec::new(),
        names: Vec::new(),
    };
    let rules: Vec<_> = upgrade.rules.iter().map(|rule| writer.rule(rule)).collect();
    let Writer { items, names, .. } = writer;
    // Covers the path's first token to its last. On stable Rust, two spans can't be joined into
    // one.
    let (first, last) = ends(path);
    let parenthesized = |arguments: TokenStream| {
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(last);
        arguments
    };
    let taggings = quote! {
        [<#path as __p::Variants>::TAGGING, <#ident as __p::Variants>::TAGGING]
    };
    let same = parenthesized(quote!(__VARIANTS, #older, #newer, #taggings));
    let same = quote_spanned!(first=> const _: () = __p::same_tagging #same;);
    let all = parenthesized(quote!(__VARIANTS, #older, #newer, &[#(#names),*]));
    let all = quote_spanned!(first=> const _: () = __p::all_variants #all;);
    let editor = editor::variants(ident, upgrade);
    quote! {
        const __VARIANTS: &[__p::VariantFacts] = <#path as __p::Variants>::VARIANTS;
        const __NAMELESS: __p::TextPairs = <#path as __p::Variants>::NAMELESS;
        #editor
        #same
        #all
        #(#items)*
        #[automatically_derived]
        impl __p::UpgradeFrom<#path> for #ident {
            fn plan() -> __p::Nested {
                const __RULES: &'static [__p::VariantRule] = &[#(#rules),*];
                static __PLAN: __p::EnumPlan = __p::EnumPlan::new(
                    #older,
                    <#ident as __p::Variants>::NAME,
                    #taggings,
                    __RULES,
                );
                __p::Nested::Enum(&__PLAN)
            }
        }
    }
}

/// Collects the items that rules need, while the rules are written.
struct Writer<'a> {
    model: &'a Values,
    path: &'a Path,
    /// The names of both types in messages.
    older: String,
    newer: String,
    items: Vec<TokenStream>,
    /// The older variants that have a rule.
    names: Vec<&'a str>,
}

impl<'a> Writer<'a> {
    fn check(&mut self, span: Span, function: &str, arguments: &TokenStream) {
        let function = Ident::new(function, span);
        self.items.push(quote_spanned!(span=> const _: () = __p::#function(#arguments);));
    }

    /// Finds an older variant. `place` is the name for the type of its place, if that type is
    /// needed.
    fn find(&mut self, place: Option<Ident>, name: &Name, reason: &TokenStream) {
        let (span, text, older) = (name.ident.span(), &name.text, &self.older);
        let call = quote_spanned!(span=> __p::variant(__VARIANTS, __NAMELESS, #older, #text, __p::Reason::#reason));
        // rustc evaluates an alias once, however often it is used, and never if it isn't used.
        self.items.push(if let Some(place) = place {
            quote_spanned!(span=> type #place = __p::At<{ #call }>;)
        } else {
            quote_spanned!(span=> const _: ::core::primitive::usize = #call;)
        });
    }

    fn newer(&self, variant: &Variant) -> TokenStream {
        let (ident, index) = (&self.model.ident, variant.index);
        quote!(<#ident as __p::Variants>::VARIANTS[#index].variant)
    }

    fn rule(&mut self, rule: &'a VariantRule) -> TokenStream {
        let older = self.older.clone();
        match rule {
            VariantRule::Kept { older: OlderField { name, reason }, newer } => {
                let (span, text) = (name.ident.span(), &name.text);
                let reason = match reason {
                    Reason::SameName => quote_spanned!(span=> SameName("")),
                    Reason::Named | Reason::Converted => quote_spanned!(span=> Named),
                };
                self.find((!is_unit(newer)).then(|| newer.place()), name, &reason);
                let (wire, aliased) = (&newer.wire, newer.aliased);
                let arguments = quote_spanned!(span=> __VARIANTS, #older, #text, #wire, #aliased);
                self.check(span, "same_alias", &arguments);
                let facts = self.newer(newer);
                let arguments = quote_spanned!(span=> __VARIANTS, #older, #text, &#facts);
                self.check(span, "same_content", &arguments);
                self.names.push(text);
                let nested = nested(self.model, newer, self.path);
                quote! {
                    __p::VariantRule::Kept {
                        older: __p::variant_known(__VARIANTS, #text),
                        newer: #facts,
                        nested: __p::Indexed::new(|_| #nested, 0),
                    }
                }
            }
            VariantRule::Added { newer, shown_as } => {
                let (span, text) = (shown_as.ident.span(), &shown_as.text);
                self.find(None, shown_as, &quote_spanned!(span=> Named));
                self.check(span, "shows", &quote_spanned!(span=> __VARIANTS, #older, #text));
                let facts = self.newer(newer);
                quote! {
                    __p::VariantRule::Added {
                        newer: #facts,
                        shown_as: __p::variant_known(__VARIANTS, #text),
                    }
                }
            }
            VariantRule::Removed { older: OlderField { name, .. }, shown_as, tokens } => {
                let (span, text) = (name.ident.span(), &name.text);
                self.find(None, name, &quote_spanned!(span=> Named));
                let arguments = quote_spanned!(span=> __VARIANTS, #older, #text);
                self.check(span, "unaliased_variant", &arguments);
                let (span, ident) = (tokens.span(), &self.model.ident);
                let (newer, rust) = (&self.newer, &shown_as.name.text);
                let variants = quote_spanned!(span=> <#ident as __p::Variants>::VARIANTS);
                let arguments = quote_spanned!(span=> #variants, #newer, #rust);
                self.check(span, "shows", &arguments);
                self.names.push(text);
                let facts = self.newer(shown_as);
                quote! {
                    __p::VariantRule::Removed {
                        older: __p::variant_known(__VARIANTS, #text),
                        shown_as: #facts,
                    }
                }
            }
        }
    }
}

/// The mappings inside a variant's content.
///
/// ```text
/// __p::Probe::new(
///     __p::newtype::<super::v1beta1::Source, __Variant0, _, _>(),
///     ::core::marker::PhantomData::<GitSource>,
/// ).plan()
/// ```
fn nested(model: &Values, variant: &Variant, path: &Path) -> TokenStream {
    let (ident, at_newer, place) = (&model.ident, place(variant.index), variant.place());
    let (find, ty) = match &variant.content {
        Content::Unit => return quote!(::core::option::Option::None),
        Content::Struct => {
            let fields = quote!(<#ident as __p::VariantFields<#at_newer>>::Fields);
            return quote!(::core::option::Option::Some(<#fields as __p::FieldsPlan>::plan));
        }
        Content::Newtype(ty) => (quote!(newtype), quote!(#ty)),
        Content::Tuple(types) => (quote!(tuple), quote!((#(#types,)*))),
    };
    let span = variant.content.span().unwrap_or_else(|| variant.name.ident.span());
    let plan = if matches!(model.tagging, Tagging::Internal { .. }) {
        quote_spanned!(span=> plan_in_place())
    } else {
        quote_spanned!(span=> plan())
    };
    quote_spanned! {span=>
        __p::Probe::new(
            __p::#find::<#path, #place, _, _>(),
            ::core::marker::PhantomData::<#ty>,
        ).#plan
    }
}
