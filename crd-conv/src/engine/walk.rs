//! The forward walk over one object: notes where the values stand that a route describes, and skips all else.

use std::ops::Range;

use super::route::{ANNOTATIONS, Member, Node, Object, REST, ROOT, Role, Route};
use super::tags::Tags;
use super::union::{UNKNOWN, Union};
use crate::complement::{AnnotationPath, Loss, Losses};
use crate::json::{Scanner, Str, SyntaxError, decode};
use crate::plan::{JsonType, Tagging};

/// Stands for "no member".
pub(super) const NONE: usize = usize::MAX;

/// What the walk found in one object. Reused from object to object.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The values that a node of the route describes, in the order in which they start.
    pub(crate) instances: Vec<Instance>,
    /// The members of objects that the route names, in the order of the text.
    pub(crate) named: Vec<Named>,
    /// The paths of the instances, without the items of lists and the keys of maps.
    pub(crate) places: Vec<Place>,
    /// For each object and each member of its node the place in `named`, or `NONE`.
    slots: Vec<usize>,
    stack: Vec<Open>,
    tags: Tags,
    /// What the object says twice of itself: its version or its kind.
    pub(crate) ambiguous: Option<&'static str>,
}

/// One value in the text.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) node: usize,
    pub(crate) place: usize,
    /// The value around it, and what it is to that.
    pub(crate) parent: usize,
    pub(crate) via: Via,
    /// Behind its opening bracket or quote.
    pub(crate) start: usize,
    /// At its closing one.
    pub(crate) end: usize,
    /// How many members it has.
    pub(crate) members: usize,
    /// Whether another value of a repeated key counts instead.
    pub(crate) dead: bool,
    /// How many arrays and objects are open inside it.
    pub(crate) depth: usize,
    /// Which of an enum's variants it is, or `UNKNOWN`.
    pub(crate) variant: usize,
    /// Whether it is what the enum's value before this one holds, in the same place.
    held: bool,
    slots: usize,
}

/// What a value is to the one around it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Via {
    /// The value of a field, or the object itself.
    Field,
    /// An item of a list.
    Item,
    /// The value of a map's key.
    Entry(Str),
}

/// A path, as steps from the object.
#[derive(Debug)]
pub(crate) struct Place {
    parent: usize,
    source: &'static str,
    target: &'static str,
    /// The last place found inside it, and the one before this inside the same: never more than its type has fields.
    inside: usize,
    beside: usize,
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

/// An array or object that the walk is in.
#[derive(Debug)]
struct Open {
    instance: usize,
    array: bool,
    first: bool,
    /// The place in `named` of the member that the walk is in, or `NONE`.
    current: usize,
}

impl Place {
    fn new(parent: usize, source: &'static str, target: &'static str) -> Self {
        Self { parent, source, target, inside: NONE, beside: NONE }
    }
}

impl Instance {
    /// With its brackets or quotes.
    pub(crate) fn span(&self) -> Range<usize> {
        Range { start: self.start - 1, end: self.end + 1 }
    }
}

impl Found {
    /// Bytes allocated, about.
    pub(crate) fn capacity(&self) -> usize {
        self.instances.capacity() * size_of::<Instance>()
            + self.named.capacity() * size_of::<Named>()
            + self.places.capacity() * size_of::<Place>()
            + self.slots.capacity() * size_of::<usize>()
            + self.stack.capacity() * size_of::<Open>()
            + self.tags.capacity()
    }

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

    /// The instance that is the value of a member.
    pub(crate) fn inside(&self, named: usize) -> Option<usize> {
        let Named { instance, value, .. } = &self.named[named];
        let inner = self.instances.partition_point(|inner| inner.start <= value.start);
        let is_value =
            |inner: &Instance| inner.parent == *instance && inner.span().start < value.end;
        self.instances.get(inner).is_some_and(is_value).then_some(inner)
    }

    /// The instances in a span of the text.
    pub(crate) fn within(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.instances.partition_point(|inner| inner.start < span.start);
        // A number of one digit starts behind it: at the end of the value.
        let last = self.instances.partition_point(|inner| inner.start <= span.end);
        first..last
    }

    /// The instance of a node that occurs once.
    pub(crate) fn instance(&self, node: usize) -> Option<usize> {
        self.instances.iter().position(|instance| instance.node == node && !instance.dead)
    }

    /// The path of a place in the source version or in the target version.
    pub(crate) fn path(&self, place: usize, target: bool) -> Vec<&'static str> {
        let mut path = Vec::new();
        let mut at = place;
        while at != ROOT_PLACE {
            let Place { parent, source, target: renamed, .. } = self.places[at];
            path.push(if target { renamed } else { source });
            at = parent;
        }
        path.reverse();
        path
    }

    /// The way to an instance in the source version, without the items on it.
    pub(crate) fn way(&self, instance: usize) -> String {
        self.path(self.instances[instance].place, false).join(".")
    }

    /// What the annotations of the fields at each place are called after.
    pub(crate) fn annotation_paths(
        &self,
        home: &str,
        target: bool,
        paths: &mut Vec<AnnotationPath>,
    ) {
        paths.push(AnnotationPath::new(home));
        for place in &self.places[ROOT_PLACE + 1..] {
            let name = if target { place.target } else { place.source };
            // A place is found after the one around it.
            paths.push(paths[place.parent].then(name));
        }
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
        self.tags.clear();
        self.ambiguous = None;
        self.places.clear();
        self.places.push(Place::new(ROOT_PLACE, "", ""));
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
            let Instance { node, place, .. } = self.instances[instance];
            let (child, place, via) = match &route.nodes[node] {
                Node::List { item, .. } => (Some(*item), place, Via::Item),
                Node::Map { value } => (Some(*value), place, Via::Entry(scanner.key()?)),
                Node::Object(object) => {
                    let key = scanner.key()?;
                    self.instances[instance].members += 1;
                    let member = find(object, key, scanner.text());
                    if member.is_some() || is_carrier(node, key, scanner.text(), &route.prefix) {
                        let again =
                            self.name_member(instance, member, (lead, key, scanner.pos), losses);
                        let known = member.map(|member| &object.members[member]);
                        if let Some(Member { name, role: Role::ApiVersion | Role::Kind, .. }) =
                            known.filter(|_| again)
                        {
                            self.ambiguous = Some(name);
                        }
                    }
                    match (member, object.rest) {
                        (None, Some(value)) => {
                            (Some(value), self.place(place, REST, REST), Via::Entry(key))
                        }
                        _ => self.child(object, member, place),
                    }
                }
                Node::Union(union) => {
                    let key = scanner.key()?;
                    let member = find(&union.names, key, scanner.text());
                    if member.is_some() {
                        self.name_member(instance, member, (lead, key, scanner.pos), losses);
                    }
                    self.only_member(instance, member);
                    self.child(&union.names, member, place)
                }
            };
            if !self.visit(scanner, route, child, place, via)? {
                self.after_value(scanner)?;
            }
        }
        Ok(())
    }

    /// Notes a member that the route names: where it starts, its key, and where its value starts. Gives whether there was
    /// one before.
    #[inline]
    fn name_member(
        &mut self,
        instance: usize,
        member: Option<usize>,
        (lead, key, at): (usize, Str, usize),
        losses: &mut Losses,
    ) -> bool {
        let (value, tail, fate) = (at..at, 0, Fate::Keep);
        self.named.push(Named { instance, member, lead, key, value, tail, fate });
        self.begin_member(instance, member, losses)
    }

    /// What describes the value of a member.
    #[inline]
    fn child(
        &mut self,
        object: &Object,
        member: Option<usize>,
        place: usize,
    ) -> (Option<usize>, usize, Via) {
        match member.map(|member| &object.members[member]) {
            Some(Member { role: Role::Child(child), name, target }) => {
                (Some(*child), self.place(place, name, target), Via::Field)
            }
            _ => (None, place, Via::Field),
        }
    }

    /// An object with one key, however often, is the variant of that name.
    fn only_member(&mut self, instance: usize, member: Option<usize>) {
        let instance = &mut self.instances[instance];
        let member = member.unwrap_or(UNKNOWN);
        instance.variant =
            if instance.members == 0 || instance.variant == member { member } else { UNKNOWN };
        instance.members += 1;
    }

    /// Enters the value at the scanner's position if a node describes it; else skips it and gives `false`.
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

    /// The value of an enum, and with it what its variant holds in the same place.
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
        let instance = self.instances.len() - 1;
        self.instances[instance].variant = variant.unwrap_or(UNKNOWN);
        let mut entered = false;
        if scanner.pos == start {
            if let Some((inside, [own, target])) = variant.and_then(|variant| union.inside(variant))
            {
                let place = self.place(place, own, target);
                entered = self.visit(scanner, route, Some(inside), place, Via::Field)?;
                if let Some(inner) = self.instances.get_mut(instance + 1) {
                    inner.parent = instance;
                    inner.held = true;
                }
            } else {
                scanner.skip_value()?;
            }
        }
        if !entered {
            self.instances[instance].end = scanner.pos - 1;
        }
        Ok(entered)
    }

    fn enter(&mut self, start: usize, route: &Route, node: usize, place: usize, via: Via) {
        let instance = self.instances.len();
        let parent = self.stack.last().map_or(ROOT, |open| open.instance);
        let slots = self.slots.len();
        if let Node::Object(object) | Node::Union(Union { names: object, .. }) = &route.nodes[node]
        {
            self.slots.resize(slots + object.members.len(), NONE);
        }
        let (members, dead) = (0, false);
        self.instances.push(Instance {
            node,
            place,
            parent,
            via,
            start,
            end: 0,
            members,
            dead,
            depth: self.stack.len() + 1,
            variant: UNKNOWN,
            held: false,
            slots,
        });
        let array = matches!(route.nodes[node], Node::List { .. });
        self.stack.push(Open { instance, array, first: true, current: NONE });
    }

    fn place(&mut self, parent: usize, source: &'static str, target: &'static str) -> usize {
        let mut at = self.places[parent].inside;
        while let Some(place) = self.places.get(at) {
            if (place.source, place.target) == (source, target) {
                return at;
            }
            at = place.beside;
        }
        let known = self.places.len();
        let beside = std::mem::replace(&mut self.places[parent].inside, known);
        self.places.push(Place { beside, ..Place::new(parent, source, target) });
        known
    }

    /// The last of equal keys counts, as for the API server. Gives whether there was one before.
    #[inline]
    fn begin_member(
        &mut self,
        instance: usize,
        member: Option<usize>,
        losses: &mut Losses,
    ) -> bool {
        let named = self.named.len() - 1;
        if let Some(open) = self.stack.last_mut() {
            open.current = named;
        }
        let Some(member) = member else { return false };
        let slot = self.instances[instance].slots + member;
        let before = std::mem::replace(&mut self.slots[slot], named);
        if before != NONE {
            losses.add(Loss::DuplicateKey);
            self.named[before].fate = Fate::Delete;
            self.bury(before);
        }
        before != NONE
    }

    /// Nothing happens any more in a member's value.
    pub(super) fn bury(&mut self, named: usize) {
        let value = self.named[named].value.clone();
        let within = self.within(&value);
        for inner in &mut self.instances[within] {
            inner.dead = true;
        }
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
            match (byte, open.array) {
                (b',', _) => {
                    scanner.pos += 1;
                    return Ok(());
                }
                (b'}', false) | (b']', true) => self.close(scanner),
                (_, false) => return scanner.error("expected `,` or `}`"),
                (_, true) => return scanner.error("expected `,` or `]`"),
            }
        }
        Ok(())
    }

    fn close(&mut self, scanner: &mut Scanner<'_>) {
        if let Some(open) = self.stack.pop() {
            let mut instance = open.instance;
            self.instances[instance].end = scanner.pos;
            while self.instances[instance].held {
                instance -= 1;
                self.instances[instance].end = scanner.pos;
            }
        }
        scanner.leave();
    }

    /// Leaves what is inside a value as it is.
    pub(super) fn kill_inside(&mut self, instance: usize) {
        let (outer, inside) = self.instances[instance..].split_at_mut(1);
        let Some(outer) = outer.first_mut() else { return };
        outer.dead = true;
        for inner in inside.iter_mut().take_while(|inner| inner.start <= outer.end) {
            inner.dead = true;
        }
    }
}

/// The place of the object itself.
const ROOT_PLACE: usize = 0;

#[inline]
fn find(object: &Object, key: Str, text: &str) -> Option<usize> {
    if !key.escaped {
        return object.find(key.raw(text));
    }
    match decode(key.raw(text)) {
        (name, false) => object.find(&name),
        // Half a surrogate pair is in no name.
        (_, true) => None,
    }
}

#[inline]
fn is_carrier(node: usize, key: Str, text: &str, prefix: &str) -> bool {
    node == ANNOTATIONS && key.decoded(text).starts_with(prefix)
}
