//! Converters between a text and the fields that it contains.

use std::fmt::Display;

use serde::{Serialize, de::DeserializeOwned};

use super::numbers::parsed;
use super::shape::{from_text, text};
use super::sides::{NothingOfNone, Older, TextIn};
use crate::converter::{ConvertError, Converter};

/// A converter between one text and the fields that it contains.
///
/// The text is any type that is a string in JSON, such as `String`. There are one to six fields,
/// and each is a `String` or an integer. The names in the template are only for readers: the fields
/// have the order of the mapping. If all fields are `Option`s, see [`Optional`](super::Optional).
///
/// ```
/// use crd_conv::{Converter, with::Template};
///
/// const ENDPOINT: Template<2> = Template::new("{host}:{port}");
/// let parts: (String, u16) = ENDPOINT.upgrade("::1:80".to_owned())?;
/// assert_eq!(parts, ("::1".to_owned(), 80));
/// let text: String = ENDPOINT.downgrade(parts)?;
/// assert_eq!(text, "::1:80");
///
/// const SETTING: Template<2> = Template::new("{key}={value}").from_left();
/// let parts: (String, String) = SETTING.upgrade("a=b=c".to_owned())?;
/// assert_eq!(parts, ("a".to_owned(), "b=c".to_owned()));
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// If the separator between two fields occurs several times, the text is split at the last
/// occurrence. That is right for `{host}:{port}`, `{image}:{tag}` and `{name}@{version}`. With
/// [`from_left`](Template::from_left) the text is split at the first one.
///
/// Fields whose text would be split differently are kept as they are. So are numbers in another
/// notation, such as `007`.
///
/// ```compile_fail
/// use crd_conv::with::Template;
///
/// // Nothing says where one of them ends.
/// const BOTH: Template<2> = Template::new("{host}{port}");
/// ```
///
/// # Errors
///
/// Fails if the text doesn't have this form, or if the text for an integer field isn't a number.
#[derive(Clone, Copy, Debug)]
pub struct Template<const FIELDS: usize> {
    text: &'static str,
    from_left: bool,
}

impl<const FIELDS: usize> Template<FIELDS> {
    /// Makes a template. Field names are in braces, and all other text is literal.
    ///
    /// # Panics
    ///
    /// Panics if the template has another number of fields than the mapping, if there is nothing
    /// between two of them, or if a brace isn't matched. In an attribute that is a compile error.
    #[track_caller]
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let (mut at, mut fields, mut opened, mut closed) = (0, 0, None, None);
        while at < bytes.len() {
            match (bytes[at], opened) {
                (b'{', None) => {
                    if let Some(closed) = closed {
                        assert!(
                            at > closed + 1,
                            "two fields of the template have no text between them, so nothing separates their values: write some text between them"
                        );
                    }
                    opened = Some(at);
                }
                (b'{', Some(_)) => panic!("a field of the template has a `{{` in its name"),
                (b'}', None) => panic!("the template has a `}}` without a `{{`"),
                (b'}', Some(start)) => {
                    assert!(
                        at > start + 1,
                        "a field of the template has no name: write `{{name}}`"
                    );
                    fields += 1;
                    opened = None;
                    closed = Some(at);
                }
                _ => {}
            }
            at += 1;
        }
        assert!(opened.is_none(), "the template has a `{{` without a `}}`");
        assert!(
            fields == FIELDS,
            "the template has another number of fields in braces than the mapping has"
        );
        Self { text, from_left: false }
    }

    /// If a separator between two fields occurs several times, splits the text at the first
    /// occurrence.
    #[must_use]
    pub const fn from_left(self) -> Self {
        Self { from_left: true, ..self }
    }

    /// The literal text before the first field, and the literal text after each field.
    fn literals(&self) -> (&'static str, [&'static str; FIELDS]) {
        let mut pieces = self.text.split('{');
        let first = pieces.next().unwrap_or_default();
        let behind = [(); FIELDS].map(|()| {
            let piece = pieces.next().and_then(|piece| piece.split_once('}'));
            piece.map_or("", |(_, behind)| behind)
        });
        (first, behind)
    }

    fn split<'t>(&self, text: &'t str) -> Option<[&'t str; FIELDS]> {
        let (first, behind) = self.literals();
        let mut rest = text.strip_prefix(first)?.strip_suffix(behind.last()?)?;
        let mut fields = [""; FIELDS];
        let last = FIELDS.checked_sub(1)?;
        if self.from_left {
            for place in 0..last {
                (fields[place], rest) = rest.split_once(behind[place])?;
            }
            fields[last] = rest;
        } else {
            for place in (0..last).rev() {
                (rest, fields[place + 1]) = rest.rsplit_once(behind[place])?;
            }
            fields[0] = rest;
        }
        Some(fields)
    }

    fn parts<'t>(&self, text: &'t str) -> Result<[&'t str; FIELDS], ConvertError> {
        self.split(text).ok_or_else(|| format!("expected `{}`, not `{text}`", self.text).into())
    }

    fn join(&self, fields: [String; FIELDS]) -> String {
        let (first, behind) = self.literals();
        let fields = fields.into_iter().zip(behind);
        fields.fold(first.to_owned(), |text, (field, behind)| text + &field + behind)
    }
}

/// A field of a [`Template`]: a `String` or an integer.
pub trait TemplateField: Display + Sized {
    #[doc(hidden)]
    fn parse(text: &str) -> Result<Self, ConvertError>;
}

impl TemplateField for String {
    fn parse(text: &str) -> Result<Self, ConvertError> {
        Ok(text.to_owned())
    }
}

macro_rules! integer_fields {
    ($($int:ident)*) => {
        $(
            impl TemplateField for $int {
                fn parse(text: &str) -> Result<Self, ConvertError> {
                    parsed(text)
                }
            }
        )*
    };
}

integer_fields!(i8 i16 i32 i64 u8 u16 u32 u64);

impl<const FIELDS: usize> TextIn<Older> for Template<FIELDS> {}
impl<const FIELDS: usize> NothingOfNone<Older> for Template<FIELDS> {}

impl<T, A> Converter<T, A> for Template<1>
where
    T: Serialize + DeserializeOwned,
    A: TemplateField,
{
    fn upgrade(&self, older: T) -> Result<A, ConvertError> {
        let older = text(&older)?;
        let [part] = self.parts(&older)?;
        A::parse(part)
    }

    fn downgrade(&self, newer: A) -> Result<T, ConvertError> {
        from_text(self.join([newer.to_string()]))
    }
}

macro_rules! templates {
    ($count:literal: $($field:ident)*) => {
        impl<Whole, $($field),*> Converter<Whole, ($($field,)*)> for Template<$count>
        where
            Whole: Serialize + DeserializeOwned,
            $($field: TemplateField,)*
        {
            #[expect(non_snake_case, reason = "named as their types")]
            fn upgrade(&self, older: Whole) -> Result<($($field,)*), ConvertError> {
                let older = text(&older)?;
                let [$($field),*] = self.parts(&older)?;
                Ok(($($field::parse($field)?,)*))
            }

            #[expect(non_snake_case, reason = "named as their types")]
            fn downgrade(&self, ($($field,)*): ($($field,)*)) -> Result<Whole, ConvertError> {
                from_text(self.join([$($field.to_string()),*]))
            }
        }
    };
}

templates!(2: A B);
templates!(3: A B C);
templates!(4: A B C D);
templates!(5: A B C D E);
templates!(6: A B C D E F);
