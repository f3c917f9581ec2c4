//! The walk over one object, from its start to its end. It records where the values are that a
//! route describes, and skips everything else.

mod record;

use super::spans::{Document, Instance, NONE, Place, ROOT_PLACE, Via};
use super::tags::Tags;
use crate::complement::Unrestored;
use crate::engine::incomplete;
use crate::engine::program::{
    ANNOTATIONS, LABELS, Member, Names, Node, Object, REST, ROOT, Role, Route, Union,
};
use crate::json::{Scanner, Str, SyntaxError, decode};
use crate::plan::{JsonType, Tagging};

/// Reads one object after another, and reuses its allocations.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// What was found in the last object.
    pub(crate) document: Document,
    stack: Vec<Open>,
    tags: Tags,
    /// Whether there is an instance that doesn't count, because its key comes again.
    has_repeated: bool,
}

/// An array or object that the walk is in.
#[derive(Debug)]
struct Open {
    instance: usize,
    array: bool,
    first: bool,
    /// The index in `named` of the member that the walk is in, or `NONE`.
    current: usize,
}

/// How many places stay known. Types that contain themselves have new ones again and again.
const MAX_PLACES: usize = 1 << 12;

impl Walk {
    /// About how many bytes are allocated.
    pub(crate) fn capacity(&self) -> usize {
        self.document.capacity() + self.stack.capacity() * size_of::<Open>() + self.tags.capacity()
    }

    /// Walks through the object that starts at the scanner's position.
    pub(crate) fn read(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        unrestored: &mut Unrestored,
    ) -> Result<(), SyntaxError> {
        self.document.instances.clear();
        self.document.named.clear();
        self.document.slots.clear();
        self.stack.clear();
        self.tags.clear();
        self.document.ambiguous = None;
        self.document.needs_hops = false;
        self.has_repeated = false;
        if !(1..=MAX_PLACES).contains(&self.document.places.len()) {
            self.document.places.clear();
            self.document.places.push(Place::new(ROOT_PLACE, "", ""));
            self.document.generation += 1;
        }
        scanner.enter_object()?;
        self.enter(scanner.pos, route, ROOT, ROOT_PLACE, Via::Field);
        while let Some(open) = self.stack.last_mut() {
            let lead = scanner.pos;
            let instance = open.instance;
            let closing = if open.array { b']' } else { b'}' };
            if std::mem::take(&mut open.first) && scanner.peek() == closing {
                self.close(scanner);
                self.after_value(scanner)?;
                continue;
            }
            let Instance { node, place, .. } = self.document.instances[instance];
            let (child, place, via) = match &route.nodes[node] {
                Node::List { item, .. } => (Some(*item), place, Via::Item),
                Node::Map { value } => (Some(*value), place, Via::Entry(scanner.key()?)),
                Node::Object(object) => {
                    let at = (instance, node, place);
                    let mut lead = lead;
                    while !self.object_member(scanner, route, object, at, lead, unrestored)?
                        && self.after_value(scanner)?
                    {
                        lead = scanner.pos;
                    }
                    continue;
                }
                Node::Union(union) => {
                    let key = scanner.key()?;
                    let member = find(&union.names, key, scanner.text());
                    if member.is_some() {
                        self.name_member(instance, member, (lead, key, scanner.pos), unrestored);
                    }
                    self.only_member(instance, member);
                    self.child(&union.names, member, place)
                }
            };
            if !self.visit(scanner, route, child, place, via)? {
                self.after_value(scanner)?;
            }
        }
        if self.has_repeated {
            self.repeat_inside();
        }
        Ok(())
    }

    /// Walks through a member of an object. `lead` is the position after the comma or brace before
    /// it. Returns whether the walk is inside the member's value now.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is what the walk does nearly all the time")]
    fn object_member(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        object: &Object,
        (instance, node, place): (usize, usize, usize),
        lead: usize,
        unrestored: &mut Unrestored,
    ) -> Result<bool, SyntaxError> {
        let key = scanner.key()?;
        self.document.instances[instance].members += 1;
        let member = find(&object.names, key, scanner.text());
        if member.is_some() || is_carrier(node, key, scanner.text(), &route.prefix) {
            let again = self.name_member(instance, member, (lead, key, scanner.pos), unrestored);
            let known = member.map(|member| &object.names.members[member]);
            if route.is_joined && (again || known.is_none_or(|known| known.role == Role::Alone)) {
                self.document.needs_hops = true;
                self.stack.clear();
                return Ok(true);
            }
            if let Some(Member { name, role: Role::ApiVersion | Role::Kind, .. }) =
                known.filter(|_| again)
            {
                self.document.ambiguous = Some(name);
            }
        }
        let (child, place, via) = match (member, object.rest) {
            (None, Some(value)) => (Some(value), self.place(place, REST, REST), Via::Entry(key)),
            _ => self.child(&object.names, member, place),
        };
        self.visit(scanner, route, child, place, via)
    }

    /// Returns the node that describes the value of a member, the value's place, and how it is in
    /// the object.
    #[inline]
    fn child(
        &mut self,
        names: &Names,
        member: Option<usize>,
        place: usize,
    ) -> (Option<usize>, usize, Via) {
        match member.map(|member| &names.members[member]) {
            Some(Member { role: Role::Child(child), name, target }) => {
                (Some(*child), self.place(place, name, target), Via::Field)
            }
            _ => (None, place, Via::Field),
        }
    }

    /// Enters the value at the scanner's position if a node describes it. Otherwise, skips it and
    /// returns `false`.
    #[inline]
    fn visit(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        child: Option<usize>,
        place: usize,
        via: Via,
    ) -> Result<bool, SyntaxError> {
        let Some(child) = child else { return scanner.skip_value().map(|()| false) };
        match (&route.nodes[child], scanner.peek()) {
            (Node::Object(_) | Node::Map { .. }, b'{') => scanner.enter_object()?,
            (Node::List { .. }, b'[') => scanner.enter_array()?,
            (Node::Union(union), byte) => {
                return self.visit_union(scanner, route, (child, union), byte, place, via);
            }
            _ => return scanner.skip_value().map(|()| false),
        }
        self.enter(scanner.pos, route, child, place, via);
        Ok(true)
    }

    /// Visits the value of an enum, and what its variant holds in the same place.
    #[inline(never)]
    fn visit_union(
        &mut self,
        scanner: &mut Scanner<'_>,
        route: &Route,
        (node, union): (usize, &Union),
        byte: u8,
        place: usize,
        via: Via,
    ) -> Result<bool, SyntaxError> {
        let start = scanner.pos;
        let variant = match (union.tagging, byte) {
            (Tagging::External, b'"') => {
                let string = scanner.string()?;
                union.named(string, scanner.text())
            }
            (Tagging::External, b'{') => {
                scanner.enter_object()?;
                self.enter(scanner.pos, route, node, place, via);
                return Ok(true);
            }
            (Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, b'{') => {
                let name = self.tags.name(scanner, &route.tags, tag)?;
                name.and_then(|name| union.named(name, scanner.text()))
            }
            (Tagging::Untagged, b'{') => union.of_kind(JsonType::OBJECT),
            (Tagging::Untagged, b'[') => union.of_kind(JsonType::ARRAY),
            (Tagging::Untagged, _) => {
                scanner.skip_value()?;
                union.of_kind(JsonType::of(&scanner.text()[start..scanner.pos]))
            }
            _ => return scanner.skip_value().map(|()| false),
        };
        self.enter(start + 1, route, node, place, via);
        self.stack.pop();
        let instance = self.document.instances.len() - 1;
        self.document.instances[instance].variant = variant.unwrap_or(NONE);
        let mut entered = false;
        if scanner.pos == start {
            if let Some((inside, [own, target])) = variant.and_then(|variant| union.inside(variant))
            {
                let place = self.place(place, own, target);
                entered = self.visit(scanner, route, Some(inside), place, Via::Field)?;
                let in_collection = self.document.instances[instance].in_collection;
                // What the variant holds. If that is an enum again, this includes what its variant
                // holds.
                for inner in &mut self.document.instances[instance + 1..] {
                    inner.in_collection = in_collection;
                }
                if let Some(inner) = self.document.instances.get_mut(instance + 1) {
                    inner.parent = instance;
                    inner.held = true;
                }
            } else {
                scanner.skip_value()?;
            }
        }
        if !entered {
            self.document.instances[instance].end = scanner.pos - 1;
        }
        Ok(entered)
    }

    /// Ends the values that end here, up to the next comma or the end of the object. Returns
    /// whether another member or item of the same value follows.
    #[inline]
    fn after_value(&mut self, scanner: &mut Scanner<'_>) -> Result<bool, SyntaxError> {
        let mut same = true;
        while let Some(open) = self.stack.last_mut() {
            let end = scanner.pos;
            let byte = scanner.peek();
            if let Some(named) = self.document.named.get_mut(open.current) {
                named.value.end = end;
                named.tail = scanner.pos;
            }
            open.current = NONE;
            match (byte, open.array) {
                (b',', _) => {
                    scanner.pos += 1;
                    return Ok(same);
                }
                (b'}', false) | (b']', true) => self.close(scanner),
                (_, false) => return scanner.error("expected `,` or `}`"),
                (_, true) => return scanner.error("expected `,` or `]`"),
            }
            same = false;
        }
        Ok(false)
    }

    fn close(&mut self, scanner: &mut Scanner<'_>) {
        if let Some(open) = self.stack.pop() {
            let mut instance = open.instance;
            self.document.instances[instance].end = scanner.pos;
            while self.document.instances[instance].held {
                instance -= 1;
                self.document.instances[instance].end = scanner.pos;
            }
        }
        scanner.leave();
    }
}

#[inline]
fn find(names: &Names, key: Str, text: &str) -> Option<usize> {
    if !key.escaped {
        return names.find(key.raw(text));
    }
    match decode(key.raw(text)) {
        (name, false) => names.find(&name),
        // No name contains half a surrogate pair.
        (_, true) => None,
    }
}

#[inline]
fn is_carrier(node: usize, key: Str, text: &str, prefix: &str) -> bool {
    match node {
        ANNOTATIONS => key.decoded(text).starts_with(prefix),
        LABELS => incomplete::is_label(&key.decoded(text), prefix),
        _ => false,
    }
}
