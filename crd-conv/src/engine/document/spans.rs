//! Where the values that a route describes stand in an object's text.

use std::ops::Range;

use crate::json::Str;

/// Stands for "no member", and for the variant of a value of which nothing is known.
pub(crate) const NONE: usize = usize::MAX;

/// The place of the object itself.
pub(crate) const ROOT_PLACE: usize = 0;

/// Where the values of one object stand in its text. Reused from object to object.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The values that a node of the route describes, in the order in which they start.
    pub(crate) instances: Vec<Instance>,
    /// The members of objects that the route names, in the order of the text.
    pub(crate) named: Vec<Named>,
    /// The paths of the instances, without the items of lists and the keys of maps. Those of earlier objects stay, since most objects
    /// have the same.
    pub(crate) places: Vec<Place>,
    /// How often all places were forgotten.
    pub(crate) generation: u64,
    /// For each object and each member of its node the place in `named`, or `NONE`.
    pub(super) slots: Vec<usize>,
    /// What the object says twice of itself: its version or its kind.
    pub(crate) ambiguous: Option<&'static str>,
    /// Whether the walk ended early, since the object needs each hop of a joined route by itself.
    pub(crate) needs_hops: bool,
}

/// One value in the text.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) node: usize,
    pub(crate) place: usize,
    /// The value around it, and what it is to that.
    pub(crate) parent: usize,
    pub(crate) via: Via,
    /// Whether it is in an item of a list or the value of a map's key, or one of these itself.
    pub(crate) in_collection: bool,
    /// Behind its opening bracket or quote.
    pub(crate) start: usize,
    /// At its closing one.
    pub(crate) end: usize,
    /// How many members it has.
    pub(crate) members: usize,
    /// Whether another value of a repeated key counts instead of it, or of one around it.
    pub(crate) repeated: bool,
    /// How many arrays and objects are open inside it.
    pub(crate) depth: usize,
    /// Which of an enum's variants it is, or `NONE`.
    pub(crate) variant: usize,
    /// Whether it is what the enum's value before this one holds, in the same place.
    pub(super) held: bool,
    pub(super) slots: usize,
    /// The first and the last of its members that the route names, or `NONE`.
    pub(super) named: [usize; 2],
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
    pub(crate) parent: usize,
    pub(crate) source: &'static str,
    pub(crate) target: &'static str,
    /// The last place found inside it, and the one before this inside the same: never more than the types that stand here have fields.
    pub(super) inside: usize,
    pub(super) beside: usize,
}

/// One member in the text.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) instance: usize,
    /// The place in the node's members; `None` for an annotation or a label of the carrier.
    pub(crate) member: Option<usize>,
    /// Behind the comma or the brace before it.
    pub(crate) lead: usize,
    pub(crate) key: Str,
    pub(crate) value: Range<usize>,
    /// At the comma or the brace after it.
    pub(crate) tail: usize,
    /// Whether the same key comes again behind it.
    pub(crate) repeated: bool,
    /// The next member of the same instance, or `NONE`.
    pub(super) next: usize,
}

impl Place {
    pub(super) fn new(parent: usize, source: &'static str, target: &'static str) -> Self {
        Self { parent, source, target, inside: NONE, beside: NONE }
    }
}

impl Instance {
    /// With its brackets or quotes.
    pub(crate) fn span(&self) -> Range<usize> {
        Range { start: self.start - 1, end: self.end + 1 }
    }
}

impl Document {
    /// Bytes allocated, about.
    pub(crate) fn capacity(&self) -> usize {
        self.instances.capacity() * size_of::<Instance>()
            + self.named.capacity() * size_of::<Named>()
            + self.places.capacity() * size_of::<Place>()
            + self.slots.capacity() * size_of::<usize>()
    }

    /// The member of an instance.
    #[inline]
    pub(crate) fn member(&self, instance: usize, member: usize) -> Option<usize> {
        match self.slots[self.instances[instance].slots + member] {
            NONE => None,
            named => Some(named),
        }
    }

    /// The members of an instance that the route names, in the order of the text.
    pub(crate) fn named_in(&self, instance: usize) -> impl Iterator<Item = usize> {
        let mut at = self.instances[instance].named[0];
        std::iter::from_fn(move || {
            let named = self.named.get(at)?;
            Some(std::mem::replace(&mut at, named.next))
        })
    }

    /// What the carrier has among the annotations, or among the labels.
    pub(crate) fn carried(&self, node: usize) -> impl Iterator<Item = usize> {
        self.named.iter().enumerate().filter_map(move |(at, named)| {
            let instance = &self.instances[named.instance];
            (named.member.is_none() && instance.node == node && !instance.repeated).then_some(at)
        })
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
        self.instances.iter().position(|instance| instance.node == node && !instance.repeated)
    }

    /// What a place is called in the source version or in the target version.
    pub(crate) fn name(&self, place: usize, target: bool) -> &'static str {
        let Place { source, target: renamed, .. } = self.places[place];
        if target { renamed } else { source }
    }

    /// The path of a place in the source version or in the target version.
    pub(crate) fn path(&self, place: usize, target: bool) -> Vec<&'static str> {
        let mut path = Vec::new();
        let mut at = place;
        while at != ROOT_PLACE {
            path.push(self.name(at, target));
            at = self.places[at].parent;
        }
        path.reverse();
        path
    }
}
