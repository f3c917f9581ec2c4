//! Values that the next version has in other structs.

use std::collections::BTreeSet;

use crate::draw::Draw;
use crate::model::{Base, Field, Moved, Origin, Sort, Version, Wrap};
use crate::values;

/// The older fields that a path names, each with its struct. They keep their names.
pub(crate) type Named = BTreeSet<(String, String)>;

/// How many structs a path leads through.
const DEPTH: usize = 2;

/// A struct inside another, and the way there.
#[derive(Clone)]
struct Place {
    /// The fields that lead there, each with its struct.
    way: Vec<(String, String)>,
    name: String,
}

impl Place {
    fn path(&self, field: &str) -> Vec<String> {
        self.way.iter().map(|(_, step)| step.clone()).chain([field.to_owned()]).collect()
    }
}

/// Where a value goes.
struct Target {
    place: Place,
    origin: Origin,
}

impl Draw {
    /// Moves some values of some structs.
    pub(crate) fn moves(&mut self, older: &Version) -> Named {
        let mut named = Named::new();
        for (scope, _) in older.structs.iter().filter(|(_, value)| value.sort == Sort::Own) {
            if self.chance.percent(55) {
                let mut holders = Vec::new();
                for _ in 0..self.chance.within(1..=3) {
                    self.move_one(scope, older, &mut holders, &mut named);
                }
                self.group(scope);
            }
        }
        named
    }

    /// Moves a value between what is inside a struct, if one can move. `holders` are the fields that were made for that.
    fn move_one(
        &mut self,
        scope: &str,
        older: &Version,
        holders: &mut Vec<Place>,
        named: &mut Named,
    ) {
        let places = places(older, scope);
        let source = self.chance.one_of(&places).expect("the scope itself is among them");
        let movable: Vec<&Field> = older
            .fields(&source.name)
            .iter()
            .filter(|field| can_move(field) && !named.contains(&key(&source.name, field)))
            .collect();
        let Some(field) = self.chance.one_of(&movable) else { return };
        let Some(target) = self.target(scope, source, &places, holders) else { return };

        named.extend(source.way.iter().cloned());
        named.extend(target.place.way.iter().cloned());
        named.insert(key(&source.name, field));
        let left = self.version.at(&source.name);
        left.fields.retain(|other| other.name != field.name);
        if !source.way.is_empty() {
            left.removes(field.name.clone());
        }
        let mut moved =
            Field { name: self.names.field(), origin: target.origin, ..(*field).clone() };
        let with = if self.chance.percent(40) { change(&mut moved) } else { None };
        if self.chance.percent(50) {
            self.redeclare(&mut moved);
        }
        let (from, to) = (source.path(&field.name), target.place.path(&moved.name));
        let paths = Moved { from, to, with };
        self.version.at(&target.place.name).fields.push(moved);
        self.version.at(scope).mapping.get_or_insert_default().moved.push(paths);
    }

    /// Lets two of the values move together.
    fn group(&mut self, scope: &str) {
        let mapping = self.version.at(scope).mapping.get_or_insert_default();
        let (mut plain, changed): (Vec<Moved>, Vec<Moved>) =
            mapping.moved.drain(..).partition(|moved| moved.with.is_none());
        if plain.len() > 1 && self.chance.percent(50) {
            let [one, other] = [plain.remove(0), plain.remove(0)];
            let [from, and, to, then] =
                [one.from, other.from, other.to, one.to].map(|path| path.join("."));
            mapping.maps.push(format!("map(({from}, {and}) <=> ({to}, {then}), with = Crossed)"));
        }
        mapping.moved = plain.into_iter().chain(changed).collect();
    }

    /// Another struct than the source's, old or new.
    fn target(
        &mut self,
        scope: &str,
        source: &Place,
        places: &[Place],
        holders: &mut Vec<Place>,
    ) -> Option<Target> {
        if self.chance.percent(35) {
            let known = self.chance.one_of(holders).cloned();
            let place = match known {
                Some(place) if self.chance.percent(60) => place,
                _ => {
                    let place = self.holder(scope);
                    holders.push(place.clone());
                    place
                }
            };
            return Some(Target { place, origin: Origin::Unsaid });
        }
        let others: Vec<&Place> = places.iter().filter(|other| other.name != source.name).collect();
        let place = Place::clone(self.chance.one_of(&others)?);
        // To the struct in the middle it is a new field.
        let origin = if place.way.is_empty() { Origin::Unsaid } else { Origin::Added };
        Some(Target { place, origin })
    }

    /// A new field with a new struct, for what moves there.
    fn holder(&mut self, scope: &str) -> Place {
        let name = self.names.numbered("Struct");
        let fields = (0..self.chance.within(0..=2)).map(|_| self.leaf()).collect();
        self.version.at(&name).fields = fields;
        let mut field = Field::new(self.names.field(), Base::Struct(name.clone()), Wrap::Option);
        if self.chance.percent(35) {
            field.default = values::default_of(&self.version, &mut self.chance, &field.base);
        }
        field.refuses_null = self.chance.percent(30);
        let way = vec![key(scope, &field)];
        self.version.at(scope).fields.push(field);
        Place { way, name }
    }
}

fn key(of: &str, field: &Field) -> (String, String) {
    (of.to_owned(), field.name.clone())
}

/// Gives a value that moves another form, if there is one. Returns how it is converted.
fn change(field: &mut Field) -> Option<&'static str> {
    let (base, with) = match field.base {
        Base::Int => (Base::Digits, "with = IntText"),
        Base::Digits => (Base::Int, "with = Inverse(IntText), fallback(upgrade = _)"),
        _ => return None,
    };
    (field.base, field.default) = (base, None);
    Some(with)
}

fn can_move(field: &Field) -> bool {
    let scalar =
        matches!(field.base, Base::Int | Base::Text | Base::Digits | Base::Json | Base::Bool);
    scalar && field.wrap == Wrap::Option
}

/// A struct, and the structs inside that are there at most once.
fn places(version: &Version, scope: &str) -> Vec<Place> {
    let mut found = vec![Place { way: Vec::new(), name: scope.to_owned() }];
    let mut next = 0;
    while let Some(place) = found.get(next).cloned() {
        next += 1;
        if place.way.len() == DEPTH {
            continue;
        }
        for field in version.fields(&place.name) {
            let Base::Struct(name) = &field.base else { continue };
            // One that may be absent can't be made with something required inside.
            let makeable = version.sort(name) == Sort::Own
                && !version.fields(name).iter().any(Field::is_required);
            if makeable && matches!(field.wrap, Wrap::Option | Wrap::Plain) && !field.is_required()
            {
                let way = place.way.iter().cloned().chain([key(&place.name, field)]).collect();
                found.push(Place { way, name: name.clone() });
            }
        }
    }
    found
}
