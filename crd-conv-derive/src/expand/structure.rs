//! A versioned struct: what it exports.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Path};

use super::{
    codec::{default_of, write},
    declared, moved,
    tokens::at,
    upgrade::{no_upgrade, upgrade},
};
use crate::{
    model::{Codec, Container, Default, Field, ListKey, Struct},
    name::shown,
};

/// The shape always, the upgrade as far as it is right.
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

/// Impls for a type that isn't a struct with named fields, so that nothing else complains about it.
///
/// ```text
/// impl<…> __p::Shape for Pair<…> { const FIELDS: … = __p::BROKEN; … }
/// impl<…> __p::FieldOf<__p::At<0>, __p::Unknown> for Pair<…> { … }
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
            const NAMES: &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str)] =
                &[("", "")];
            const FIELDS: &'static [__p::Facts] = __p::BROKEN;
        }
        #[automatically_derived]
        impl #impl_generics __p::FieldOf<__p::At<0>, __p::Unknown> for #ident #ty_generics #where_clause {
            fn read(
                _: ::core::option::Option<&::core::primitive::str>,
            ) -> ::core::result::Result<__p::Unknown, __p::ConvertError> {
                ::core::result::Result::Ok(__p::Unknown)
            }
            fn write(
                _: &__p::Unknown,
                _: &mut __p::String,
            ) -> ::core::result::Result<::core::primitive::bool, __p::ConvertError> {
                ::core::result::Result::Ok(false)
            }
        }
        #[automatically_derived]
        impl #impl_generics __p::Holder for #ident #ty_generics #where_clause {
            type Struct = Self;
        }
        #[automatically_derived]
        impl #impl_generics __p::Accounts<Self> for #ident #ty_generics #where_clause {
            const ACCOUNT: __p::Account = __p::NO_ACCOUNT;
        }
        #[automatically_derived]
        impl #impl_generics __p::Accounts<__p::Unknown> for #ident #ty_generics #where_clause {
            const ACCOUNT: __p::Account = __p::NO_ACCOUNT;
        }
        #upgrade
    }
}

/// ```text
/// impl __p::Shape for CronTabSpec {
///     const NAME: &'static str = …;
///     const NAMES: &'static [(&'static str, &'static str)] = &[("host", "host")];
///     const FIELDS: &'static [__p::Facts] = &[__p::Facts {
///         field: __p::Field::new("host", "host", "String", false, None, false, __p::sniff::<String>)
///             .with_inside(|| __p::Inside::<String>::OF.declared()),
///         codec: "",
///         option: false,
///         aliased: false,
///         skips: false,
///         nullable: None,
///         said: __p::Said::NOTHING,
///     }];
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
    let keys = model.fields.iter().map(|field| list_keys(field));
    let facts = model.fields.iter().map(|field| facts(model, field));
    let flattened = model.fields.iter().find(|field| field.flatten).map(|field| {
        let shown = ident.to_string();
        let arguments = quote!(<#ident as __p::Shape>::FIELDS, #shown);
        quote_spanned!(field.name.ident.span()=> const _: () = __p::flattened(#arguments);)
    });
    let texts: Vec<_> = model.fields.iter().map(|field| field.name.text.clone()).collect();
    let holder = moved::holder(ident, &texts);
    let of_type = declared::of_type(&quote!(__p::Shape), &model.declared);
    quote! {
        #flattened
        #(#keys)*
        #holder
        #[automatically_derived]
        impl __p::Shape for #ident {
            const NAME: &'static ::core::primitive::str =
                __p::short_name(::core::concat!(::core::module_path!(), #name));
            const NAMES: &'static [(&'static ::core::primitive::str, &'static ::core::primitive::str)] =
                &[#(#names),*];
            const FIELDS: &'static [__p::Facts] = &[#(#facts),*];
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

fn facts(model: &Struct, field: &Field) -> TokenStream {
    let ty = &field.ty;
    let (rust, wire, shown) = (&field.name.text, &field.wire, shown(ty));
    let skips = field.skip_if.is_some();
    let aliased = field.aliased;
    let has_default = default_of(model, field).is_some();
    let default = declared::default_writer(field).unwrap_or_else(|| default_writer(model, field));
    let codec = match &field.codec {
        Codec::Type => String::new(),
        Codec::Functions { serialize, deserialize } => codec_name(serialize, deserialize),
    };
    let span = at(ty);
    let option = quote_spanned!(span=> <__p::IsOption<#ty>>::VALUE);
    let (nullable, says_null) = match field.nullable {
        Some(nullable) => (quote!(#nullable), quote!(::core::option::Option::Some(#nullable))),
        // Another type takes null or not as its schema says, as without a word.
        None if model.declared.never_null && !field.flatten => (
            quote!(false),
            quote! {
                if #option { ::core::option::Option::Some(false) } else { ::core::option::Option::None }
            },
        ),
        None => (
            quote_spanned!(span=> #option && !<__p::IsOptionOfName<#ty>>::VALUE),
            quote!(::core::option::Option::None),
        ),
    };
    let (kind, inside) = match &field.codec {
        Codec::Type => (
            quote_spanned!(span=> __p::sniff::<#ty>),
            Some(quote_spanned!(span=> .with_inside(|| __p::Inside::<#ty>::OF.declared()))),
        ),
        Codec::Functions { deserialize, .. } => (
            quote_spanned! {span=>
                || __p::sniff_with(|__deserializer| {
                    let __value: ::core::result::Result<#ty, _> = #deserialize(__deserializer);
                    __value.map(::core::mem::drop)
                })
            },
            // What the type says isn't said of what stands in JSON.
            None,
        ),
    };
    let kind = if field.declared.int_or_string {
        quote!(__p::int_or_string::<{ #option }>)
    } else if field.declared.embedded_resource {
        quote!(|| __p::embedded_resource::<{ #option }>(#kind))
    } else {
        kind
    };
    let said = declared::said(model, field);
    let keys = (!field.list_keys.is_empty()).then(|| {
        let keys = keys_name(field);
        quote!(.with_list_keys(#keys))
    });
    let flat =
        field.flatten.then(|| quote_spanned!(span=> .flattened(<#ty as __p::Flatten>::FLAT)));
    let preserving = field.declared.preserve_unknown_fields;
    let preserving = preserving.then(|| quote!(.preserving_unknown_fields()));
    let embedding = field.declared.embedded_resource.then(|| quote!(.embedding_resources()));
    let new = field.is_new.then(|| quote!(.said_to_be_new()));
    quote! {
        __p::Facts {
            field: __p::Field::new(
                #rust, #wire, #shown, #nullable, #default, #option || #has_default, #kind,
            )#inside #keys #preserving #embedding #flat #new,
            codec: #codec,
            option: #option,
            aliased: #aliased,
            skips: #skips,
            nullable: #says_null,
            said: #said,
        }
    }
}

fn keys_name(field: &Field) -> Ident {
    format_ident!("__KEYS{}", field.index)
}

/// Checks and names the keys of a list. A misspelt one is an error once, at its place.
///
/// ```text
/// const _: () = __p::keyed_list::<Vec<Port>>();
/// const _: () = __p::key(<__p::Items<Vec<Port>>>::NAMES, <__p::Items<Vec<Port>>>::NAME, "name");
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
                let arguments = quote!(#items::NAMES, #items::NAME, #text);
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
        const #name: &[&::core::primitive::str] = &[#(#wires),*];
    })
}

/// The functions' common module, or both functions.
fn codec_name(serialize: &Path, deserialize: &Path) -> String {
    let (serialize, deserialize) = (shown(serialize), shown(deserialize));
    match (serialize.strip_suffix("::serialize"), deserialize.strip_suffix("::deserialize")) {
        (Some(module), Some(other)) if module == other => module.to_owned(),
        _ => format!("{serialize}, {deserialize}"),
    }
}

/// What writes that value; a plain default of an `Option` is nothing to write.
fn default_writer(model: &Struct, field: &Field) -> TokenStream {
    let Some(default) = default_of(model, field) else {
        return quote!(::core::option::Option::None);
    };
    let (ident, index, ty) = (&model.ident, field.index, &field.ty);
    let write = quote! {
        ::core::option::Option::Some(
            |__out| <#ident as __p::FieldOf<__p::At<#index>, #ty>>::write(&#default, __out)
        )
    };
    if matches!(field.default, Some(Default::Trait)) {
        quote!(if <__p::IsOption<#ty>>::VALUE { ::core::option::Option::None } else { #write })
    } else {
        write
    }
}

/// ```text
/// impl __p::FieldOf<__p::At<0>, String> for CronTabSpec {
///     fn read(__text: Option<&str>) -> Result<String, __p::ConvertError> {
///         match __text {
///             Some(__text) => __p::read::<String>(__text),
///             None => match <__p::IsOption<String>>::absent() {
///                 Some(__value) => Ok(__value),
///                 None => __p::missing("host"),
///             },
///         }
///     }
///     fn write(__value: &String, __out: &mut __p::String) -> Result<bool, __p::ConvertError> {
///         __p::write::<String>(__value, <__p::IsOption<String>>::VALUE, __out)
///     }
/// }
/// ```
fn field_of(model: &Struct, field: &Field) -> TokenStream {
    let (ident, index, ty, wire) = (&model.ident, field.index, &field.ty, &field.wire);
    let span = at(ty);
    let absent = if let Some(default) = default_of(model, field) {
        quote!(::core::result::Result::Ok(#default))
    } else {
        quote_spanned! {span=>
            match <__p::IsOption<#ty>>::absent() {
                ::core::option::Option::Some(__value) => ::core::result::Result::Ok(__value),
                ::core::option::Option::None => __p::missing(#wire),
            }
        }
    };
    let write = write(field);
    let read = match &field.codec {
        Codec::Type => quote_spanned!(span=> __p::read::<#ty>(__text)),
        Codec::Functions { deserialize, .. } => {
            quote!(__p::read_with(__text, |__deserializer| #deserialize(__deserializer)))
        }
    };
    let skip = field.skip_if.as_ref().map(|skip| {
        quote! {
            if #skip(__value) {
                return ::core::result::Result::Ok(false);
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl __p::FieldOf<__p::At<#index>, #ty> for #ident {
            fn read(
                __text: ::core::option::Option<&::core::primitive::str>,
            ) -> ::core::result::Result<#ty, __p::ConvertError> {
                match __text {
                    ::core::option::Option::Some(__text) => #read,
                    ::core::option::Option::None => #absent,
                }
            }
            fn write(
                __value: &#ty,
                __out: &mut __p::String,
            ) -> ::core::result::Result<::core::primitive::bool, __p::ConvertError> {
                #skip
                #write
            }
        }
    }
}
