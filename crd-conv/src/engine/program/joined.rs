//! Joins successive hops into one if they only keep, rename, add and remove optional fields.
//!
//! In most objects, such hops have nothing to keep or restore. If the scan finds an annotation of
//! the carrier, a field that one of the versions lacks, or a key twice, it stops, and each hop runs
//! by itself. So a joined route decides nothing.

use std::ops::Range;
use std::sync::Arc;

use super::Route;
use super::names::Role;
use super::node::{ListKeys, Node, Object, Step};
use crate::complement::Guide;

/// Successive hops, and one route for all of them.
#[derive(Debug)]
pub(crate) struct Joined {
    /// The indexes of the hops among those of the conversion.
    pub(crate) hops: Range<usize>,
    pub(crate) route: Route,
}

impl Joined {
    /// Returns the longest runs of hops that can be joined.
    pub(crate) fn of(hops: &[Route]) -> Vec<Self> {
        let mut all = Vec::new();
        let mut start = 0;
        for run in hops.chunk_by(|one, next| only_renames(one) && only_renames(next)) {
            let end = start + run.len();
            if run.len() > 1 {
                all.extend(join(run).map(|route| Self { hops: start..end, route }));
            }
            start = end;
        }
        all
    }
}

/// Whether a hop only renames fields, for objects without entries and without fields that only one
/// version has.
fn only_renames(hop: &Route) -> bool {
    hop.nodes.iter().all(|node| match node {
        Node::Object(object) => object.rest.is_none() && object.steps.iter().all(is_simple),
        Node::List { .. } | Node::Map { .. } => true,
        Node::Union(_) => false,
    })
}

fn is_simple(step: &Step) -> bool {
    match step {
        Step::Rename { .. }
        | Step::Add { fill: None, .. }
        | Step::Remove { fill: None, .. }
        | Step::SetAside { .. }
        | Step::PutBack { .. } => true,
        Step::Add { .. }
        | Step::Remove { .. }
        | Step::Retag { .. }
        | Step::Unset { .. }
        | Step::Move(_)
        | Step::Convert(_) => false,
    }
}

fn join(hops: &[Route]) -> Option<Route> {
    let (first, last) = (hops.first()?, hops.last()?);
    let mut joiner = Joiner { hops, nodes: Vec::new(), known: Vec::new() };
    // The first nodes of each hop are the object itself, its metadata, annotations and labels. The
    // joiner meets them in this order.
    let outside = vec![Some(super::ROOT); hops.len()];
    joiner.node(outside)?;
    Some(Route {
        from: first.from,
        to: last.to,
        api_version: last.api_version.clone(),
        prefix: last.prefix.clone(),
        nodes: joiner.nodes,
        is_joined: true,
        has_moves: false,
        has_converters: false,
        // The rest is for entries, and there are none.
        guides: [Guide::default(), Guide::default()],
        tags: Vec::new(),
        restores: Arc::default(),
        versions: &[],
        homes: Arc::default(),
    })
}

/// For each hop, its node for a value, if the hop looks into the value.
type Parts = Vec<Option<usize>>;

struct Joiner<'a> {
    hops: &'a [Route],
    nodes: Vec<Node>,
    /// The nodes that are joined or being joined, since types may contain themselves.
    known: Vec<(Parts, usize)>,
}

impl Joiner<'_> {
    /// Returns one node for what all hops do in a value. Returns `None` if they disagree on its
    /// kind.
    fn node(&mut self, parts: Parts) -> Option<usize> {
        if let Some((_, node)) = self.known.iter().find(|(known, _)| *known == parts) {
            return Some(*node);
        }
        let node = self.nodes.len();
        // Reserves the index, since the node may contain itself.
        self.nodes.push(Node::Object(Object::default()));
        self.known.push((parts.clone(), node));
        let of_hops: Vec<_> =
            self.hops.iter().zip(parts).map(|(hop, part)| Some(&hop.nodes[part?])).collect();
        let inside = |pick: fn(&Node) -> Option<usize>| -> Option<Parts> {
            of_hops
                .iter()
                .map(|node| node.map_or(Some(None), |node| pick(node).map(Some)))
                .collect()
        };
        self.nodes[node] = match of_hops.iter().flatten().next()? {
            Node::Object(_) => Node::Object(self.object(&of_hops)?),
            Node::List { .. } => {
                let items = inside(|node| match node {
                    Node::List { item, .. } => Some(*item),
                    _ => None,
                });
                // The keys are only for entries.
                let keys = ListKeys { source: &[], target: &[] };
                Node::List { item: self.node(items?)?, keys }
            }
            Node::Map { .. } => {
                let values = inside(|node| match node {
                    Node::Map { value } => Some(*value),
                    _ => None,
                });
                Node::Map { value: self.node(values?)? }
            }
            Node::Union(_) => return None,
        };
        Some(node)
    }

    fn object(&mut self, of_hops: &[Option<&Node>]) -> Option<Object> {
        let mut objects = Vec::new();
        for node in of_hops {
            objects.push(match node {
                Some(Node::Object(object)) => Some(object),
                Some(_) => return None,
                None => None,
            });
        }
        let mut joined = Object::default();
        for member in objects.iter().flatten().flat_map(|object| &object.names.members) {
            let name = member.name;
            if joined.names.find(name).is_some() {
                continue;
            }
            match member.role {
                Role::ApiVersion | Role::Kind => {
                    joined.names.add(name, name, member.role);
                    continue;
                }
                Role::Child(_) | Role::Input | Role::Alone => {}
            }
            let Some((target, parts)) = through(&objects, name) else {
                joined.names.add(name, name, Role::Alone);
                continue;
            };
            let child = parts.iter().any(Option::is_some).then(|| self.node(parts));
            let role = match child {
                Some(child) => Role::Child(child?),
                // This includes a field that gets its first name back: if its key is there several
                // times, each hop drops all but the last one.
                None => Role::Input,
            };
            let member = joined.names.add(name, target, role);
            if target != name {
                joined.steps.push(Step::Rename { member, to: target });
            }
        }
        Some(joined)
    }
}

/// Follows a member of the first hop's source through all hops. Returns its name at the end, and
/// the node of its value in each hop. Returns `None` if one of the hops removes the member.
fn through(objects: &[Option<&Object>], name: &'static str) -> Option<(&'static str, Parts)> {
    let mut name = name;
    let mut parts = Vec::new();
    for object in objects {
        let mut part = None;
        if let Some(object) = object
            && let Some(at) = object.names.find(name)
        {
            let takes_away = |step: &Step| match step {
                Step::Remove { member, .. } | Step::SetAside { member, .. } => *member == at,
                _ => false,
            };
            if object.steps.iter().any(takes_away) {
                return None;
            }
            let member = &object.names.members[at];
            name = member.target;
            if let Role::Child(child) = member.role {
                part = Some(child);
            }
        }
        parts.push(part);
    }
    Some((name, parts))
}
