//! A resource enum: its definition and the plans of its hops.

use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Ident, Type, spanned::Spanned};

use super::{moved, tokens::option, validation::validations};
use crate::{
    model::{
        Container, Descriptions, Hop, Layout, PrinterColumn, Resource, Scale, Stanza, StanzaRule,
        Version,
    },
    name::shown,
};

/// ```text
/// impl __p::VersionedResource for CronTab {
///     const DEFINITION: &'static __p::Definition = &__p::Definition {
///         group: "example.com",
///         …
///         versions: &[…],
///     };
/// }
/// ```
pub(crate) fn resource(model: &Resource) -> TokenStream {
    let Resource { ident, group, kind, plural, short_names, categories, .. } = model;
    let singular = option(model.singular.as_ref());
    let list_kind = option(model.list_kind.as_ref());
    let scope = if model.namespaced { quote!(Namespaced) } else { quote!(Cluster) };
    let pairs = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(key, value)| quote!((#key, #value)));
        quote!(&[#(#pairs),*])
    };
    let labels = pairs(&model.labels);
    let annotations = pairs(&model.annotations);
    let descriptions = match model.descriptions {
        Descriptions::Full => quote!(Full),
        Descriptions::Summary => quote!(Summary),
        Descriptions::None => quote!(None),
    };
    let versions = model.versions.iter().map(|of| version(of, model.schema));
    let checks = model.versions.iter().filter_map(root_check);
    let used = used(ident, &model.versions);
    quote! {
        #(#checks)*
        #used
        #[automatically_derived]
        impl __p::VersionedResource for #ident {
            const DEFINITION: &'static __p::Definition = &__p::Definition {
                group: #group,
                kind: #kind,
                plural: #plural,
                singular: #singular,
                list_kind: #list_kind,
                short_names: &[#(#short_names),*],
                categories: &[#(#categories),*],
                scope: __p::Scope::#scope,
                labels: #labels,
                annotations: #annotations,
                descriptions: __p::Descriptions::#descriptions,
                versions: &[#(#versions),*],
            };
        }
    }
}

/// The impls of a resource with mistakes.
pub(crate) fn stub(container: &Container<'_>) -> TokenStream {
    let Container { ident, generics, .. } = container;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::VersionedResource for #ident #ty_generics #where_clause {
            const DEFINITION: &'static __p::Definition = &__p::Definition {
                group: "",
                kind: "",
                plural: "",
                singular: ::core::option::Option::None,
                list_kind: ::core::option::Option::None,
                short_names: &[],
                categories: &[],
                scope: __p::Scope::Namespaced,
                labels: &[],
                annotations: &[],
                descriptions: __p::Descriptions::Full,
                versions: &[],
            };
        }
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
/// __p::VersionDefinition {
///     name: "v1",
///     served: true,
///     …
///     layout: __p::Layout::Root(__p::TypeRef::of::<v1::CronTab>("v1::CronTab").declaring(…)),
///     plan: Some(|| __p::Probe::new(PhantomData::<v1beta1::CronTab>, PhantomData::<v1::CronTab>).plan().map(|plan| plan())),
/// }
/// ```
fn version(version: &Version, has_schema: bool) -> TokenStream {
    let Version { name, served, storage, deprecated, status, selectable_fields, .. } = version;
    let warning = option(version.deprecation_warning.as_ref());
    let columns = version.printer_columns.iter().map(column);
    let scale = option(version.scale.as_ref().map(scale).as_ref());
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
    let plan = version.hop.as_ref().map(plan).map(|plan| quote!(|| #plan));
    let plan = option(plan.as_ref());
    let validations = validations(&version.validations);
    quote! {
        __p::VersionDefinition {
            name: #name,
            served: #served,
            storage: #storage,
            deprecated: #deprecated,
            deprecation_warning: #warning,
            printer_columns: &[#(#columns),*],
            status: #status,
            scale: #scale,
            selectable_fields: &[#(#selectable_fields),*],
            validations: #validations,
            layout: __p::Layout::#layout,
            plan: #plan,
        }
    }
}

fn column(column: &PrinterColumn) -> TokenStream {
    let PrinterColumn { name, ty, json_path, .. } = column;
    let format = option(column.format.as_ref());
    let description = option(column.description.as_ref());
    let priority = option(column.priority.as_ref());
    quote! {
        __p::PrinterColumn {
            name: #name,
            ty: #ty,
            json_path: #json_path,
            format: #format,
            description: #description,
            priority: #priority,
        }
    }
}

fn scale(scale: &Scale) -> TokenStream {
    let Scale { spec_replicas, status_replicas, label_selector } = scale;
    let label_selector = option(label_selector.as_ref());
    quote! {
        __p::Scale {
            spec_replicas_path: #spec_replicas,
            status_replicas_path: #status_replicas,
            label_selector_path: #label_selector,
        }
    }
}

fn stanza(stanza: &Stanza, has_schema: bool) -> TokenStream {
    let Stanza { wire, optional, ty, .. } = stanza;
    let ty = type_ref(ty, has_schema);
    quote!(__p::Stanza { wire: #wire, optional: #optional, ty: #ty })
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
