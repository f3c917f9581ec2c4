//! Types that generated code can't name.

use core::marker::PhantomData;

use super::FieldOf;

/// Returns the type of a struct's field, even if its name can't be written.
pub const fn ty<S: FieldOf<At, T>, At, T>() -> PhantomData<T> {
    PhantomData
}

/// Returns a value that must have a type without a name.
pub fn typed<T>(_: PhantomData<T>, value: T) -> T {
    value
}

/// Takes a closure only for its types.
pub const fn never_called<F: FnOnce()>(closure: F) {
    // A constant can't drop a value.
    core::mem::forget(closure);
}
