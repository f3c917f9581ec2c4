//! What is noted of instances while values move.

use crate::engine::document::Source;

/// What is noted of an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    /// Something of it, or of what is inside, is kept, now or on the way back.
    Kept,
    /// An entry of it, or of what is inside, is used up; the way back needn't keep it again.
    Restored,
    /// Values have come into it, or into what is inside.
    ArrivedIn,
    /// Values have gone from it, or from what is inside.
    LeftFrom,
    /// Values have come into it, or into what is inside; not of the object that they move in, nor of those around that.
    Entered,
    /// It has converted fields that don't have what they have in a new one.
    Converted,
    /// Nothing is left in it, since values have gone from it.
    Emptied,
    /// It has gone.
    Gone,
}

/// By instance, a bit for each mark. Empty where nothing moves.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<u8>);

impl Marks {
    pub(crate) fn has(&self, instance: usize, mark: Mark) -> bool {
        self.0.get(instance).is_some_and(|marks| marks & bit(mark) != 0)
    }

    pub(crate) fn add(&mut self, instance: usize, mark: Mark) {
        if self.0.len() <= instance {
            self.0.resize(instance + 1, 0);
        }
        self.0[instance] |= bit(mark);
    }

    /// Also of the instances around it. What has such a mark has it around, too, if it is added in no other way.
    pub(crate) fn add_around(&mut self, source: Source<'_>, instance: usize, mark: Mark) {
        let mut at = instance;
        while !self.has(at, mark) {
            self.add(at, mark);
            // The root is around itself.
            at = source.instance(at).parent;
        }
    }
}

fn bit(mark: Mark) -> u8 {
    1 << mark as u8
}
