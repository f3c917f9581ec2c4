//! What `crd_conv::testing` gives authors: objects to start from, and the laws for resources with every kind of rule.

mod drawn;
mod frozen;
mod laws;
mod learned;
mod refusals;
