//! The oldest version of a resource, and what every version is drawn with.

use crate::chance::Chance;
use crate::model::{
    Base, Enum, Field, Resource, SPEC, Struct, Variant, VariantOrigin, Version, Wrap,
};
use crate::names::Names;
use crate::values;

/// How many enums of variants that hold nothing the oldest version has at most.
const ENUMS: usize = 2;

/// A version that is being drawn.
pub(crate) struct Draw {
    pub(crate) chance: Chance,
    pub(crate) names: Names,
    pub(crate) version: Version,
}

/// Draws a resource of two or three versions.
pub(crate) fn resource(seed: u64) -> Resource {
    let mut chance = Chance::new(seed);
    let names = Names::new(&mut chance);
    let mut draw = Draw { chance, names, version: Version::default() };
    let count = draw.chance.within(2..=3);
    draw.oldest();
    let mut versions = vec![draw.version.clone()];
    while versions.len() < count {
        versions.push(draw.next_version());
    }
    let storage = draw.chance.within(0..=count - 1);
    Resource { versions, storage }
}

#[derive(Clone, Copy)]
enum Kind {
    Struct,
    List,
    Map,
    Keyed,
    Scalars,
    Union,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Optional,
    Filled,
    /// Required of serde, filled in by the server.
    Defaulted,
}

impl Draw {
    fn oldest(&mut self) {
        for _ in 0..self.chance.within(0..=ENUMS) {
            let letters = self.chance.within(2..=3);
            let variants = ["A", "B", "C"][..letters].iter().map(|name| variant(name, Vec::new()));
            let value = Enum { tag: None, variants: variants.collect(), removed: None };
            self.version.enums.insert(self.names.numbered("Enum"), value);
        }
        let depth = if self.chance.percent(20) { 2 } else { 1 };
        let mut fields = Vec::new();
        for _ in 0..self.chance.within(1..=3) {
            fields.push(self.leaf());
        }
        for _ in 0..self.chance.within(1..=3) {
            let mut field = self.composite(depth);
            // Only here: a struct that may be absent can't be made with something required inside.
            if matches!(field.base, Base::Struct(_)) && self.chance.percent(5) {
                field = Field::new(field.name, field.base, Wrap::Plain);
            }
            fields.push(field);
        }
        self.version.structs.insert(SPEC.to_owned(), Struct { fields, mapping: None });
        self.version.prune();
    }

    /// A field with nothing inside.
    pub(crate) fn leaf(&mut self) -> Field {
        let base = self.leaf_base();
        let presence = self.chance.weighted([
            (25, Presence::Filled),
            (5, Presence::Defaulted),
            (70, Presence::Optional),
        ]);
        self.present(base, presence, 20)
    }

    fn leaf_base(&mut self) -> Base {
        let enums: Vec<&String> = self
            .version
            .enums
            .iter()
            .filter(|(_, value)| value.is_plain())
            .map(|(name, _)| name)
            .collect();
        match self.chance.one_of(&enums) {
            Some(name) if self.chance.percent(15) => Base::Enum((*name).clone()),
            _ => {
                self.chance.weighted([(2, &Base::Int), (1, &Base::Text), (1, &Base::Bool)]).clone()
            }
        }
    }

    /// A field of a type that can be a default, and that may be absent.
    fn present(&mut self, base: Base, presence: Presence, refuses_null: u8) -> Field {
        let wrap = if presence == Presence::Defaulted { Wrap::Plain } else { Wrap::Option };
        let mut field = Field::new(self.names.field(), base, wrap);
        if presence != Presence::Optional {
            field.default = values::default_of(&self.version, &mut self.chance, &field.base);
        }
        field.refuses_null = wrap == Wrap::Option && self.chance.percent(refuses_null);
        field.skipped = self.chance.percent(40);
        field
    }

    /// A field with something inside.
    pub(crate) fn composite(&mut self, depth: usize) -> Field {
        let kind = self.chance.weighted([
            (62, Kind::Struct),
            (10, Kind::List),
            (10, Kind::Map),
            (10, Kind::Keyed),
            (4, Kind::Scalars),
            (4, Kind::Union),
        ]);
        let (base, wrap) = match kind {
            Kind::Struct => {
                let base = Base::Struct(self.family(depth, Vec::new()));
                let presence = self.chance.weighted([
                    (30, Presence::Filled),
                    (12, Presence::Defaulted),
                    (58, Presence::Optional),
                ]);
                return self.present(base, presence, 30);
            }
            Kind::List => (Base::Struct(self.family(depth, Vec::new())), Wrap::List),
            Kind::Map => (Base::Struct(self.family(depth, Vec::new())), Wrap::Map),
            Kind::Keyed => {
                let key = Field::new("key".to_owned(), Base::Text, Wrap::Plain);
                (Base::Struct(self.family(depth, vec![key])), Wrap::Keyed)
            }
            Kind::Scalars => {
                (if self.chance.percent(50) { Base::Int } else { Base::Text }, Wrap::List)
            }
            Kind::Union => (Base::Union(self.union()), Wrap::Option),
        };
        let mut field = Field::new(self.names.field(), base, wrap);
        field.refuses_null = matches!(kind, Kind::Union);
        field
    }

    /// A new struct with some fields more; its name.
    fn family(&mut self, depth: usize, mut fields: Vec<Field>) -> String {
        let name = self.names.numbered("Struct");
        for _ in 0..self.chance.within(1..=3) {
            fields.push(self.leaf());
        }
        if depth > 0 {
            for _ in 0..self.chance.within(0..=2) {
                fields.push(self.composite(depth - 1));
            }
        }
        self.version.structs.insert(name.clone(), Struct { fields, mapping: None });
        name
    }

    fn union(&mut self) -> String {
        let name = self.names.numbered("Union");
        let mut optional = |base| Field::new(self.names.field(), base, Wrap::Option);
        let variants = vec![
            variant("Empty", Vec::new()),
            variant("One", vec![optional(Base::Int), optional(Base::Text)]),
            variant("Two", vec![optional(Base::Bool)]),
        ];
        let tag = self.chance.pick([None, Some("type")]);
        self.version.enums.insert(name.clone(), Enum { tag, variants, removed: None });
        name
    }
}

/// A variant of a new enum.
fn variant(name: &str, fields: Vec<Field>) -> Variant {
    let origin = VariantOrigin::Unsaid;
    Variant { name: name.to_owned(), fields, removed: Vec::new(), origin }
}
