//! One object as it was received: its text, and the positions of its values.

use std::borrow::Cow;

use super::spans::{Document, Instance, Named};
use crate::engine::program::{Node, Route, Slot};

/// What a hop starts from. Nothing changes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    pub(crate) route: &'a Route,
    pub(crate) document: &'a Document,
}

impl<'a> Source<'a> {
    pub(crate) fn instance(self, instance: usize) -> &'a Instance {
        &self.document.instances[instance]
    }

    /// Returns the node that describes an instance.
    pub(crate) fn node(self, instance: usize) -> &'a Node {
        &self.route.nodes[self.document.instances[instance].node]
    }

    pub(crate) fn named(self, named: usize) -> &'a Named {
        &self.document.named[named]
    }

    /// Returns an instance's member by its index among the names that the route knows.
    #[inline]
    pub(crate) fn member(self, instance: usize, member: usize) -> Option<usize> {
        self.document.member(instance, member)
    }

    /// Returns an instance's member by its name.
    pub(crate) fn member_called(self, instance: usize, name: &str) -> Option<usize> {
        match self.node(instance) {
            Node::Object(object) => self.member(instance, object.names.find(name)?),
            _ => None,
        }
    }

    /// Returns a member's key.
    pub(crate) fn key(self, named: usize) -> Cow<'a, str> {
        self.named(named).key.decoded(self.text)
    }

    /// Returns the text of a member's value.
    pub(crate) fn value(self, named: usize) -> &'a str {
        &self.text[self.named(named).value.clone()]
    }

    /// Returns the value of a member. A `null` that the API server drops is no value.
    pub(crate) fn present(self, named: Option<usize>, slot: &Slot) -> Option<&'a str> {
        let value = self.value(named?);
        (slot.nullable || value != "null").then_some(value)
    }

    /// Returns the text of an instance.
    pub(crate) fn text_of(self, instance: usize) -> &'a str {
        &self.text[self.instance(instance).span()]
    }
}
