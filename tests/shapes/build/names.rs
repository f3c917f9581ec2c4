//! Names that no two things of a resource share.

use crate::chance::Chance;

const WORDS: [&str; 25] = [
    "ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay", "koi", "lark", "mole",
    "newt", "owl", "pug", "quail", "ram", "seal", "toad", "urchin", "vole", "wasp", "yak", "zebu",
];

pub(crate) struct Names {
    words: [&'static str; WORDS.len()],
    fields: usize,
    others: usize,
}

impl Names {
    /// Every resource has an order of its own: the names of fields say in places in which order they stand.
    pub(crate) fn new(chance: &mut Chance) -> Self {
        let mut words = WORDS;
        chance.shuffle(&mut words);
        Self { words, fields: 0, others: 0 }
    }

    pub(crate) fn field(&mut self) -> String {
        let (round, word) = (self.fields / WORDS.len(), self.words[self.fields % WORDS.len()]);
        self.fields += 1;
        if round == 0 { word.to_owned() } else { format!("{word}{round}") }
    }

    /// Of a type or a variant.
    pub(crate) fn numbered(&mut self, kind: &str) -> String {
        self.others += 1;
        format!("{kind}{}", self.others)
    }
}
