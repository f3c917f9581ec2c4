//! A hop in one direction, compiled from the derive's plans into what the scan and the rules need.

mod build;
mod build_variants;
mod guides;
mod inside;
mod joined;
mod moves;
mod names;
mod node;
mod paths;
mod resources;
mod restores;
mod served;
mod slot;
mod variants;

use std::sync::Arc;

use crate::complement::{Guide, annotation_prefix};
use crate::definition::VersionDefinition;
use crate::json::quote;
use crate::plan::Branch;
use build::Builder;

pub(crate) use build::Direction;
pub(crate) use inside::Inside;
pub(crate) use joined::Joined;
pub(crate) use moves::{Added, End, Holder, Move, Moves, Together};
pub(crate) use names::{Member, Names, Role};
pub(crate) use node::{
    ANNOTATIONS, Code, Convert, Group, LABELS, METADATA, Node, Object, ROOT, Step,
};
pub(crate) use paths::{follow, way};
pub(crate) use restores::{Home, Restores};
#[cfg(feature = "schema")]
pub(crate) use slot::differ_in_unset;
pub(crate) use slot::{REST, Slot};
pub(crate) use variants::{Becomes, Union, quoted};

/// A hop in one direction.
#[derive(Debug)]
pub(crate) struct Route {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// The value that `apiVersion` gets, in quotes.
    pub(crate) api_version: String,
    /// The prefix of the carrier's annotations.
    pub(crate) prefix: String,
    /// The values in which something happens. Each is described once, even if types contain
    /// themselves.
    pub(crate) nodes: Vec<Node>,
    /// Whether it joins several hops, and stops if an object needs each of them by itself.
    pub(crate) is_joined: bool,
    /// Whether values move in any node.
    pub(crate) has_moves: bool,
    /// Whether one of the author's converters may be called.
    pub(crate) has_converters: bool,
    /// What the source and the target know about these values.
    pub(crate) guides: [Guide; 2],
    /// The fields in which the source's enums have their tags.
    pub(crate) tags: Vec<&'static str>,
    /// The annotations that this hop reads. If what such an annotation belongs to isn't found, it
    /// is gone.
    pub(crate) restores: Arc<Restores>,
    /// All versions of the resource, oldest first. Empty if there is only this hop.
    pub(crate) versions: &'static [VersionDefinition],
    /// For each version, the annotations that the hops to it read.
    pub(crate) homes: Arc<[Home]>,
}

/// The two ends of a hop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) group: &'static str,
    pub(crate) older: &'static str,
    pub(crate) newer: &'static str,
}

impl Route {
    /// Resolves one direction of a hop. Without a plan, the versions are the same.
    pub(crate) fn new(ends: Ends, plan: Option<Branch>, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        if let Some(plan) = plan {
            builder.root(plan);
        }
        Self::resolve(ends, direction, builder)
    }

    /// Resolves one direction of a hop for a single value, which is in the object's field `value`.
    pub(crate) fn of_value(ends: Ends, plan: Branch, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        builder.value("value", plan);
        Self::resolve(ends, direction, builder)
    }

    /// Sets all versions of the resource, and the annotations that the hops to them read.
    pub(crate) fn link(&mut self, versions: &'static [VersionDefinition], homes: &Arc<[Home]>) {
        self.versions = versions;
        self.homes = Arc::clone(homes);
    }

    /// Returns the index of a version among all versions.
    pub(crate) fn version(&self, name: &str) -> Option<usize> {
        self.versions.iter().position(|version| version.name == name)
    }

    fn resolve(ends: Ends, direction: Direction, builder: Builder) -> Self {
        let Ends { group, older, newer } = ends;
        let (from, to) = match direction {
            Direction::Upgrade => (older, newer),
            Direction::Downgrade => (newer, older),
        };
        let mut api_version = String::new();
        quote(&format!("{group}/{to}"), &mut api_version);
        let prefix = annotation_prefix(group);
        Self {
            from,
            to,
            api_version,
            has_moves: builder.nodes.iter().any(|node| node.moves().is_some()),
            has_converters: builder.nodes.iter().any(Node::has_converters),
            restores: restores::of(&builder.nodes, to, &prefix).into(),
            nodes: builder.nodes,
            guides: builder.guides.finish(),
            tags: builder.tags,
            prefix,
            is_joined: false,
            versions: &[],
            homes: Arc::default(),
        }
    }
}
