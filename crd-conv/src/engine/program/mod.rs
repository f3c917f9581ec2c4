//! A hop in one direction, compiled from the plans of the derive into what the scan and the rules want.

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
pub(crate) use moves::{Added, End, Holder, Move, Moves};
pub(crate) use names::{Member, Names, Role};
pub(crate) use node::{ANNOTATIONS, Convert, LABELS, METADATA, Node, Object, ROOT, Step};
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
    /// What the annotations of the carrier start with.
    pub(crate) prefix: String,
    /// The values in which something happens, each described once, also where types hold themselves.
    pub(crate) nodes: Vec<Node>,
    /// Whether it stands for several hops, and ends where an object needs each of them.
    pub(crate) is_joined: bool,
    /// Whether values move in any of them.
    pub(crate) has_moves: bool,
    /// Whether a converter of the author's may be called.
    pub(crate) has_converters: bool,
    /// What the source and the target know of these values.
    pub(crate) guides: [Guide; 2],
    /// The fields in which the source's enums say which variant they are.
    pub(crate) tags: Vec<&'static str>,
    /// The annotations that this hop reads: where nothing is found that they belong to, it is gone.
    pub(crate) restores: Arc<Restores>,
    /// All versions of the resource, oldest first; none if there is no more than this hop.
    pub(crate) versions: &'static [VersionDefinition],
    /// The annotations for each of them that the hops to it read.
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
    /// Resolves one direction of a hop; without a plan the versions are the same.
    pub(crate) fn new(ends: Ends, plan: Option<Branch>, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        if let Some(plan) = plan {
            builder.root(plan);
        }
        Self::resolve(ends, direction, builder)
    }

    /// Resolves one direction of a hop of a value, which stands in the object's field `value`.
    pub(crate) fn of_value(ends: Ends, plan: Branch, direction: Direction) -> Self {
        let mut builder = Builder::new(direction);
        builder.value("value", plan);
        Self::resolve(ends, direction, builder)
    }

    /// Learns of all versions of the resource.
    pub(crate) fn link(&mut self, versions: &'static [VersionDefinition], homes: &Arc<[Home]>) {
        self.versions = versions;
        self.homes = Arc::clone(homes);
    }

    /// The place of a version among all of them.
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
