//! The laws on drawn resources: their shapes are drawn as well as their objects.
//!
//! `CRD_CONV_SHAPES` says how many resources, `CRD_CONV_SHAPES_SEED` which one is the first, and `CRD_CONV_CASES` how many
//! objects each law gets. Fields are kept, renamed, added, removed and moved, and numbers and texts become structs, enums, lists and
//! maps with something inside, and back. What breaks in `shape_7` breaks alone with `CRD_CONV_SHAPES=1 CRD_CONV_SHAPES_SEED=7`.

mod converters;

include!(concat!(env!("OUT_DIR"), "/shapes.rs"));
