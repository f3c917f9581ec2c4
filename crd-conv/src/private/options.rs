//! Whether a type is an `Option`. An inherent item wins over a trait's item.

use core::marker::PhantomData;

use super::Variants;

/// Whether a type is an `Option`: `<IsOption<T>>::VALUE`.
#[derive(Debug)]
pub struct IsOption<T>(PhantomData<T>);

impl<T> IsOption<Option<T>> {
    /// Always true.
    pub const VALUE: bool = true;

    /// Returns the value of an absent field.
    pub const fn absent() -> Option<Option<T>> {
        Some(None)
    }
}

/// Any other type.
pub trait NotOption<T> {
    /// Always false.
    const VALUE: bool = false;

    /// Returns `None`, because an absent field has no value.
    fn absent() -> Option<T> {
        None
    }
}

impl<T> NotOption<T> for IsOption<T> {}

/// Whether a type is an `Option` of a versioned enum of plain names. The API server never accepts
/// null for such a type.
#[derive(Debug)]
pub struct IsOptionOfName<T>(PhantomData<T>);

impl<T: Variants> IsOptionOfName<Option<T>> {
    /// True, unless variants have content.
    pub const VALUE: bool = T::PLAIN;
}

/// Any other type.
pub trait NotOptionOfName {
    /// Always false.
    const VALUE: bool = false;
}

impl<T> NotOptionOfName for IsOptionOfName<T> {}
