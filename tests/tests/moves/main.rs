//! Values that stand in one struct or stanza in one version and in another one in the next.

mod beside;
mod changed;
mod converted;
mod far;
mod filled_between;
mod flattened;
mod freight;
mod groups;
mod laws;
mod own_struct;
mod together;
mod types;
