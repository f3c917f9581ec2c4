//! The next version from the one before.

use std::mem;

use crate::convert::can_join;
use crate::draw::Draw;
use crate::model::{
    Base, Enum, Field, KEY, Origin, SPEC, Sort, Variant, VariantOrigin, Version, Wrap,
};
use crate::moves::Named;
use crate::values;

/// What becomes of a field that doesn't move.
#[derive(Clone, Copy)]
enum Change {
    Keep,
    Redeclare,
    Rename,
    Remove,
    Convert,
}

impl Draw {
    pub(crate) fn next_version(&mut self) -> Version {
        let newer = self.version.carried();
        let older = mem::replace(&mut self.version, newer);
        self.evolve_enums();
        let named = self.moves(&older);
        for (name, _) in older.structs.iter().filter(|(_, value)| value.sort == Sort::Own) {
            self.evolve_struct(name, &older, &named);
        }
        self.version.prune();
        values::renew(&mut self.version, &mut self.chance);
        self.version.clone()
    }

    fn evolve_struct(&mut self, name: &str, older: &Version, named: &Named) {
        let mut fields = mem::take(&mut self.version.at(name).fields);
        let is_free = |field: &Field| {
            let kept = older.fields(name).iter().any(|old| old.name == field.name);
            kept && !named.contains(&(name.to_owned(), field.name.clone()))
        };
        self.join_two(name, &mut fields, is_free);
        for field in fields {
            let kept = older.fields(name).iter().any(|old| old.name == field.name);
            let change = if !kept || field.name == KEY {
                Change::Keep
            } else if is_free(&field) {
                self.change(&field)
            } else if field.is_required() {
                Change::Keep
            } else {
                self.chance.weighted([(35, Change::Redeclare), (65, Change::Keep)])
            };
            let can_split = field.base == Base::Int && field.wrap == Wrap::Option;
            if matches!(change, Change::Convert) && can_split && self.chance.percent(15) {
                let (two, map) = self.split(&field.name);
                let newer = self.version.at(name);
                newer.fields.extend(two);
                newer.mapping.get_or_insert_default().maps.push(map);
                continue;
            }
            let changed = self.changed(field, change, older, name == SPEC);
            let newer = self.version.at(name);
            match changed {
                Ok(field) => newer.fields.push(field),
                Err(removed) => newer.removes(removed),
            }
        }
        if self.chance.percent(50) {
            let field = self.leaf();
            self.add(name, field);
        }
        if self.chance.percent(15) {
            let field = self.composite(0);
            self.add(name, field);
        }
    }

    /// Makes one field of two, now and then.
    fn join_two(&mut self, of: &str, fields: &mut Vec<Field>, is_free: impl Fn(&Field) -> bool) {
        let places: Vec<usize> = (0..fields.len())
            .filter(|place| can_join(&fields[*place]) && is_free(&fields[*place]))
            .collect();
        let [first, .., last] = places[..] else { return };
        if !self.chance.percent(15) {
            return;
        }
        let (number, map) = self.join([&fields[first], &fields[last]]);
        fields.remove(last);
        fields.remove(first);
        let newer = self.version.at(of);
        newer.fields.push(number);
        newer.mapping.get_or_insert_default().maps.push(map);
    }

    /// What becomes of a field that may become anything.
    fn change(&mut self, field: &Field) -> Change {
        // Few texts are of these kinds, and so more of them are converted.
        let converted = match field.base {
            Base::Digits | Base::Json => 40,
            Base::Int => 36,
            Base::Struct(_) | Base::Union(_) => 28,
            _ => 12,
        };
        if field.is_required() {
            return self.chance.weighted([
                (10, Change::Rename),
                (converted, Change::Convert),
                (90 - converted, Change::Keep),
            ]);
        }
        self.chance.weighted([
            (10, Change::Rename),
            (12, Change::Remove),
            (20, Change::Redeclare),
            (converted, Change::Convert),
            (58 - converted, Change::Keep),
        ])
    }

    fn add(&mut self, to: &str, field: Field) {
        self.version.at(to).fields.push(Field { origin: Origin::Added, ..field });
    }

    /// The field as it is now, or the name of one that was removed.
    fn changed(
        &mut self,
        mut field: Field,
        change: Change,
        older: &Version,
        may_require: bool,
    ) -> Result<Field, String> {
        match change {
            Change::Keep => {}
            Change::Redeclare => self.redeclare(&mut field),
            Change::Rename => {
                field.origin = Origin::Renamed(mem::replace(&mut field.name, self.names.field()));
                if self.chance.percent(40) {
                    self.redeclare(&mut field);
                }
            }
            Change::Remove => return Err(field.name),
            Change::Convert => self.convert(&mut field, older, may_require),
        }
        Ok(field)
    }

    /// Another default, or another word on `null`.
    pub(crate) fn redeclare(&mut self, field: &mut Field) {
        let (about_default, dropped) =
            if matches!(field.base, Base::Struct(_)) { (60, 100) } else { (50, 60) };
        if field.wrap == Wrap::Option && !matches!(field.base, Base::Union(_)) {
            if !self.chance.percent(about_default) {
                field.refuses_null = !field.refuses_null;
            } else if field.default.is_some() && self.chance.percent(dropped) {
                field.default = None;
            } else {
                field.default = values::default_of(&self.version, &mut self.chance, &field.base);
            }
        }
        field.skipped = self.chance.percent(40);
    }

    fn evolve_enums(&mut self) {
        let mut enums = mem::take(&mut self.version.enums);
        for value in enums.values_mut().filter(|value| value.sort == Sort::Own) {
            if value.is_plain() {
                self.evolve_enum(value);
            } else {
                self.evolve_union(value);
            }
        }
        self.version.enums = enums;
    }

    /// The first variant always stays: the others are shown as it.
    fn evolve_enum(&mut self, value: &mut Enum) {
        let first = value.variants[0].name.clone();
        if self.chance.percent(20) {
            value.variants[0].name = self.names.numbered("Renamed");
            value.variants[0].origin = VariantOrigin::Renamed(first.clone());
        }
        if value.variants.len() > 2 && self.chance.percent(40) {
            let place = self.chance.within(1..=value.variants.len() - 1);
            let removed = value.variants.remove(place).name;
            let shown_as = value.variants[0].name.clone();
            value.removed.get_or_insert_default().push((removed, shown_as));
        }
        if self.chance.percent(40) {
            value.variants.push(Variant {
                name: self.names.numbered("Added"),
                fields: Vec::new(),
                removed: Vec::new(),
                origin: VariantOrigin::Added(first),
            });
        }
    }

    fn evolve_union(&mut self, value: &mut Enum) {
        for variant in &mut value.variants {
            if variant.fields.is_empty() {
                continue;
            }
            for mut field in mem::take(&mut variant.fields) {
                if self.chance.percent(20) {
                    field.origin =
                        Origin::Renamed(mem::replace(&mut field.name, self.names.field()));
                } else if !variant.fields.is_empty() && self.chance.percent(20) {
                    variant.removed.push(field.name);
                    continue;
                }
                variant.fields.push(field);
            }
            if self.chance.percent(40) {
                let mut field = Field::new(self.names.field(), Base::Int, Wrap::Option);
                field.origin = Origin::Added;
                variant.fields.push(field);
            }
        }
        if value.variants.len() > 2 && self.chance.percent(25) {
            let removed = value.variants.pop().expect("more than two").name;
            let shown_as = value.variants[0].name.clone();
            value.removed.get_or_insert_default().push((removed, shown_as));
        }
    }
}
