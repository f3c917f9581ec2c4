//! What an author writes where a value changes its form between two versions.

/// Why a converter refused a value.
///
/// `?` works on every error type, and `"text".into()` makes one from a sentence.
pub type ConvertError = Box<dyn std::error::Error + Send + Sync>;

/// A conversion of one field, or one group of fields, in both directions.
///
/// `Older` and `Newer` are the Rust types of the fields: the type itself for one field, a tuple in the order of
/// the mapping for several. The two directions need not be inverse to each other: what one of them loses, the
/// engine keeps beside the object and restores on the way back.
///
/// A converter is a pure function. It sees the values and nothing else; a conversion webhook runs on every read.
///
/// ```
/// use crd_conv::{ConvertError, Converter};
///
/// /// `host:port` in one string.
/// struct HostPort;
///
/// impl Converter<String, (String, String)> for HostPort {
///     fn upgrade(older: String) -> Result<(String, String), ConvertError> {
///         let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
///         Ok((host.to_owned(), port.to_owned()))
///     }
///     fn downgrade((host, port): (String, String)) -> Result<String, ConvertError> {
///         Ok(format!("{host}:{port}"))
///     }
/// }
/// assert_eq!(HostPort::upgrade("localhost:80".into()).unwrap().1, "80");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't convert `{Older}` to `{Newer}`",
    label = "not a `Converter<{Older}, {Newer}>`",
    note = "write `impl crd_conv::Converter<{Older}, {Newer}> for {Self}`, with the older version's type first"
)]
pub trait Converter<Older, Newer> {
    /// Makes the newer version's value from the older one's.
    ///
    /// # Errors
    ///
    /// Whatever the author refuses. The conversion of the object then fails with this error's text, the object's
    /// name, both versions and the field.
    fn upgrade(older: Older) -> Result<Newer, ConvertError>;

    /// Makes the older version's value from the newer one's.
    ///
    /// # Errors
    ///
    /// As for [`upgrade`](Converter::upgrade).
    fn downgrade(newer: Newer) -> Result<Older, ConvertError>;
}
