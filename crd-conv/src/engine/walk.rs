//! The forward walk over one object: notes where the members stand that a route names, and skips all else.

use std::ops::Range;

use super::route::{ANNOTATIONS, Node, ROOT, Role, Route};
use crate::complement::{Loss, Losses};
use crate::json::{Scanner, Str, SyntaxError, decode};

/// Stands for "no member".
const NONE: usize = usize::MAX;

/// What the walk found in one object. Reused from object to object.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The objects that a node of the route describes, in the order in which they start.
    pub(crate) instances: Vec<Instance>,
    /// Their members that the route names, in the order of the text.
    pub(crate) named: Vec<Named>,
    /// For each instance and each member of its node the place in `named`, or `NONE`.
    slots: Vec<usize>,
    stack: Vec<Open>,
    /// What the object says twice of itself: its version or its kind.
    pub(crate) ambiguous: Option<&'static str>,
}

/// One object in the text.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) node: usize,
    /// Behind its `{`.
    pub(crate) start: usize,
    /// At its `}`.
    pub(crate) end: usize,
    /// How many members it has.
    pub(crate) members: usize,
    /// Whether the value of a repeated key was this object: then it doesn't count.
    pub(crate) dead: bool,
    slots: usize,
}

/// One member in the text.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) instance: usize,
    /// The place in the node's members; `None` for an annotation of the carrier.
    pub(crate) member: Option<usize>,
    /// Behind the comma or the brace before it.
    pub(crate) lead: usize,
    pub(crate) key: Str,
    pub(crate) value: Range<usize>,
    /// At the comma or the brace after it.
    pub(crate) tail: usize,
    /// What becomes of it.
    pub(crate) fate: Fate,
}

/// What becomes of a member. Texts are spans of the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Keep,
    Delete,
    /// Other members in its place.
    Replace(Range<usize>),
    /// Another key.
    Rename(Range<usize>),
    /// Another value.
    Set(Range<usize>),
}

/// An object that the walk is in.
#[derive(Debug)]
struct Open {
    instance: usize,
    first: bool,
    /// The place in `named` of the member that the walk is in, or `NONE`.
    current: usize,
}

impl Found {
    /// The member of an instance.
    #[inline]
    pub(crate) fn member(&self, instance: usize, member: usize) -> Option<usize> {
        match self.slots[self.instances[instance].slots + member] {
            NONE => None,
            named => Some(named),
        }
    }

    /// The text of a member's value.
    pub(crate) fn value<'a>(&self, text: &'a str, named: usize) -> &'a str {
        &text[self.named[named].value.clone()]
    }

    /// The instance of a node.
    pub(crate) fn instance(&self, node: usize) -> Option<usize> {
        self.instances.iter().position(|instance| instance.node == node && !instance.dead)
    }

    /// Walks through the object that starts at the scanner's position.
    pub(crate) fn walk(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        losses: &mut Losses,
    ) -> Result<(), SyntaxError> {
        self.instances.clear();
        self.named.clear();
        self.slots.clear();
        self.stack.clear();
        self.ambiguous = None;
        scanner.enter_object()?;
        self.enter(scanner.pos, ROOT, &route.nodes[ROOT]);
        while let Some(open) = self.stack.last_mut() {
            let lead = scanner.pos;
            let instance = open.instance;
            if std::mem::take(&mut open.first) && scanner.peek() == b'}' {
                self.close(scanner);
                self.after_value(scanner)?;
                continue;
            }
            let key = scanner.key()?;
            self.instances[instance].members += 1;
            let node_index = self.instances[instance].node;
            let node = &route.nodes[node_index];
            let member = find(node, key, scanner.text());
            if member.is_some() || is_carrier(node_index, key, scanner.text(), &route.prefix) {
                let value = scanner.pos..scanner.pos;
                let named = self.named.len();
                self.named.push(Named {
                    instance,
                    member,
                    lead,
                    key,
                    value,
                    tail: 0,
                    fate: Fate::Keep,
                });
                if let Some(open) = self.stack.last_mut() {
                    open.current = named;
                }
                if let Some(member) = member {
                    let again = self.take_slot(instance, member, named, losses);
                    if again && matches!(node.members[member].role, Role::ApiVersion | Role::Kind) {
                        self.ambiguous = Some(node.members[member].name);
                    }
                    if let Role::Child(child) = node.members[member].role
                        && scanner.peek() == b'{'
                    {
                        scanner.enter_object()?;
                        self.enter(scanner.pos, child, &route.nodes[child]);
                        continue;
                    }
                }
            }
            scanner.skip_value()?;
            self.after_value(scanner)?;
        }
        Ok(())
    }

    fn enter(&mut self, start: usize, node: usize, described: &Node) {
        let instance = self.instances.len();
        let slots = self.slots.len();
        self.slots.resize(slots + described.members.len(), NONE);
        self.instances.push(Instance { node, start, end: 0, members: 0, dead: false, slots });
        self.stack.push(Open { instance, first: true, current: NONE });
    }

    /// The last of equal keys counts, as for the API server. Returns whether there was one before.
    fn take_slot(
        &mut self,
        instance: usize,
        member: usize,
        named: usize,
        losses: &mut Losses,
    ) -> bool {
        let slot = self.instances[instance].slots + member;
        let before = std::mem::replace(&mut self.slots[slot], named);
        if before != NONE {
            losses.add(Loss::DuplicateKey);
            self.named[before].fate = Fate::Delete;
            let value = self.named[before].value.clone();
            let place = |at: usize| self.instances.partition_point(|inner| inner.start < at);
            let within = place(value.start)..place(value.end);
            for inner in &mut self.instances[within] {
                inner.dead = true;
            }
        }
        before != NONE
    }

    /// Ends the values that end here, up to the next comma or the end of the object.
    fn after_value(&mut self, scanner: &mut Scanner<'_>) -> Result<(), SyntaxError> {
        while let Some(open) = self.stack.last_mut() {
            let end = scanner.pos;
            let byte = scanner.peek();
            if let Some(named) = self.named.get_mut(open.current) {
                named.value.end = end;
                named.tail = scanner.pos;
            }
            open.current = NONE;
            match byte {
                b',' => {
                    scanner.pos += 1;
                    return Ok(());
                }
                b'}' => self.close(scanner),
                _ => return scanner.error("expected `,` or `}`"),
            }
        }
        Ok(())
    }

    fn close(&mut self, scanner: &mut Scanner<'_>) {
        if let Some(open) = self.stack.pop() {
            self.instances[open.instance].end = scanner.pos;
        }
        scanner.leave();
    }
}

#[inline]
fn find(node: &Node, key: Str, text: &str) -> Option<usize> {
    if !key.escaped {
        return node.find(key.raw(text));
    }
    match decode(key.raw(text)) {
        (name, false) => node.find(&name),
        // Half a surrogate pair is in no name.
        (_, true) => None,
    }
}

#[inline]
fn is_carrier(node: usize, key: Str, text: &str, prefix: &str) -> bool {
    node == ANNOTATIONS && key.decoded(text).starts_with(prefix)
}
