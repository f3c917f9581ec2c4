//! The oldest version of a resource, and what every version is drawn with.

use crate::chance::Chance;
use crate::model::{
    Base, Enum, Field, KEY, ResourceType, SPEC, Sort, Struct, Variant, VariantOrigin, Version, Wrap,
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
    /// Whose new types are.
    pub(crate) sort: Sort,
    /// The types that converters make and take, with the places of their versions.
    pub(crate) converted: Vec<(usize, Base)>,
    /// The place of the version.
    pub(crate) place: usize,
}

/// Draws a resource of two or three versions.
pub(crate) fn resource(seed: u64) -> ResourceType {
    let mut chance = Chance::new(seed);
    let names = Names::new(&mut chance);
    let mut draw = Draw {
        chance,
        names,
        version: Version::default(),
        sort: Sort::Own,
        converted: Vec::new(),
        place: 0,
    };
    let count = draw.chance.within(2..=3);
    draw.oldest();
    let mut versions = vec![draw.version.clone()];
    while versions.len() < count {
        draw.place = versions.len();
        versions.push(draw.next_version());
    }
    let storage = draw.chance.within(0..=count - 1);
    for (place, base) in &draw.converted {
        let version = &mut versions[*place];
        // Not every form that was drawn was taken.
        if version.has(base) {
            let made = values::made(version, &mut draw.chance, base);
            version.note_made(base, made);
        }
    }
    ResourceType { versions, storage }
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
    /// Filled in by both.
    Zero,
    Required,
}

impl Draw {
    fn oldest(&mut self) {
        for _ in 0..self.chance.within(0..=ENUMS) {
            self.plain_enum();
        }
        let depth = if self.chance.percent(20) { 2 } else { 1 };
        let mut fields = Vec::new();
        for _ in 0..self.chance.within(1..=3) {
            fields.push(self.first_leaf());
        }
        for _ in 0..self.chance.within(1..=3) {
            let mut field = self.composite(depth);
            // Only here: a struct that may be absent can't be made with something required inside.
            if matches!(field.base, Base::Struct(_)) && self.chance.percent(5) {
                field = Field::new(field.name, field.base, Wrap::Plain);
            }
            fields.push(field);
        }
        self.version.structs.insert(SPEC.to_owned(), Struct::new(fields, Sort::Own));
        self.version.prune();
    }

    /// An enum of variants that hold nothing.
    fn plain_enum(&mut self) {
        let letters = self.chance.within(2..=3);
        let variants = ["A", "B", "C"][..letters].iter().map(|name| variant(name, Vec::new()));
        self.new_enum("Enum", None, None, variants.collect());
    }

    fn new_enum(
        &mut self,
        kind: &str,
        tag: Option<&'static str>,
        content: Option<&'static str>,
        variants: Vec<Variant>,
    ) -> String {
        let name = self.names.numbered(kind);
        let value = Enum { tag, content, variants, removed: None, sort: self.sort, made: None };
        self.version.enums.insert(name.clone(), value);
        name
    }

    /// A field with nothing inside.
    pub(crate) fn leaf(&mut self) -> Field {
        let base = self.leaf_base();
        let presence = self.chance.weighted([
            (25, Presence::Filled),
            (5, Presence::Defaulted),
            (8, Presence::Zero),
            (62, Presence::Optional),
        ]);
        self.present(base, presence, 20)
    }

    /// The same in a struct that nobody has to make of nothing.
    fn first_leaf(&mut self) -> Field {
        if !self.chance.percent(10) {
            return self.leaf();
        }
        let base = self.leaf_base();
        self.present(base, Presence::Required, 0)
    }

    fn leaf_base(&mut self) -> Base {
        let enums: Vec<&String> = self
            .version
            .enums
            .iter()
            .filter(|(_, value)| value.is_plain() && value.sort == self.sort)
            .map(|(name, _)| name)
            .collect();
        match self.chance.one_of(&enums) {
            Some(name) if self.chance.percent(15) => Base::Enum((*name).clone()),
            _ => {
                let bases =
                    [(20, &Base::Int), (10, &Base::Text), (9, &Base::Bool), (3, &Base::Json)];
                self.chance.weighted(bases).clone()
            }
        }
    }

    /// A field of a type that can be a default.
    fn present(&mut self, base: Base, presence: Presence, refuses_null: u8) -> Field {
        let presence = match (&base, presence) {
            // A constant can't hold such a text.
            (Base::Json, _) => Presence::Optional,
            (Base::Int | Base::Text | Base::Bool, presence) => presence,
            (_, Presence::Zero) => Presence::Defaulted,
            (_, presence) => presence,
        };
        // Without the derive nothing is said of a struct but that it is optional.
        let is_struct = matches!(base, Base::Struct(_));
        let presence =
            if self.sort == Sort::Foreign && is_struct { Presence::Optional } else { presence };
        let wrap = match presence {
            Presence::Optional | Presence::Filled => Wrap::Option,
            Presence::Defaulted | Presence::Zero | Presence::Required => Wrap::Plain,
        };
        let mut field = Field::new(self.names.field(), base, wrap);
        if matches!(presence, Presence::Filled | Presence::Defaulted) {
            field.default = values::default_of(&self.version, &mut self.chance, &field.base);
        }
        field.filled = presence == Presence::Zero;
        field.refuses_null = self.refuses_null(refuses_null) && wrap == Wrap::Option;
        field.skipped = self.chance.percent(40);
        field
    }

    fn refuses_null(&mut self, percent: u8) -> bool {
        self.chance.percent(percent) && self.sort != Sort::Foreign
    }

    /// A field with something inside, of types of its version or of all.
    pub(crate) fn composite(&mut self, depth: usize) -> Field {
        let mut field = self.of_any_sort(|draw| draw.with_inside(depth));
        // The API server takes no null for what is one of several.
        let is_union = matches!(field.base, Base::Union(_));
        field.refuses_null |= is_union && self.sort != Sort::Foreign;
        field
    }

    /// Draws types of one sort, unless they are for types of a sort already.
    pub(crate) fn of_any_sort<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.sort;
        if outer == Sort::Own && self.chance.percent(30) {
            self.sort = self.chance.pick([Sort::Shared, Sort::Foreign]);
            if self.chance.percent(60) {
                self.plain_enum();
            }
        }
        let drawn = draw(self);
        self.sort = outer;
        drawn
    }

    fn with_inside(&mut self, depth: usize) -> Field {
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
            // What its items are told apart by is said with the derive.
            Kind::Keyed if self.sort == Sort::Foreign => {
                (Base::Struct(self.family(depth, Vec::new())), Wrap::List)
            }
            Kind::Keyed => {
                let key = Field::new(KEY.to_owned(), Base::Text, Wrap::Plain);
                (Base::Struct(self.family(depth, vec![key])), Wrap::Keyed)
            }
            Kind::Scalars => {
                (if self.chance.percent(50) { Base::Int } else { Base::Text }, Wrap::List)
            }
            Kind::Union => (Base::Union(self.union()), Wrap::Option),
        };
        let mut field = Field::new(self.names.field(), base, wrap);
        field.skipped = self.chance.percent(30);
        field
    }

    /// A new struct with some fields more; its name.
    pub(crate) fn family(&mut self, depth: usize, mut fields: Vec<Field>) -> String {
        let name = self.names.numbered("Struct");
        for _ in 0..self.chance.within(1..=3) {
            fields.push(self.first_leaf());
        }
        if depth > 0 {
            for _ in 0..self.chance.within(0..=2) {
                fields.push(self.composite(depth - 1));
            }
        }
        self.version.structs.insert(name.clone(), Struct::new(fields, self.sort));
        name
    }

    pub(crate) fn new_struct(&mut self, fields: Vec<Field>, sort: Sort) -> String {
        let name = self.names.numbered("Struct");
        self.version.structs.insert(name.clone(), Struct::new(fields, sort));
        name
    }

    pub(crate) fn union(&mut self) -> String {
        let mut two = vec![self.held(Base::Bool)];
        if self.chance.percent(40) {
            let inside = Base::Struct(self.family(0, Vec::new()));
            two.push(self.held(inside));
        }
        let variants = vec![
            variant("Empty", Vec::new()),
            variant("One", vec![self.held(Base::Int), self.held(Base::Text)]),
            variant("Two", two),
        ];
        let (tag, content) =
            self.chance.pick([(None, None), (Some("type"), None), (Some("type"), Some("content"))]);
        self.new_enum("Union", tag, content, variants)
    }

    /// A field of a variant.
    fn held(&mut self, base: Base) -> Field {
        self.present(base, Presence::Optional, 30)
    }
}

/// A variant of a new enum.
fn variant(name: &str, fields: Vec<Field>) -> Variant {
    let origin = VariantOrigin::Unsaid;
    Variant { name: name.to_owned(), fields, removed: Vec::new(), origin }
}
