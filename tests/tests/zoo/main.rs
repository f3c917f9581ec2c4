//! What schema each type of the zoo has, or why it has none; and whether serde, a validator of JSON Schema and what is drawn of
//! the schema agree on it.
//!
//! `CRD_CONV_BLESS=1` writes the schemas anew.

mod agree;
mod declared;
mod golden;
