//! The items and impls of a versioned struct.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Path};

use super::{
    codec::default_of,
    declared, moved,
    tokens::{at, place},
    upgrade::{no_upgrade, upgrade},
};
use crate::{
    model::{Codec, Container, Default, Field, ListKey, Struct},
    name::shown,
};

/// Always writes the shape. Writes the upgrade only if it has no mistakes.
pub(crate) fn structure(model: &Struct, right: bool) -> TokenStream {
    let shape = shape(model);
    let fields = model.fields.iter().map(|field| field_of(model, field));
    let upgrade = model.upgrade.as_ref().map(|upgrade| {
        if right {
            self::upgrade(model, upgrade)
        } else {
            no_upgrade(&model.ident, &upgrade.older.ty)
        }
    });
    quote! {
        #shape
        #(#fields)*
        #upgrade
    }
}

/// Impls for a type that isn't a struct with named fields. They keep rustc from reporting follow-up
/// errors.
///
/// ```text
/// impl<…> __p::Shape for Pair<…> { const FIELDS: … = __p::BROKEN; … }
/// impl<…> __p::FieldOf<__p::F0, __p::Unknown> for Pair<…> { … }
/// ```
pub(crate) fn broken(container: &Container<'_>, older: Option<&Path>) -> TokenStream {
    let Container { ident, generics, .. } = container;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let name = ident.to_string();
    let upgrade = older
        .filter(|_| generics.params.is_empty())
        .map(|older| no_upgrade(ident, &older.to_token_stream()));
    quote! {
        #[automatically_derived]
        impl #impl_generics __p::Shape for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = #name;
            const NAMES: __p::TextPairs =
                &[("", "")];
            const FIELDS: &'static [__p::Facts] = __p::BROKEN;
        }
        #[automatically_derived]
        impl #impl_generics __p::FieldOf<__p::F0, __p::Unknown> for #ident #ty_generics #where_clause {
            type Codec = __p::NoCodec;
        }
        #[automatically_derived]
        impl #impl_generics __p::Holder for #ident #ty_generics #where_clause {
            type Struct = Self;
        }
        #[automatically_derived]
        impl #impl_generics __p::Accounts<Self> for #ident #ty_generics #where_clause {}
        #[automatically_derived]
        impl #impl_generics __p::Accounts<__p::Unknown> for #ident #ty_generics #where_clause {}
        #upgrade
    }
}

/// ```text
/// impl __p::Shape for CronTabSpec {
///     const NAME: &'static str = …;
///     const NAMES: &'static [(&'static str, &'static str)] = &[("host", "host")];
///     const FIELDS: &'static [__p::Facts] = &[
///         __p::Facts::new("host", "host", "String", <__p::IsOption<String>>::VALUE, None, <__p::Kind<String>>::kinds)
///             .unless_name(<__p::IsOptionOfName<String>>::VALUE)
///             .with_inside(<CronTabSpec as __p::Shape>::inside, 0),
///     ];
///     fn inside(__at: usize) -> Option<fn() -> __p::Declared> { … }
/// }
/// impl __p::Declares for CronTabSpec { … }
/// impl __p::InPlace for CronTabSpec { … }
/// impl __p::Written for CronTabSpec { … }
/// ```
fn shape(model: &Struct) -> TokenStream {
    let ident = &model.ident;
    let name = format!("::{}", model.shown);
    let names = model.fields.iter().map(|field| {
        let (rust, wire) = (&field.name.text, &field.wire);
        quote!((#rust, #wire))
    });
    let skipped = (!model.skipped.is_empty()).then(|| {
        let skipped = &model.skipped;
        quote!(const SKIPPED: __p::Texts = &[#(#skipped),*];)
    });
    let keys = model.fields.iter().map(|field| list_keys(field));
    let facts = model.fields.iter().map(|field| facts(model, field));
    let flattened = model.fields.iter().find(|field| field.flatten).map(|field| {
        let shown = ident.to_string();
        let arguments = quote!(<#ident as __p::Shape>::FIELDS, #shown);
        quote_spanned!(field.name.ident.span()=> const _: () = __p::flattened(#arguments);)
    });
    let holder = moved::holder(ident);
    let of_type = declared::of_type(&quote!(__p::Shape), &model.declared);
    let inside = inside(model);
    quote! {
        #flattened
        #(#keys)*
        #holder
        #[automatically_derived]
        impl __p::Shape for #ident {
            const NAME: &'static ::core::primitive::str =
                __p::short_name(::core::concat!(::core::module_path!(), #name));
            const NAMES: __p::TextPairs =
                &[#(#names),*];
            const FIELDS: &'static [__p::Facts] = &[#(#facts),*];
            #skipped
            #inside
        }
        #[automatically_derived]
        impl __p::Declares for #ident {
            fn declared() -> __p::Declared {
                __p::Declared::Fields(
                    #of_type,
                    <Self as __p::Shape>::FIELDS,
                )
            }
        }
        #[automatically_derived]
        impl __p::InPlace for #ident {
            const FIELDS: &'static [__p::Facts] = <Self as __p::Shape>::FIELDS;
        }
        #[automatically_derived]
        impl __p::Written for #ident {
            const KIND: __p::JsonType = __p::JsonType::OBJECT;
        }
    }
}

/// ```text
/// fn inside(__at: usize) -> Option<fn() -> __p::Declared> {
///     match __at {
///         0 => __p::Inside::<String>::OF.declared(),
///         _ => None,
///     }
/// }
/// ```
fn inside(model: &Struct) -> Option<TokenStream> {
    // If functions write a field, its type says nothing about its JSON.
    let fields = model.fields.iter().filter(|field| matches!(field.codec, Codec::Type));
    let arms: Vec<_> = fields
        .map(|field| {
            let (index, ty) = (field.index, &field.ty);
            quote_spanned!(at(ty)=> #index => __p::Inside::<#ty>::OF.declared(),)
        })
        .collect();
    (!arms.is_empty()).then(|| {
        quote! {
            fn inside(__at: ::core::primitive::usize) -> ::core::option::Option<fn() -> __p::Declared> {
                match __at {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    })
}

/// Only facts that differ from those of `Facts::new` are written.
fn facts(model: &Struct, field: &Field) -> TokenStream {
    let (ident, index, ty) = (&model.ident, field.index, &field.ty);
    let (rust, wire, shown) = (&field.name.text, &field.wire, shown(ty));
    let default = declared::default_writer(field).unwrap_or_else(|| default_writer(model, field));
    let defaulted = default_of(model, field).map(|_| quote!(.defaulted()));
    let span = at(ty);
    let option = quote_spanned!(span=> <__p::IsOption<#ty>>::VALUE);
    let nullable = match field.nullable {
        Some(nullable) => quote!(.nullable(#nullable)),
        // This affects only an `Option`. For any other type the schema decides whether it takes
        // null, as without `nullable = false`.
        None if model.declared.never_null && !field.flatten => quote!(.never_null()),
        None => quote_spanned!(span=> .unless_name(<__p::IsOptionOfName<#ty>>::VALUE)),
    };
    let (kind, inside, codec) = match &field.codec {
        Codec::Type => (
            quote_spanned!(span=> <__p::Kind<#ty>>::kinds),
            Some(quote!(.with_inside(<#ident as __p::Shape>::inside, #index))),
            None,
        ),
        Codec::Functions { serialize, deserialize } => {
            let name = codec_name(serialize, deserialize);
            let kind = quote_spanned! {span=>
                || __p::sniff_with(|__deserializer| {
                    let __value: ::core::result::Result<#ty, _> = #deserialize(__deserializer);
                    __value.map(::core::mem::drop)
                })
            };
            (kind, None, Some(quote!(.written_by(#name))))
        }
    };
    let declared = &field.declared;
    let kind = if declared.int_or_string {
        quote!(__p::int_or_string::<{ #option }>)
    } else if declared.embedded_resource {
        quote!(|| __p::embedded_resource::<{ #option }>(#kind))
    } else {
        kind
    };
    let keys = (!field.list_keys.is_empty()).then(|| {
        let keys = keys_name(field);
        quote!(.with_list_keys(#keys))
    });
    let flat =
        field.flatten.then(|| quote_spanned!(span=> .flattened(<#ty as __p::Flatten>::FLAT)));
    let preserving = declared.preserve_unknown_fields.then(|| quote!(.preserving_unknown_fields()));
    let embedding = declared.embedded_resource.then(|| quote!(.embedding_resources()));
    let new = field.is_new.then(|| quote!(.said_to_be_new()));
    let aliased = field.aliased.then(|| quote!(.aliased()));
    let skips = field.skip_if.is_some().then(|| quote!(.skipping()));
    let said = declared::said(model, field).map(|said| quote!(.saying(#said)));
    quote! {
        __p::Facts::new(#rust, #wire, #shown, #option, #default, #kind)
            #nullable #inside #defaulted #codec #keys #preserving #embedding #flat #new #aliased #skips #said
    }
}

fn keys_name(field: &Field) -> Ident {
    format_ident!("__KEYS{}", field.index)
}

/// Checks the keys of a list and names them. A misspelled key is reported once, at its place.
///
/// ```text
/// const _: () = __p::keyed_list::<Vec<Port>>();
/// const _: () = __p::key(<__p::Items<Vec<Port>>>::NAMES, <__p::Items<Vec<Port>>>::SKIPPED, <__p::Items<Vec<Port>>>::NAME, "name");
/// const __KEYS3: &[&str] = &[__p::key_wire(<__p::Items<Vec<Port>>>::NAMES, "name")];
/// ```
fn list_keys(field: &Field) -> Option<TokenStream> {
    if field.list_keys.is_empty() {
        return None;
    }
    let ty = &field.ty;
    let span = at(ty);
    let items = quote_spanned!(span=> <__p::Items<#ty>>);
    let mut list = quote_spanned!(span=> list);
    let mut checks = Vec::new();
    let mut wires = Vec::new();
    for key in &field.list_keys {
        match key {
            ListKey::Field(name) => {
                list = quote_spanned!(span=> keyed_list);
                let text = &name.text;
                let arguments = quote!(#items::NAMES, #items::SKIPPED, #items::NAME, #text);
                checks
                    .push(quote_spanned!(name.ident.span()=> const _: () = __p::key(#arguments);));
                wires.push(quote!(__p::key_wire(#items::NAMES, #text)));
            }
            ListKey::Wire(wire) => wires.push(quote!(#wire)),
        }
    }
    let list = quote_spanned!(span=> const _: () = __p::#list::<#ty>(););
    let name = keys_name(field);
    Some(quote! {
        #list
        #(#checks)*
        const #name: __p::Texts = &[#(#wires),*];
    })
}

/// The name of the module that has both functions, or the names of both functions.
fn codec_name(serialize: &Path, deserialize: &Path) -> String {
    let (serialize, deserialize) = (shown(serialize), shown(deserialize));
    match (serialize.strip_suffix("::serialize"), deserialize.strip_suffix("::deserialize")) {
        (Some(module), Some(other)) if module == other => module.to_owned(),
        _ => format!("{serialize}, {deserialize}"),
    }
}

/// The code that writes the field's default. The plain default of an `Option` writes nothing.
fn default_writer(model: &Struct, field: &Field) -> TokenStream {
    if default_of(model, field).is_none() {
        return quote!(::core::option::Option::None);
    }
    let (ident, place, ty) = (&model.ident, place(field.index), &field.ty);
    let is_nothing = if matches!(field.default, Some(Default::Trait)) {
        quote!(<__p::IsOption<#ty>>::VALUE)
    } else {
        quote!(false)
    };
    if let (Some(Default::Trait), Codec::Type, None) =
        (&field.default, &field.codec, &field.skip_if)
    {
        return quote_spanned!(at(ty)=> __p::type_default::<#ty>(#is_nothing));
    }
    quote!(__p::serde_default::<#ident, #place, #ty>(#is_nothing))
}

/// Most fields have only a type. For others, serde's attributes are written out.
///
/// ```text
/// impl __p::FieldOf<__p::F0, String> for CronTabSpec {
///     type Codec = __p::ByType;
/// }
/// impl __p::FieldOf<__p::F1, i32> for CronTabSpec {
///     type Codec = __p::ByFunctions<__Functions1>;
///     fn absent() -> Option<i32> { Some(seven()) }
///     fn skips(__value: &i32) -> bool { is_zero(__value) }
/// }
/// pub enum __Functions1 {}
/// impl __p::Functions<i32> for __Functions1 { … }
/// ```
fn field_of(model: &Struct, field: &Field) -> TokenStream {
    let (ident, place, ty) = (&model.ident, place(field.index), &field.ty);
    let span = at(ty);
    let absent = match (default_of(model, field), &field.codec) {
        (Some(default), _) => Some(quote!(::core::option::Option::Some(#default))),
        // Serde's functions don't define the value of an absent field.
        (None, Codec::Functions { .. }) => {
            Some(quote_spanned!(span=> <__p::IsOption<#ty>>::absent()))
        }
        (None, Codec::Type) => None,
    };
    let absent = absent.map(|absent| {
        quote! {
            fn absent() -> ::core::option::Option<#ty> {
                #absent
            }
        }
    });
    let skips = field.skip_if.as_ref().map(|skip| {
        quote! {
            fn skips(__value: &#ty) -> ::core::primitive::bool {
                #skip(__value)
            }
        }
    });
    let (codec, functions) = match &field.codec {
        Codec::Type => (quote!(__p::ByType), None),
        Codec::Functions { serialize, deserialize } => {
            let name = format_ident!("__Functions{}", field.index);
            let functions = quote! {
                pub enum #name {}
                #[automatically_derived]
                impl __p::Functions<#ty> for #name {
                    fn read(
                        __text: &::core::primitive::str,
                    ) -> ::core::result::Result<#ty, __p::ConvertError> {
                        __p::read_with(__text, |__deserializer| #deserialize(__deserializer))
                    }
                    fn write(
                        __value: &#ty,
                        __nullable: ::core::primitive::bool,
                        __out: &mut __p::String,
                    ) -> ::core::result::Result<::core::primitive::bool, __p::ConvertError> {
                        __p::write_with(__nullable, __out, |__serializer| {
                            #serialize(__value, __serializer)
                        })
                    }
                }
            };
            (quote!(__p::ByFunctions<#name>), Some(functions))
        }
    };
    quote! {
        #functions
        #[automatically_derived]
        impl __p::FieldOf<#place, #ty> for #ident {
            type Codec = #codec;
            #absent
            #skips
        }
    }
}
