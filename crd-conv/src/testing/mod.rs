//! What tests of conversions need.

pub mod server;
