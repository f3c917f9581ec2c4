//! What `crd_conv::testing` gives authors: objects to start from, and the laws for resources with every kind of rule.

mod drawn;
mod laws;
mod learned;
