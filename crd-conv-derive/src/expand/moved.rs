//! Fields that go into a struct and come out of it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

use super::upgrade::Places;
use crate::{
    model::{Field, OlderField, Struct},
    name::Name,
};

/// One of the two versions in a rule.
struct Side {
    /// The struct's type.
    ty: TokenStream,
    fields: TokenStream,
    shown: String,
}

/// A field of one of the versions, found by a type that stands for its place.
struct Place<'a> {
    place: TokenStream,
    name: &'a Name,
}

pub(super) fn gathered<'a>(
    model: &Struct,
    holder: &Field,
    moves: &'a [(OlderField, Name)],
    places: &mut Places<'a>,
) -> TokenStream {
    let moves: Vec<_> = moves
        .iter()
        .map(|(outside, inside)| {
            let place = places.place(outside, None, true);
            (Place { place: quote!(#place), name: &outside.name }, inside)
        })
        .collect();
    let (older, newer) = sides(model, places);
    let index = holder.index;
    let holder = Place { place: quote!(__p::At<#index>), name: &holder.name };
    moved(true, &newer, &holder, &older, &moves, places)
}

pub(super) fn scattered<'a>(
    model: &Struct,
    holder: &'a OlderField,
    moves: &'a [(Name, std::rc::Rc<Field>)],
    places: &mut Places<'a>,
) -> TokenStream {
    let place = places.place(holder, None, true);
    let holder = Place { place: quote!(#place), name: &holder.name };
    let moves: Vec<_> = moves
        .iter()
        .map(|(inside, outside)| {
            let index = outside.index;
            (Place { place: quote!(__p::At<#index>), name: &outside.name }, inside)
        })
        .collect();
    let (older, newer) = sides(model, places);
    moved(false, &older, &holder, &newer, &moves, places)
}

/// The older and the newer version.
fn sides(model: &Struct, places: &Places<'_>) -> (Side, Side) {
    let ident = &model.ident;
    (
        Side { ty: quote!(__Older), fields: quote!(__FIELDS), shown: places.older.clone() },
        Side {
            ty: quote!(#ident),
            fields: quote!(<#ident as __p::Shape>::FIELDS),
            shown: model.shown.clone(),
        },
    )
}

/// ```text
/// const __HELD0: &[__p::Facts] = __p::held::<CronTabSpec, __p::At<2>, _>().fields();
/// const __HELD0_NAME: &str = __p::held::<CronTabSpec, __p::At<2>, _>().name();
/// const _: () = __p::holder(<CronTabSpec as __p::Shape>::FIELDS, "CronTabSpec", "checks");
/// type __Inside0_0 = __p::At<{ __p::field(__HELD0, __HELD0_NAME, "timeout", __p::Reason::Named) }>;
/// const _: () = __p::moved(__FIELDS, "v1beta1::CronTabSpec", "timeout", __HELD0, __HELD0_NAME, "timeout", "checks", 1);
/// const _: fn() = || {
///     __p::Probe::new(
///         __p::ty::<__Older, __Older0, _>(),
///         __p::inside_ty::<__Inside0_0, _, _>(&__p::held::<CronTabSpec, __p::At<2>, _>()),
///     ).moves();
/// };
/// const __OTHERS0: [__p::Field; __p::others_count(__HELD0, &["timeout"])] = __p::others(__HELD0, …);
///
/// __p::Rule::Moved {
///     holder: __p::known(<CronTabSpec as __p::Shape>::FIELDS, "checks"),
///     nested: true,
///     moves: &[(__p::known(__FIELDS, "timeout"), __p::known(__HELD0, "timeout"))],
///     others: &__OTHERS0,
/// }
/// ```
fn moved(
    nested: bool,
    around: &Side,
    holder: &Place<'_>,
    beside: &Side,
    moves: &[(Place<'_>, &Name)],
    places: &mut Places<'_>,
) -> TokenStream {
    let number = places.number();
    let held = format_ident!("__HELD{number}");
    let held_name = format_ident!("__HELD{number}_NAME");
    let others = format_ident!("__OTHERS{number}");
    let (Side { ty, fields, shown }, place) = (around, &holder.place);
    let (span, text) = (holder.name.ident.span(), &holder.name.text);
    let find_held = quote_spanned!(span=> __p::held::<#ty, #place, _>());
    places.item(quote_spanned! {span=>
        const #held: &[__p::Facts] = #find_held.fields();
        const #held_name: &::core::primitive::str = #find_held.name();
    });
    places.check(span, "holder", &quote_spanned!(span=> #fields, #shown, #text));
    places.check(span, "not_aliased", &quote_spanned!(span=> #fields, #shown, #text));

    let insides: Vec<&String> = moves.iter().map(|(_, inside)| &inside.text).collect();
    let count = moves.len();
    for (at, (outside, inside)) in moves.iter().enumerate() {
        let (span, inside) = (inside.ident.span(), &inside.text);
        let alias = format_ident!("__Inside{number}_{at}", span = span);
        let find =
            quote_spanned!(span=> __p::field(#held, #held_name, #inside, __p::Reason::Named));
        places.item(quote_spanned!(span=> type #alias = __p::At<{ #find }>;));
        places.check(span, "not_aliased", &quote_spanned!(span=> #held, #held_name, #inside));
        same(&find_held, beside, outside, &alias, places);
        let Side { fields, shown, .. } = beside;
        let (span, outside) = (outside.name.ident.span(), &outside.name.text);
        places.check(span, "not_aliased", &quote_spanned!(span=> #fields, #shown, #outside));
        let arguments = quote_spanned! {span=>
            #fields, #shown, #outside, #held, #held_name, #inside, #text, #count
        };
        places.check(span, "moved", &arguments);
    }
    // The struct's own span is that of its field, which may be right in itself.
    let span = moves.first().map_or(span, |(_, inside)| inside.ident.span());
    places.check(span, "made_of", &quote_spanned!(span=> #held, #held_name, &[#(#insides),*]));
    places.item(quote! {
        const #others: [__p::Field; __p::others_count(#held, &[#(#insides),*])] =
            __p::others(#held, &[#(#insides),*]);
    });
    let outside_fields = &beside.fields;
    let outsides = moves.iter().map(|(outside, _)| &outside.name.text);
    quote! {
        __p::Rule::Moved {
            holder: __p::known(#fields, #text),
            nested: #nested,
            moves: &[#((__p::known(#outside_fields, #outsides), __p::known(#held, #insides))),*],
            others: &#others,
        }
    }
}

/// Checks that a field has the same type outside and in the struct.
fn same(
    find: &TokenStream,
    beside: &Side,
    outside: &Place<'_>,
    inside: &Ident,
    places: &mut Places<'_>,
) {
    let (beside, place) = (&beside.ty, &outside.place);
    let span: Span = outside.name.ident.span();
    let moves = quote_spanned!(span=> moves());
    places.item(quote_spanned! {span=>
        const _: fn() = || {
            __p::Probe::new(
                __p::ty::<#beside, #place, _>(),
                __p::inside_ty::<#inside, _, _>(&#find),
            ).#moves;
        };
    });
}
