//! A resource enum: its definition and the plans of its hops.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Type, spanned::Spanned};

use super::{
    moved,
    tokens::{all, one, option},
    validation::validations,
};
use crate::{
    model::{
        Container, Descriptions, Hop, Layout, PrinterColumn, Resource, Scale, Stanza, StanzaRule,
        Version,
    },
    name::shown,
};

/// ```text
/// impl __p::VersionedResource for CronTab {
///     const DEFINITION: &'static __p::Definition =
///         &__p::Definition::new("example.com", "CronTab", "crontabs", __p::Scope::Namespaced, &[…])
///             .short_names(&["ct"]);
/// }
/// ```
pub(crate) fn resource(model: &Resource) -> TokenStream {
    let Resource { ident, group, kind, plural, short_names, categories, .. } = model;
    let scope = if model.namespaced { quote!(Namespaced) } else { quote!(Cluster) };
    let pairs = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(key, value)| quote!((#key, #value)));
        quote!(#(#pairs),*)
    };
    let more = [
        one("singular", model.singular.as_ref()),
        one("list_kind", model.list_kind.as_ref()),
        all("short_names", &quote!(#(#short_names),*)),
        all("categories", &quote!(#(#categories),*)),
        all("labels", &pairs(&model.labels)),
        all("annotations", &pairs(&model.annotations)),
        match model.descriptions {
            Descriptions::Full => TokenStream::new(),
            Descriptions::Summary => quote!(.descriptions(__p::Descriptions::Summary)),
            Descriptions::None => quote!(.descriptions(__p::Descriptions::None)),
        },
    ];
    let versions = model.versions.iter().map(|of| version(of, model.schema));
    let definition =
        definition(&quote!(#group, #kind, #plural, __p::Scope::#scope, &[#(#versions),*]), &more);
    let checks = model.versions.iter().filter_map(root_check);
    let used = used(ident, &model.versions);
    quote! {
        #(#checks)*
        #used
        #[automatically_derived]
        impl __p::VersionedResource for #ident {
            #definition
        }
    }
}

/// The impls of a resource with mistakes.
pub(crate) fn stub(container: &Container<'_>) -> TokenStream {
    let Container { ident, generics, .. } = container;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let definition = definition(&quote!("", "", "", __p::Scope::Namespaced, &[]), &[]);
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::VersionedResource for #ident #ty_generics #where_clause {
            #definition
        }
    }
}

fn definition(required: &TokenStream, more: &[TokenStream]) -> TokenStream {
    quote! {
        const DEFINITION: &'static __p::Definition = &__p::Definition::new(#required) #(#more)*;
    }
}

/// Uses the enum's variants. The enum is only a declaration, and rustc would warn the author that
/// no value is made or read.
///
/// ```text
/// const _: fn(v1::CronTab) -> CronTab = |__0| CronTab::V1(__0);
/// const _: fn(CronTab) = |__resource| match __resource { CronTab::V1(__0) => { let _ = __0; } … };
/// ```
fn used(ident: &Ident, versions: &[Version]) -> TokenStream {
    let makers = versions.iter().map(|version| {
        let variant = &version.ident;
        match &version.layout {
            Layout::Root(ty) => quote!(const _: fn(#ty) -> #ident = |__0| #ident::#variant(__0);),
            Layout::Stanzas(stanzas) => {
                let names: Vec<_> = stanzas.iter().map(|stanza| &stanza.name.ident).collect();
                let types = stanzas.iter().map(|stanza| {
                    let ty = &stanza.written;
                    quote!(#ty)
                });
                quote! {
                    const _: fn(#(#types),*) -> #ident = |#(#names),*| #ident::#variant { #(#names),* };
                }
            }
        }
    });
    let arms = versions.iter().map(|version| {
        let variant = &version.ident;
        match &version.layout {
            Layout::Root(_) => quote!(#ident::#variant(__0) => { let _ = (__0,); }),
            Layout::Stanzas(stanzas) => {
                let names: Vec<_> = stanzas.iter().map(|stanza| &stanza.name.ident).collect();
                quote!(#ident::#variant { #(#names),* } => { let _ = (#(#names,)*); })
            }
        }
    });
    quote! {
        #(#makers)*
        const _: fn(#ident) = |__resource| match __resource { #(#arms)* };
    }
}

fn root_check(version: &Version) -> Option<TokenStream> {
    let Layout::Root(ty) = &version.layout else { return None };
    let shown = shown(ty);
    Some(quote_spanned!(ty.span()=> const _: () = __p::root(<#ty as __p::Shape>::FIELDS, #shown);))
}

/// ```text
/// __p::VersionDefinition::new(
///     "v1",
///     __p::Layout::Root(__p::TypeRef::of::<v1::CronTab>("v1::CronTab").declaring(…)),
/// )
/// .storage(true)
/// .plan(|| __p::Probe::new(PhantomData::<v1beta1::CronTab>, PhantomData::<v1::CronTab>).plan().map(|plan| plan()))
/// ```
fn version(version: &Version, has_schema: bool) -> TokenStream {
    let Version { name, selectable_fields, .. } = version;
    let layout = match &version.layout {
        Layout::Root(ty) => {
            let ty = type_ref(ty, has_schema);
            quote!(Root(#ty))
        }
        Layout::Stanzas(stanzas) => {
            let stanzas = stanzas.iter().map(|stanza| self::stanza(stanza, has_schema));
            quote!(Stanzas(&[#(#stanzas),*]))
        }
    };
    let columns = version.printer_columns.iter().map(column);
    let deprecated = version.deprecated.then(|| option(version.deprecation_warning.as_ref()));
    let plan = version.hop.as_ref().map(plan).map(|plan| quote!(|| #plan));
    let validations = validations(&version.validations);
    let more = [
        one("description", version.description.as_ref()),
        one("served", (!version.served).then_some(false)),
        one("storage", version.storage.then_some(true)),
        one("deprecated", deprecated),
        all("printer_columns", &quote!(#(#columns),*)),
        one("status", version.status.then_some(true)),
        one("scale", version.scale.as_ref().map(scale)),
        all("selectable_fields", &quote!(#(#selectable_fields),*)),
        one("validations", (!version.validations.is_empty()).then_some(validations)),
        one("plan", plan),
    ];
    quote!(__p::VersionDefinition::new(#name, __p::Layout::#layout) #(#more)*)
}

fn column(column: &PrinterColumn) -> TokenStream {
    let PrinterColumn { name, ty, json_path, .. } = column;
    let more = [
        one("format", column.format.as_ref()),
        one("description", column.description.as_ref()),
        one("priority", column.priority.as_ref()),
    ];
    quote!(__p::PrinterColumn::new(#name, #ty, #json_path) #(#more)*)
}

fn scale(scale: &Scale) -> TokenStream {
    let Scale { spec_replicas, status_replicas, label_selector } = scale;
    let label_selector = one("label_selector_path", label_selector.as_ref());
    quote!(__p::Scale::new(#spec_replicas, #status_replicas) #label_selector)
}

fn stanza(stanza: &Stanza, has_schema: bool) -> TokenStream {
    let Stanza { wire, optional, ty, .. } = stanza;
    let ty = type_ref(ty, has_schema);
    quote!(__p::Stanza::new(#wire, #optional, #ty))
}

fn type_ref(ty: &Type, has_schema: bool) -> TokenStream {
    let shown = shown(ty);
    let of = if has_schema { quote!(of::<#ty>) } else { quote!(without_schema) };
    quote_spanned! {ty.span()=>
        __p::TypeRef::#of(#shown).declaring(|_| __p::Inside::<#ty>::OF.declared())
    }
}

/// ```text
/// {
///     static __PLAN: __p::StructPlan = __p::StructPlan::new("CronTab::V1beta1", "CronTab::V1", &[…]);
///     __p::stanzas(&__PLAN)
/// }
/// ```
fn plan(hop: &Hop) -> TokenStream {
    match hop {
        Hop::Root { older, newer } => {
            let nested = probe(older, newer);
            quote!(#nested.map(|__plan| __plan()))
        }
        Hop::Stanzas { older, newer, rules, moves } => {
            let stanzas: Vec<_> = rules.iter().map(StanzaRule::sides).collect();
            let (items, moves) = moved::moved(moves, |root, is_newer| {
                let of = |stanzas: &(Option<Rc<Stanza>>, Option<Rc<Stanza>>)| {
                    let (own, other) =
                        if is_newer { (&stanzas.1, &stanzas.0) } else { (&stanzas.0, &stanzas.1) };
                    let own = own.as_ref().filter(|own| own.name.text == root.name.text)?;
                    let version = if is_newer { newer } else { older };
                    Some(moved::stanza(own, other.as_deref(), &field(own), version))
                };
                stanzas.iter().find_map(of)
            });
            let rules = rules.iter().map(|rule| match rule {
                StanzaRule::Kept { older, newer } => {
                    let nested = probe(&older.ty, &newer.ty);
                    let (older, newer) = (field(older), field(newer));
                    quote!(__p::Rule::Kept { older: #older, newer: #newer, nested: __p::Indexed::new(|_| #nested, 0) })
                }
                StanzaRule::Added(stanza) => {
                    let newer = field(stanza);
                    quote!(__p::Rule::Added { newer: #newer, fill: ::core::option::Option::None })
                }
                StanzaRule::Removed(stanza) => {
                    let older = field(stanza);
                    quote!(__p::Rule::Removed { older: #older, fill: ::core::option::Option::None })
                }
            });
            quote! {
                {
                    #(#items)*
                    const __RULES: &'static [__p::Rule] = &[#(#rules,)* #(#moves),*];
                    static __PLAN: __p::StructPlan =
                        __p::StructPlan::new(#older, #newer, __RULES);
                    __p::stanzas(&__PLAN)
                }
            }
        }
    }
}

/// Compares two types: they are the same, or one is the newer version of the other.
fn probe(older: &Type, newer: &Type) -> TokenStream {
    quote_spanned! {newer.span()=>
        __p::Probe::new(
            ::core::marker::PhantomData::<#older>,
            ::core::marker::PhantomData::<#newer>,
        ).plan()
    }
}

fn field(stanza: &Stanza) -> TokenStream {
    let Stanza { name, wire, ty, optional, is_new, .. } = stanza;
    let (rust, shown) = (&name.text, shown(ty));
    let new = is_new.then(|| quote!(.said_to_be_new()));
    quote! {
        __p::Field::new(
            #rust,
            #wire,
            #shown,
            false,
            ::core::option::Option::None,
            #optional,
            <__p::Kind<#ty>>::kinds,
        )#new
    }
}
