//! Collects mistakes, so that the author sees all of them at once.

use std::{cell::RefCell, fmt::Display, thread};

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors. In debug builds, it panics if it is dropped without [`Ctxt::finish`].
#[derive(Default)]
pub(crate) struct Ctxt {
    errors: RefCell<Option<Vec<syn::Error>>>,
}

impl Ctxt {
    pub(crate) fn new() -> Self {
        Self { errors: RefCell::new(Some(Vec::new())) }
    }

    /// Records a mistake at the tokens where it was made.
    pub(crate) fn error(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(errors) = self.errors.borrow_mut().as_mut() {
            errors.push(error);
        }
    }

    /// The number of mistakes so far.
    pub(crate) fn count(&self) -> usize {
        self.errors.borrow().as_ref().map_or(0, Vec::len)
    }

    /// All mistakes as `compile_error!`s, or `None` if there are none.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        let errors = self.errors.borrow_mut().take()?;
        let all = errors.into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        })?;
        Some(all.into_compile_error())
    }
}

impl Drop for Ctxt {
    fn drop(&mut self) {
        debug_assert!(
            thread::panicking() || self.errors.borrow().is_none(),
            "the collected errors were never read"
        );
    }
}
