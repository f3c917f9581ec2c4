//! The values of defaults.

use crate::chance::Chance;
use crate::model::{AMOUNT, Base, Enum, Field, Literal, Sort, Variant, Version, Wrap};

/// A default for a field of a type; none where there can't be one.
pub(crate) fn default_of(version: &Version, chance: &mut Chance, base: &Base) -> Option<Literal> {
    Some(match base {
        Base::Int => Literal::Int(chance.pick([0, 1, 2, 5])),
        Base::Text => Literal::Text(chance.pick(["", "a", "b"])),
        Base::Digits => Literal::Text(chance.pick(["0", "3", "5"])),
        Base::Json => Literal::Text(r#"{"amount":3}"#),
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
        (Wrap::Option, Base::Digits | Base::Json | Base::Union(_)) => 0,
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

/// What a converter makes of an amount: a value of a struct or an enum, with something inside that it chose.
pub(crate) fn made(version: &Version, chance: &mut Chance, base: &Base) -> Literal {
    match base {
        Base::Int if chance.percent(50) => Literal::Amount,
        Base::Int => Literal::Int(chance.pick([0, 1, 2, 5])),
        Base::Text => Literal::OwnedText(chance.pick(["", "a", "b"])),
        Base::Digits => Literal::OwnedText(chance.pick(["0", "3", "5"])),
        Base::Json => Literal::OwnedText(r#"{"amount":3}"#),
        Base::Bool | Base::Enum(_) => {
            default_of(version, chance, base).expect("only unions have none")
        }
        Base::Struct(of) => Literal::Struct {
            of: of.clone(),
            fields: made_fields(version, chance, version.fields(of)),
        },
        Base::Union(of) => {
            let value = &version.enums[of];
            let one = made_variant(version, chance, of, value);
            if chance.percent(40) {
                return one;
            }
            let other = made_variant(version, chance, of, value);
            Literal::Either(Box::new(one), Box::new(other))
        }
    }
}

fn made_variant(version: &Version, chance: &mut Chance, of: &str, value: &Enum) -> Literal {
    let Variant { name, fields, .. } = chance.one_of(&value.variants).expect("there are some");
    if fields.is_empty() {
        return Literal::Variant { of: of.to_owned(), name: name.clone() };
    }
    let fields = made_fields(version, chance, fields);
    Literal::Struct { of: format!("{of}::{name}"), fields }
}

fn made_fields(version: &Version, chance: &mut Chance, fields: &[Field]) -> Vec<(String, Literal)> {
    fields.iter().map(|field| (field.name.clone(), made_field(version, chance, field))).collect()
}

fn made_field(version: &Version, chance: &mut Chance, field: &Field) -> Literal {
    let is_amount = field.name == AMOUNT;
    let something = is_amount || field.wrap == Wrap::Plain || chance.percent(45);
    match (field.wrap, something) {
        (Wrap::Option, false) => return Literal::Nothing,
        (Wrap::List | Wrap::Keyed, false) => return Literal::EmptyList,
        (Wrap::Map, false) => return Literal::EmptyMap,
        _ => {}
    }
    let value = if is_amount { Literal::Amount } else { made(version, chance, &field.base) };
    match field.wrap {
        Wrap::Plain => value,
        Wrap::Option => Literal::Some(Box::new(value)),
        // Items with one key would be refused.
        Wrap::Keyed => Literal::List(vec![value]),
        Wrap::List => {
            let other = chance.percent(50).then(|| made(version, chance, &field.base));
            Literal::List([value].into_iter().chain(other).collect())
        }
        Wrap::Map => Literal::Map(Box::new(value)),
    }
}

/// Draws the defaults anew that name what a newer version no longer has, or lack what it has now.
pub(crate) fn renew(version: &mut Version, chance: &mut Chance) {
    let done = version.clone();
    let own = version.structs.values_mut().filter(|value| value.sort == Sort::Own);
    for field in own.flat_map(|value| &mut value.fields) {
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
