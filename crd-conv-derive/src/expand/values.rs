//! The items and impls of an enum of values.

mod upgrade;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Generics, Ident};

use super::{
    declared::of_type,
    structure::structure,
    tokens::{at, place},
};
use crate::model::{Container, Content, Tagging, Values, Variant};

/// ```text
/// impl __p::Variants for Phase {
///     const NAME: &'static str = …;
///     const TAGGING: __p::Tagging = __p::Tagging::External;
///     const PLAIN: bool = true;
///     const VARIANTS: &'static [__p::VariantFacts] = &[__p::VariantFacts {
///         variant: __p::Variant::new("Running", "running", __p::Content::Unit, __p::JsonType::ANY, None),
///         aliased: false,
///     }];
/// }
/// impl __p::Written for Phase { … }
/// impl __p::VariantFields<__p::F0> for Phase { type Fields = __p::Unknown; }
/// impl __p::ContentOf<__p::F0, __p::Unknown, __p::Unknown> for Phase {}
/// ```
pub(crate) fn values(model: &Values, right: bool) -> TokenStream {
    let ident = &model.ident;
    let name = format!("::{ident}");
    let tagging = tagging(&model.tagging);
    let plain = matches!(model.tagging, Tagging::External) && model.variants.iter().all(is_unit);
    let upgrade = model.upgrade.as_ref().map(|upgrade| {
        if right {
            upgrade::upgrade(model, upgrade)
        } else {
            upgrade::no_upgrade(ident, &upgrade.older)
        }
    });
    // A variant that is missing because of a mistake here isn't a mistake of the newer version's
    // author.
    let (variants, held) = if right {
        let facts = model.variants.iter().map(|variant| facts(model, variant));
        let held = model.variants.iter().map(|variant| held(model, variant));
        (quote!(&[#(#facts),*]), quote!(#(#held)*))
    } else {
        (quote!(__p::NO_VARIANTS), nothing_held(ident, &Generics::default()))
    };
    let nameless = (!model.nameless.is_empty()).then(|| {
        let names = model.nameless.iter().map(|(name, attribute)| quote!((#name, #attribute)));
        quote! {
            const NAMELESS: __p::TextPairs =
                &[#(#names),*];
        }
    });
    let kind = kind(model);
    // An enum of plain names can only declare validation rules.
    let says_any = !plain || !model.declared.validations.is_empty();
    let declares = (right && says_any).then(|| declares(model));
    let unlike = model.variants.iter().filter(|_| right).filter_map(|variant| {
        let (span, index) = (variant.name.ident.span(), variant.index);
        let variants = quote_spanned!(span=> <#ident as __p::Variants>::VARIANTS);
        let check = match &model.tagging {
            Tagging::Untagged => quote_spanned!(span=> __p::disjoint(#variants, #index)),
            Tagging::Internal { tag } => {
                quote_spanned!(span=> __p::beside_tag(#variants, #index, #tag))
            }
            Tagging::External | Tagging::Adjacent { .. } => return None,
        };
        Some(quote_spanned!(span=> const _: () = #check;))
    });
    quote! {
        #[automatically_derived]
        impl __p::Variants for #ident {
            const NAME: &'static ::core::primitive::str =
                __p::short_name(::core::concat!(::core::module_path!(), #name));
            const TAGGING: __p::Tagging = #tagging;
            const PLAIN: ::core::primitive::bool = #plain;
            const VARIANTS: &'static [__p::VariantFacts] = #variants;
            #nameless
        }
        #[automatically_derived]
        impl __p::Written for #ident {
            const KIND: __p::JsonType = #kind;
        }
        #held
        #declares
        #(#unlike)*
        #upgrade
    }
}

/// ```text
/// impl __p::Declares for Source {
///     fn declared() -> __p::Declared {
///         __p::Declared::Variants(
///             __p::TypeFacts { name: <Self as __p::Variants>::NAME, map_type: None, validations: &[] },
///             <Self as __p::Variants>::TAGGING,
///             &[__p::Holds { wire: "Git", inside: |_| … }],
///         )
///     }
/// }
/// ```
fn declares(model: &Values) -> TokenStream {
    let ident = &model.ident;
    let holds = model.variants.iter().map(|variant| {
        let (place, wire) = (place(variant.index), &variant.wire);
        let inside = match &variant.content {
            Content::Newtype(ty) => quote_spanned!(at(ty)=> __p::Inside::<#ty>::OF.declared()),
            Content::Struct => quote! {
                ::core::option::Option::Some(
                    <<#ident as __p::VariantFields<#place>>::Fields as __p::Declares>::declared
                )
            },
            Content::Unit | Content::Tuple(_) => quote!(::core::option::Option::None),
        };
        quote!(__p::Holds { wire: #wire, inside: |_| #inside })
    });
    let of_type = of_type(&quote!(__p::Variants), &model.declared);
    quote! {
        #[automatically_derived]
        impl __p::Declares for #ident {
            fn declared() -> __p::Declared {
                __p::Declared::Variants(
                    #of_type,
                    <Self as __p::Variants>::TAGGING,
                    &[#(#holds),*],
                )
            }
        }
    }
}

fn is_unit(variant: &std::rc::Rc<Variant>) -> bool {
    matches!(variant.content, Content::Unit)
}

fn tagging(tagging: &Tagging) -> TokenStream {
    match tagging {
        Tagging::External => quote!(__p::Tagging::External),
        Tagging::Internal { tag } => quote!(__p::Tagging::Internal { tag: #tag }),
        Tagging::Adjacent { tag, content } => {
            quote!(__p::Tagging::Adjacent { tag: #tag, content: #content })
        }
        Tagging::Untagged => quote!(__p::Tagging::Untagged),
    }
}

/// The kinds of JSON value that serde writes the enum as.
fn kind(model: &Values) -> TokenStream {
    let ident = &model.ident;
    let units = model.variants.iter().filter(|variant| is_unit(variant)).count();
    match model.tagging {
        Tagging::External if units == model.variants.len() => quote!(__p::JsonType::STRING),
        Tagging::External if units > 0 => {
            quote!(__p::JsonType::STRING.or(__p::JsonType::OBJECT))
        }
        Tagging::External | Tagging::Internal { .. } | Tagging::Adjacent { .. } => {
            quote!(__p::JsonType::OBJECT)
        }
        Tagging::Untagged => quote!(__p::kinds(<#ident as __p::Variants>::VARIANTS)),
    }
}

fn facts(model: &Values, variant: &Variant) -> TokenStream {
    let Variant { index, name, wire, aliased, content } = variant;
    let place = place(*index);
    let (ident, rust) = (&model.ident, &name.text);
    let none = quote!(::core::option::Option::None);
    let (content, kind, fields) = match content {
        Content::Unit => (quote!(Unit), quote!(__p::JsonType::ANY), none),
        Content::Newtype(ty) => {
            let span = at(ty);
            (
                quote!(Newtype),
                quote_spanned!(span=> <__p::Kind<#ty>>::VALUE),
                quote_spanned!(span=> <__p::Made<#ty>>::FIELDS),
            )
        }
        Content::Tuple(_) => (quote!(Tuple), quote!(__p::JsonType::ARRAY), none),
        Content::Struct => (
            quote!(Struct),
            quote!(__p::JsonType::OBJECT),
            quote! {
                ::core::option::Option::Some(
                    <<#ident as __p::VariantFields<#place>>::Fields as __p::Shape>::FIELDS
                )
            },
        ),
    };
    // The kind is written only if nothing else tells the variants apart, because it may depend on a
    // type that holds this one.
    let kind =
        if matches!(model.tagging, Tagging::Untagged) { kind } else { quote!(__p::JsonType::ANY) };
    quote! {
        __p::VariantFacts {
            variant: __p::Variant::new(#rust, #wire, __p::Content::#content, #kind, #fields),
            aliased: #aliased,
        }
    }
}

/// The content of a variant, for the newer version. A variant's fields are written as the fields of
/// a struct without a name.
///
/// ```text
/// const _: () = {
///     pub enum __Fields1 {}
///     impl __p::Shape for __Fields1 { … }
///     …
///     impl __p::VariantFields<__p::F1> for Source { type Fields = __Fields1; }
/// };
/// impl __p::ContentOf<__p::F1, __p::Unknown, __p::Unknown> for Source {}
/// ```
fn held(model: &Values, variant: &Variant) -> TokenStream {
    let (ident, index) = (&model.ident, variant.index);
    let place = place(index);
    let unknown = quote!(__p::Unknown);
    let (newtype, tuple) = match &variant.content {
        Content::Newtype(ty) => (quote!(#ty), unknown.clone()),
        Content::Tuple(types) => (unknown.clone(), quote!((#(#types,)*))),
        Content::Unit | Content::Struct => (unknown.clone(), unknown.clone()),
    };
    let fields = model.structs.iter().find(|(of, _)| *of == index).map(|(_, fields)| fields);
    let fields_of = |ty: &TokenStream| {
        quote! {
            #[automatically_derived]
            impl __p::VariantFields<#place> for #ident {
                type Fields = #ty;
            }
        }
    };
    let fields = if let Some(fields) = fields {
        let name = &fields.ident;
        let structure = structure(fields, true);
        let fields_of = fields_of(&quote!(#name));
        quote! {
            #[allow(non_local_definitions, reason = "each variant's invented names are its own")]
            const _: () = {
                pub enum #name {}
                #structure
                #fields_of
            };
        }
    } else {
        fields_of(&unknown)
    };
    quote! {
        #fields
        #[automatically_derived]
        impl __p::ContentOf<#place, #newtype, #tuple> for #ident {}
    }
}

/// The placeholder variant of an enum about which nothing is known.
fn nothing_held(ident: &Ident, generics: &Generics) -> TokenStream {
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::VariantFields<__p::F0> for #ident #ty_generics #where_clause {
            type Fields = __p::Unknown;
        }
        #[automatically_derived]
        impl #impl_generics __p::ContentOf<__p::F0, __p::Unknown, __p::Unknown>
            for #ident #ty_generics #where_clause {}
    }
}

/// Impls for a generic enum. They keep rustc from reporting follow-up errors.
pub(crate) fn broken(container: &Container<'_>) -> TokenStream {
    let Container { ident, generics, .. } = container;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = ident.to_string();
    let held = nothing_held(ident, generics);
    quote! {
        #held
        #[automatically_derived]
        impl #impl_generics __p::Variants for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = #name;
            const TAGGING: __p::Tagging = __p::Tagging::External;
            const PLAIN: ::core::primitive::bool = true;
            const VARIANTS: &'static [__p::VariantFacts] = __p::NO_VARIANTS;
        }
    }
}
