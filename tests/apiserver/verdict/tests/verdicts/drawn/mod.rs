//! Random schemas, and random objects for them.

mod objects;
mod schemas;

use crd_conv::schema::Schema;
use proptest::prelude::*;

pub(crate) use schemas::root;

/// A schema and an object that mostly fits it.
pub(crate) fn pair() -> impl Strategy<Value = (Schema, String)> {
    root().prop_flat_map(|schema| {
        let object = objects::resource(&schema);
        (Just(schema), object)
    })
}
