//! Lets rust-analyzer go from a name in an attribute to its definition. Only rust-analyzer sees
//! this code, because the definition may be private. It also completes a half-typed name from the
//! same tokens, as long as no earlier token of the expansion depends on that name; `complete`
//! explains why.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use crate::{
    model::{Reason, Upgrade, ValuesUpgrade, VariantRule},
    name::Name,
};

/// ```text
/// #[cfg(rust_analyzer)]
/// const _: fn(&__Older, &CronTabSpec) = |__older, __newer| {
///     let _ = (&__older.host_port, &__newer.host);
/// };
/// ```
pub(super) fn fields(ident: &Ident, upgrade: &Upgrade, older: &[Ident]) -> Option<TokenStream> {
    let ways = || upgrade.moves.ways.iter();
    let starts = ways().flat_map(|way| &way.older).filter_map(|path| path.first()?.as_field());
    let ends = ways().flat_map(|way| &way.newer).filter_map(|path| path.first()?.as_field());
    let newer = upgrade.mentions.iter().filter_map(Name::as_field).chain(ends);
    (!older.is_empty() || ways().next().is_some()).then(|| {
        quote! {
            #[cfg(rust_analyzer)]
            const _: fn(&__Older, &#ident) = |__older, __newer| {
                let _ = (#(&__older.#older,)* #(&__older.#starts,)* #(&__newer.#newer,)*);
            };
        }
    })
}

/// ```text
/// #[cfg(rust_analyzer)]
/// const _: fn(&super::v1beta1::Phase, &Phase) = |__older, __newer| {
///     match __older {
///         super::v1beta1::Phase::Failed { .. } => {}
///         _ => {}
///     }
///     match __newer {
///         Phase::Stopped { .. } => {}
///         _ => {}
///     }
/// };
/// ```
pub(super) fn variants(ident: &Ident, upgrade: &ValuesUpgrade) -> Option<TokenStream> {
    let path = &upgrade.older;
    let (mut older, mut newer) = (Vec::new(), Vec::new());
    for rule in &upgrade.rules {
        match rule {
            VariantRule::Kept { older: kept, .. } => {
                older.extend(kept.name.as_field().filter(|_| matches!(kept.reason, Reason::Named)));
            }
            VariantRule::Added { shown_as, .. } => older.extend(shown_as.as_field()),
            VariantRule::Removed { older: removed, tokens, .. } => {
                older.extend(removed.name.as_field());
                newer.push(tokens);
            }
        }
    }
    (!older.is_empty()).then(|| {
        quote! {
            #[cfg(rust_analyzer)]
            #[allow(unreachable_patterns, reason = "one variant may be named several times")]
            const _: fn(&#path, &#ident) = |__older, __newer| {
                match __older {
                    #(#path::#older { .. } => {})*
                    _ => {}
                }
                match __newer {
                    #(#ident::#newer { .. } => {})*
                    _ => {}
                }
            };
        }
    })
}
