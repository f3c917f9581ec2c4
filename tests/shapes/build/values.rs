//! The values of defaults.

use crate::chance::Chance;
use crate::model::{Base, Field, Literal, Version, Wrap};

/// A default for a field of a type; none where there can't be one.
pub(crate) fn default_of(version: &Version, chance: &mut Chance, base: &Base) -> Option<Literal> {
    Some(match base {
        Base::Int => Literal::Int(chance.pick([0, 1, 2, 5])),
        Base::Text => Literal::Text(chance.pick(["", "a", "b"])),
        Base::Digits => Literal::Text(chance.pick(["0", "3", "5"])),
        Base::Bool => Literal::Bool(chance.pick([true, false])),
        Base::Enum(of) => {
            let variant = chance.one_of(&version.enums.get(of)?.variants)?;
            Literal::Variant { of: of.clone(), name: variant.name.clone() }
        }
        Base::Struct(of) => {
            let fields = version.fields(of).iter();
            let fields =
                fields.map(|field| (field.name.clone(), inside(version, chance, field))).collect();
            Literal::Struct { of: of.clone(), fields }
        }
        Base::Union(_) => return None,
    })
}

/// What a field is in a struct that is a default. That is a constant, so nothing that it owns has anything in it.
fn inside(version: &Version, chance: &mut Chance, field: &Field) -> Literal {
    let something = match (field.wrap, &field.base) {
        (Wrap::List | Wrap::Keyed, _) => return Literal::EmptyList,
        (Wrap::Map, _) => return Literal::EmptyMap,
        (Wrap::Plain, _) => 100,
        (Wrap::Option, Base::Digits | Base::Union(_)) => 0,
        (Wrap::Option, Base::Struct(_)) => 30,
        (Wrap::Option, _) => 50,
    };
    if !chance.percent(something) {
        return Literal::Nothing;
    }
    let value = match field.base {
        Base::Text => Literal::EmptyText,
        _ => default_of(version, chance, &field.base).expect("only unions have none"),
    };
    if field.wrap == Wrap::Option { Literal::Some(Box::new(value)) } else { value }
}

/// Draws the defaults anew that name what a newer version no longer has, or lack what it has now.
pub(crate) fn renew(version: &mut Version, chance: &mut Chance) {
    let done = version.clone();
    for field in version.structs.values_mut().flat_map(|value| &mut value.fields) {
        let stale = match &field.default {
            Some(Literal::Struct { .. }) => true,
            Some(Literal::Variant { of, name }) => {
                done.enums[of].variants.iter().all(|variant| variant.name != *name)
            }
            _ => false,
        };
        if stale {
            field.default = default_of(&done, chance, &field.base);
        }
    }
}
