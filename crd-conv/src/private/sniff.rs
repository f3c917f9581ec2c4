//! Finds the kinds of JSON value that a type accepts, from the requests of its `Deserialize`.

use serde::de::value::SeqDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};

use crate::plan::JsonType;

/// The kinds that a type accepts.
pub(super) fn sniff<T: DeserializeOwned>() -> JsonType {
    sniff_with(|sniffer| T::deserialize(sniffer).map(drop))
}

/// Returns the kinds that a deserializing function accepts.
pub fn sniff_with<F>(deserialize: F) -> JsonType
where
    F: for<'a> Fn(Sniffer<'a>) -> Result<(), serde::de::value::Error>,
{
    let mut asked = Asked { seen: None, variant: 0, more: true };
    while std::mem::take(&mut asked.more) {
        // The visitor never gets a value, so an error is the expected end.
        let _ = deserialize(Sniffer(&mut asked));
        asked.variant += 1;
    }
    asked.seen.unwrap_or(JsonType::ANY)
}

/// The requests so far.
#[derive(Debug)]
struct Asked {
    seen: Option<JsonType>,
    /// The number of the variant that the enum gets to see.
    variant: usize,
    /// Whether the enum has more variants.
    more: bool,
}

/// A deserializer without a value, which records what is requested.
#[derive(Debug)]
pub struct Sniffer<'a>(&'a mut Asked);

impl Sniffer<'_> {
    fn saw<T>(mut self, kind: JsonType) -> Result<T, de::value::Error> {
        self.note(kind);
        Err(de::Error::custom("no value"))
    }

    fn note(&mut self, kind: JsonType) {
        self.0.seen = Some(self.0.seen.map_or(kind, |before| before.or(kind)));
    }
}

/// A variant without content, which records whether its content is requested.
impl<'de> de::VariantAccess<'de> for Sniffer<'_> {
    type Error = de::value::Error;

    fn unit_variant(self) -> Result<(), Self::Error> {
        self.saw(JsonType::STRING)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Self::Error> {
        self.saw(JsonType::OBJECT)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::OBJECT)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::OBJECT)
    }
}

/// One of an enum's variants.
struct Named<'a>(Sniffer<'a>, &'static str);

impl<'de, 'a> de::EnumAccess<'de> for Named<'a> {
    type Error = de::value::Error;
    type Variant = Sniffer<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self::Variant), Self::Error> {
        let name = IntoDeserializer::<Self::Error>::into_deserializer(self.1);
        Ok((seed.deserialize(name)?, self.0))
    }
}

macro_rules! kinds {
    ($($kind:ident: $($method:ident)*;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            self.saw(JsonType::$kind)
        }
    )*)*};
}

impl<'de> de::Deserializer<'de> for Sniffer<'_> {
    type Error = de::value::Error;

    kinds! {
        ANY: deserialize_ignored_any;
        BOOLEAN: deserialize_bool;
        INTEGER: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128;
        NUMBER: deserialize_f32 deserialize_f64;
        STRING: deserialize_char deserialize_str deserialize_string deserialize_identifier;
        ARRAY: deserialize_seq deserialize_bytes deserialize_byte_buf;
        NULL: deserialize_unit;
        OBJECT: deserialize_map;
    }

    /// Only an internally tagged enum reports a missing field for an empty sequence. Such an enum
    /// is an object.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let nothing = std::iter::empty::<()>();
        match visitor.visit_seq(SeqDeserializer::<_, Self::Error>::new(nothing)) {
            Err(error) if error.to_string().starts_with("missing field ") => {
                self.saw(JsonType::OBJECT)
            }
            _ => self.saw(JsonType::ANY),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Self::Error> {
        self.note(JsonType::NULL);
        visitor.visit_some(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::NULL)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::ARRAY)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::ARRAY)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.saw(JsonType::OBJECT)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.more = self.0.variant + 1 < variants.len();
        match variants.get(self.0.variant) {
            Some(variant) => visitor.visit_enum(Named(self, variant)),
            None => self.saw(JsonType::STRING.or(JsonType::OBJECT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "no value is ever made")]
    enum Unit {
        A,
        B,
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "no value is ever made")]
    enum Data {
        A(i32),
        B { c: i32 },
        C(i32, i32),
    }

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "no value is ever made")]
    enum Both {
        A(i32),
        B,
    }

    #[derive(Deserialize)]
    #[serde(tag = "type")]
    #[allow(dead_code, reason = "no value is ever made")]
    enum Tagged {
        A { c: i32 },
        B,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "no value is ever made")]
    enum Untagged {
        A { c: i32 },
        B(Vec<i32>),
    }

    #[test]
    fn kinds() {
        assert_eq!(sniff::<Option<i32>>(), JsonType::NULL.or(JsonType::INTEGER));
        assert_eq!(sniff::<f64>(), JsonType::NUMBER);
        assert_eq!(sniff::<Vec<Unit>>(), JsonType::ARRAY);
        assert_eq!(sniff::<BTreeMap<String, i32>>(), JsonType::OBJECT);
        assert_eq!(sniff::<serde_json::Value>(), JsonType::ANY);
        assert_eq!(sniff::<Unit>(), JsonType::STRING);
        assert_eq!(sniff::<Data>(), JsonType::OBJECT);
        assert_eq!(sniff::<Tagged>(), JsonType::OBJECT);
        assert_eq!(sniff::<Option<Tagged>>(), JsonType::NULL.or(JsonType::OBJECT));
        assert_eq!(sniff::<Untagged>(), JsonType::ANY);
        assert_eq!(
            sniff::<Option<Both>>(),
            JsonType::NULL.or(JsonType::STRING).or(JsonType::OBJECT)
        );
    }
}
