//! The positions of the values that a route describes in an object's text.

use std::ops::Range;

use crate::json::Str;

/// No member, or an unknown variant of an enum.
pub(crate) const NONE: usize = usize::MAX;

/// The place of the object itself.
pub(crate) const ROOT_PLACE: usize = 0;

/// The positions of the values of one object in its text. Reused from object to object.
#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The values that a node of the route describes, in the order in which they start.
    pub(crate) instances: Vec<Instance>,
    /// The members of objects that the route names, in the order of the text.
    pub(crate) named: Vec<Named>,
    /// The paths of the instances, without the items of lists and the keys of maps. Those of
    /// earlier objects stay, since most objects have the same.
    pub(crate) places: Vec<Place>,
    /// How often all places were forgotten.
    pub(crate) generation: u64,
    /// For each object and each member of its node, the index in `named`, or `NONE`.
    pub(super) slots: Vec<usize>,
    /// The field that the object has twice: its version or its kind.
    pub(crate) ambiguous: Option<&'static str>,
    /// Whether the walk ended early, because each hop of a joined route has to run by itself.
    pub(crate) needs_hops: bool,
}

/// One value in the text.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) node: usize,
    pub(crate) place: usize,
    /// The value around it, and what this one is to it.
    pub(crate) parent: usize,
    pub(crate) via: Via,
    /// Whether it is in an item of a list or in the value of a map's key, or is such an item or
    /// value.
    pub(crate) in_collection: bool,
    /// The position after its opening bracket or quote.
    pub(crate) start: usize,
    /// The position of its closing bracket or quote.
    pub(crate) end: usize,
    /// How many members it has.
    pub(crate) members: usize,
    /// Whether it doesn't count, because its key comes again, or the key of a value around it.
    pub(crate) repeated: bool,
    /// How many arrays and objects are open inside it, with itself.
    pub(crate) depth: usize,
    /// The variant of an enum's value, or `NONE`.
    pub(crate) variant: usize,
    /// Whether it is the content of the enum's value before it, in the same place.
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
    /// The last place that was found inside it, and the place that was found before this one inside
    /// the same parent. There are never more than the types here have fields.
    pub(super) inside: usize,
    pub(super) beside: usize,
}

/// One member in the text.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) instance: usize,
    /// The index in the node's members. `None` for an annotation or a label of the carrier.
    pub(crate) member: Option<usize>,
    /// The position after the comma or brace before it.
    pub(crate) lead: usize,
    pub(crate) key: Str,
    pub(crate) value: Range<usize>,
    /// The position of the comma or brace after it.
    pub(crate) tail: usize,
    /// Whether the same key comes again later.
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
    /// Returns the positions with the brackets or quotes.
    pub(crate) fn span(&self) -> Range<usize> {
        Range { start: self.start - 1, end: self.end + 1 }
    }
}

impl Document {
    /// About how many bytes are allocated.
    pub(crate) fn capacity(&self) -> usize {
        self.instances.capacity() * size_of::<Instance>()
            + self.named.capacity() * size_of::<Named>()
            + self.places.capacity() * size_of::<Place>()
            + self.slots.capacity() * size_of::<usize>()
    }

    /// Returns the member of an instance.
    #[inline]
    pub(crate) fn member(&self, instance: usize, member: usize) -> Option<usize> {
        match self.slots[self.instances[instance].slots + member] {
            NONE => None,
            named => Some(named),
        }
    }

    /// Returns the members of an instance that the route names, in the order of the text.
    pub(crate) fn named_in(&self, instance: usize) -> impl Iterator<Item = usize> {
        let mut at = self.instances[instance].named[0];
        std::iter::from_fn(move || {
            let named = self.named.get(at)?;
            Some(std::mem::replace(&mut at, named.next))
        })
    }

    /// Returns the carrier's members of the annotations, or of the labels.
    pub(crate) fn carried(&self, node: usize) -> impl Iterator<Item = usize> {
        self.named.iter().enumerate().filter_map(move |(at, named)| {
            let instance = &self.instances[named.instance];
            (named.member.is_none() && instance.node == node && !instance.repeated).then_some(at)
        })
    }

    /// Returns the instance that is the value of a member.
    pub(crate) fn inside(&self, named: usize) -> Option<usize> {
        let Named { instance, value, .. } = &self.named[named];
        let inner = self.instances.partition_point(|inner| inner.start <= value.start);
        let is_value =
            |inner: &Instance| inner.parent == *instance && inner.span().start < value.end;
        self.instances.get(inner).is_some_and(is_value).then_some(inner)
    }

    /// Returns the instances in a span of the text.
    pub(crate) fn within(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.instances.partition_point(|inner| inner.start < span.start);
        // Instances start after their first byte. For a number with one digit, that is the end of
        // the value.
        let last = self.instances.partition_point(|inner| inner.start <= span.end);
        first..last
    }

    /// Returns the instance of a node that occurs once.
    pub(crate) fn instance(&self, node: usize) -> Option<usize> {
        self.instances.iter().position(|instance| instance.node == node && !instance.repeated)
    }

    /// Returns the name of a place in the source version or in the target version.
    pub(crate) fn name(&self, place: usize, target: bool) -> &'static str {
        let Place { source, target: renamed, .. } = self.places[place];
        if target { renamed } else { source }
    }

    /// Returns the path of a place in the source version or in the target version.
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
