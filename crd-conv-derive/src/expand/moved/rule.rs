//! The rules of moved values, once their ends are found.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{End, Ways};
use crate::{
    expand::converted::{Asked, Conversions, Side, Target, conversions, group_type},
    model::{Conversion, Shown, Way},
};

impl Ways {
    /// Adds the checks of a way. Returns its rule.
    pub(super) fn rule(&mut self, older: &[End], newer: &[End], way: &Way) -> Option<TokenStream> {
        if let ([older], [newer]) = (older, newer) {
            let change = self.pair(older, newer, way.by.as_ref());
            let (older, newer) = (&older.parts, &newer.parts);
            return Some(quote! {
                __p::Rule::Moved {
                    older: &[&[#(#older),*]],
                    newer: &[&[#(#newer),*]],
                    change: #change
                }
            });
        }
        for beside in older.iter().chain(newer).filter_map(|end| end.beside.as_ref()) {
            let span = beside.span();
            self.items.push(quote_spanned!(span=> const _: () = #beside;));
        }
        let by = self.converted([older, newer], way.by.as_ref()?, Asked::IfComplete)?;
        let [older, newer] = [older, newer].map(|ends| {
            ends.iter().map(|End { parts, .. }| quote!(&[#(#parts),*])).collect::<Vec<_>>()
        });
        Some(quote! {
            __p::Rule::Moved {
                older: &[#(#older),*],
                newer: &[#(#newer),*],
                change: __p::Change::By(#by)
            }
        })
    }

    /// Adds the checks of a move. Returns how the value changes.
    fn pair(&mut self, older: &End, newer: &End, by: Option<&Conversion>) -> TokenStream {
        let sides = [older, newer].map(|End { name, facts, shown, .. }| {
            let text = &name.text;
            quote!(#facts, #shown, #text)
        });
        let (older_flat, newer_flat) = (&older.flat, &newer.flat);
        let span = older.name.ident.span();
        self.items.push(quote_spanned! {span=>
            const _: () = if #older_flat || #newer_flat { __p::stays(#(#sides),*) };
        });
        for (end, other) in [(older, newer_flat), (newer, older_flat)] {
            let Some(beside) = &end.beside else { continue };
            let span = beside.span();
            self.items.push(quote_spanned!(span=> const _: () = if !#other { #beside };));
        }
        let ends = [older, newer].map(std::slice::from_ref);
        if let Some(by) = by.and_then(|by| self.converted(ends, by, Asked::IfPresent)) {
            return quote!(__p::Change::By(#by));
        }
        let inside = format_ident!("__INSIDE{}", self.items.len());
        let (older_ty, newer_ty) = (&older.ty, &newer.ty);
        let moves = quote_spanned!(span=> moves());
        self.items.push(quote_spanned! {span=>
            const #inside: __p::Indexed<__p::Nested> =
                __p::Indexed::new(|_| __p::Probe::new(#older_ty, #newer_ty).#moves, 0);
            const _: () = __p::moved(#(#sides),*);
        });
        quote!(__p::Change::Versions(#inside))
    }

    /// ```text
    /// const __BY4: __p::By = {
    ///     {
    ///         let __older_type = __p::ty::<__Older, __p::At<…>, _>();
    ///         let __pair = __p::Pair::new(__older_type, __p::inside_ty::<__In0_0, _, _>(&__p::held::<…>()), SECONDS);
    ///         __p::never_called(move || { … __pair.carries() })
    ///     }
    ///     __p::By::new("SECONDS", __p::Conversion::new(…), __p::Conversion::new(…))
    /// };
    /// ```
    fn converted(
        &mut self,
        [older, newer]: [&[End]; 2],
        by: &Conversion,
        asked: Asked,
    ) -> Option<TokenStream> {
        let fallback = &by.fallback;
        let older = self.side("older", older, fallback.downgrade.as_ref())?;
        let newer = self.side("newer", newer, fallback.upgrade.as_ref())?;
        let Conversions { fits, by, upgrade, downgrade } =
            conversions(by, &older, &newer, asked, &mut self.items);
        let name = format_ident!("__BY{}", self.items.len());
        self.items.push(quote! {
            const #name: __p::By = {
                #fits
                __p::By::new(#by, #upgrade, #downgrade)
            };
        });
        Some(quote!(#name))
    }

    /// Adds the checks of what a converter reads and writes in one of the versions. Returns `None`
    /// for a whole stanza.
    fn side(&mut self, side: &str, ends: &[End], shown: Option<&Shown>) -> Option<Side> {
        let mut targets = Vec::new();
        // If nothing arrives, the struct around it may be absent, too.
        let left_out = shown.is_some_and(|(_, values)| values.iter().all(Option::is_none));
        for End { name, place, facts, shown, made, .. } in ends {
            let (span, text) = (name.ident.span(), &name.text);
            self.items.push(quote_spanned! {span=>
                const _: () = __p::returns(#facts, #shown, #text);
            });
            targets.push(Target {
                place: place.clone()?,
                facts: facts.clone(),
                text: text.clone(),
                always: if left_out { quote!(!(#made)) } else { quote!(true) },
            });
        }
        let types: Vec<_> = ends.iter().map(|end| end.ty.clone()).collect();
        let ty = if let [ty] = &*types { ty.clone() } else { group_type(&types) };
        Some(Side::new(side, targets, ty))
    }
}
