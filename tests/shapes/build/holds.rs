//! How converters make a drawn type, and what they read of it.

use crate::model::{AMOUNT, Base, Enum, Field, Literal, Struct, Wrap};
use crate::write::Source;

pub(crate) fn of_struct(source: &mut Source, name: &str, value: &Struct) {
    let Some(made) = &value.made else { return };
    let amount = number(&value.fields).map_or_else(zero, |field| read(field, "self."));
    implement(source, name, made, &amount);
}

pub(crate) fn of_enum(source: &mut Source, name: &str, value: &Enum) {
    let Some(made) = &value.made else { return };
    let arms = value.variants.iter().map(|variant| {
        let name = &variant.name;
        match number(&variant.fields) {
            Some(field) => {
                format!("Self::{name} {{ {}, .. }} => {}", field.name, read(field, "*"))
            }
            None => format!("Self::{name} {{ .. }} => 0"),
        }
    });
    let arms: Vec<String> = arms.collect();
    implement(source, name, made, &format!("match self {{ {} }}", arms.join(", ")));
}

fn zero() -> String {
    "0".to_owned()
}

/// The field that says how much it is.
fn number(fields: &[Field]) -> Option<&Field> {
    let has_number = |field: &&Field| {
        field.base == Base::Int && matches!(field.wrap, Wrap::Option | Wrap::Plain)
    };
    let named = fields.iter().filter(has_number).find(|field| field.name == AMOUNT);
    named.or_else(|| fields.iter().find(has_number))
}

fn read(field: &Field, from: &str) -> String {
    let or = if field.wrap == Wrap::Option { ".unwrap_or_default()" } else { "" };
    match from {
        "*" if or.is_empty() => format!("*{}", field.name),
        "*" => format!("{}{or}", field.name),
        from => format!("{from}{}{or}", field.name),
    }
}

fn implement(source: &mut Source, name: &str, made: &Literal, amount: &str) {
    source.block(&format!("\nimpl Holds for {name}"), "}", |source| {
        source.block("fn of(amount: i64) -> Self", "}", |source| source.lines(&made.to_string()));
        source.block("fn amount(&self) -> i64", "}", |source| source.lines(amount));
    });
    source.block(&format!("\nimpl Default for {name}"), "}", |source| {
        source.block("fn default() -> Self", "}", |source| source.lines("Self::of(0)"));
    });
}
