//! The fields that a converter reads or writes in one of the versions.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Ident, spanned::Spanned};

use crate::{expand::tokens::variable, model::Shown};

/// The group's fields in one of the versions.
pub(in crate::expand) struct Side {
    pub(in crate::expand) targets: Vec<Target>,
    /// The expression of the group's type, as `PhantomData`.
    pub(in crate::expand) ty: TokenStream,
    /// The variables that hold the fields' values.
    names: Vec<Ident>,
}

/// A field.
pub(in crate::expand) struct Target {
    pub(in crate::expand) place: Place,
    /// The facts about the fields of the struct that has it.
    pub(in crate::expand) facts: TokenStream,
    /// The Rust name.
    pub(in crate::expand) text: String,
    /// Whether the field exists even where no value arrives.
    pub(in crate::expand) always: TokenStream,
}

/// How the generated code finds a field.
#[derive(Clone)]
pub(in crate::expand) enum Place {
    /// By the struct, the place in it and the field's type.
    Own(TokenStream),
    /// By the place in a struct that was found in a field, and the expression that finds it.
    Held { at: Ident, of: TokenStream },
}

impl Place {
    /// Calls the function that reads or writes the field. `rest` are the types that follow.
    fn call(
        &self,
        span: Span,
        function: &str,
        rest: Option<&TokenStream>,
        arguments: &TokenStream,
    ) -> TokenStream {
        match self {
            Self::Own(target) => {
                let function = Ident::new(function, span);
                quote_spanned!(span=> __p::#function::<#target #rest>(#arguments))
            }
            Self::Held { at, of } => {
                let function = format_ident!("{function}_in", span = span);
                quote_spanned!(span=> __p::#function::<#at, _, _ #rest>(&#of, #arguments))
            }
        }
    }
}

impl Side {
    /// `name` is the start of the variables' names.
    pub(in crate::expand) fn new(name: &str, targets: Vec<Target>, ty: TokenStream) -> Self {
        let names = names(name, targets.len());
        Self { targets, ty, names }
    }

    pub(super) fn value(&self) -> TokenStream {
        one_or_tuple(&self.names.iter().map(|name| quote!(#name)).collect::<Vec<_>>())
    }

    pub(super) fn read(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let inputs = targets.iter().enumerate().map(|(at, Target { place, .. })| {
            let span = Span::call_site();
            or_return(span, &place.call(span, "input", None, &quote!(__in, #at)))
        });
        quote!(#(let #names = #inputs;)*)
    }

    pub(super) fn write(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let outputs = targets.iter().zip(names).map(|(Target { place, .. }, name)| {
            place.call(Span::call_site(), "output", None, &quote!(&#name, __out))
        });
        in_order(&outputs.collect::<Vec<_>>())
    }

    /// The values that these fields had before an edit.
    pub(super) fn before(&self) -> TokenStream {
        let Self { targets, names, .. } = self;
        let before = targets.iter().enumerate().map(|(at, Target { place, .. })| {
            place.call(Span::call_site(), "before", None, &quote!(__before, #at))
        });
        match &*before.collect::<Vec<_>>() {
            [before] => before.clone(),
            before => quote! {
                match (#(#before),*) {
                    (#(::core::option::Option::Some(#names)),*) => {
                        ::core::option::Option::Some((#(#names),*))
                    }
                    _ => ::core::option::Option::None,
                }
            },
        }
    }

    /// ```text
    /// Some(|__out| {
    ///     match __p::output_value::<CronTabSpec, __p::F0, String, _>("localhost", __out) { … }
    ///     __out.push(|_| Ok(false))
    /// })
    /// ```
    pub(super) fn fallback(
        &self,
        shown: Option<&Shown>,
        checks: &mut Vec<TokenStream>,
    ) -> TokenStream {
        let Some((direction, values)) = shown else { return quote!(::core::option::Option::None) };
        let mut push = |(value, target): (&Option<Expr>, &Target)| {
            let Target { place, facts, text, always } = target;
            if let Some(value) = value {
                let (span, out) = (value.span(), variable("__out", value));
                let rest = quote_spanned!(span=> , _);
                let arguments = quote_spanned!(span=> #value, #out);
                return place.call(span, "output_value", Some(&rest), &arguments);
            }
            let span = direction.span();
            let left_out = Ident::new("left_out", span);
            checks.push(quote_spanned! {span=>
                const _: () = if #always { __p::#left_out(#facts, #text) };
            });
            quote!(__out.push(|_| ::core::result::Result::Ok(false)))
        };
        let pushes: Vec<_> = values.iter().zip(&self.targets).map(&mut push).collect();
        let pushes = in_order(&pushes);
        quote!(::core::option::Option::Some(|__out| { #pushes }))
    }
}

/// Returns the value, or returns the fault from the closure. `?` would be three times as much code
/// for LLVM.
pub(super) fn or_return(span: Span, result: &TokenStream) -> TokenStream {
    // Without this span, clippy would report its style to the author.
    let span = Span::call_site().located_at(span);
    quote_spanned! {span=>
        match #result {
            ::core::result::Result::Ok(__value) => __value,
            ::core::result::Result::Err(__fault) => return ::core::result::Result::Err(__fault),
        }
    }
}

/// Like [`or_return`], for a moved value, which may be absent.
pub(super) fn or_leave_out(span: Span, result: &TokenStream) -> TokenStream {
    let span = Span::call_site().located_at(span);
    quote_spanned! {span=>
        match #result {
            ::core::result::Result::Ok(::core::option::Option::Some(__value)) => __value,
            ::core::result::Result::Ok(::core::option::Option::None) => {
                return __out.push(|_| ::core::result::Result::Ok(false));
            }
            ::core::result::Result::Err(__fault) => return ::core::result::Result::Err(__fault),
        }
    }
}

/// Runs the steps up to the first fault. A group has at least one field.
fn in_order(results: &[TokenStream]) -> TokenStream {
    let Some((last, others)) = results.split_last() else {
        return quote!(::core::result::Result::Ok(()));
    };
    let others = others.iter().map(|result| or_return(Span::call_site(), result));
    quote!(#(#others;)* #last)
}

pub(super) fn names(prefix: &str, count: usize) -> Vec<Ident> {
    (0..count).map(|index| format_ident!("__{prefix}{index}")).collect()
}

/// One value by itself, or several values as a tuple.
pub(super) fn one_or_tuple(all: &[TokenStream]) -> TokenStream {
    match all {
        [one] => one.clone(),
        all => quote!((#(#all),*)),
    }
}
