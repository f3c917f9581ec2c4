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
/// A converter is a pure function. It sees the values and nothing else; a conversion webhook runs on every read. What it
/// needs to know besides, such as a separator, it holds itself: in an attribute stands a constant, `with = HostPort` or
/// `with = Split(':')`. [`with`](crate::with) has those that many APIs need.
///
/// ```
/// use crd_conv::{ConvertError, Converter};
///
/// /// `host:port` in one string.
/// struct HostPort;
///
/// impl Converter<String, (String, String)> for HostPort {
///     fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
///         let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
///         Ok((host.to_owned(), port.to_owned()))
///     }
///     fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
///         Ok(format!("{host}:{port}"))
///     }
/// }
/// assert_eq!(HostPort.upgrade("localhost:80".into()).unwrap().1, "80");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't convert `{Older}` to `{Newer}`",
    label = "not a `Converter<{Older}, {Newer}>`",
    note = "a function converts in one direction only: `with(upgrade = function, downgrade = function)` takes one for each",
    note = "write the converter as a type of your own, with `impl crd_conv::Converter<{Older}, {Newer}>`, the older version's type first",
    note = "if all fields of the mapping are `Option`s, a converter of what is in them is enough; if some of them are, make all or none of \
            them `Option`s, or write a converter that says what stands for none",
    note = "one of `crd_conv::with` converts the types that its documentation names: `Inverse(…)` swaps the two versions, `Each(…)` \
            does it for every item, and `Then::<_, _, Between>::new(…, …)` puts two in a row"
)]
pub trait Converter<Older, Newer> {
    /// Makes the newer version's value from the older one's.
    ///
    /// # Errors
    ///
    /// Whatever the author refuses. The conversion of the object then fails with this error's text, the object's
    /// name, both versions and the field, unless the mapping has a `fallback`. One stored object that fails makes every list of the
    /// resource fail at that version, so the law *total* of [`laws!`](crate::laws) asks for a `fallback`, or a reason in `refuses`.
    fn upgrade(&self, older: Older) -> Result<Newer, ConvertError>;

    /// Makes the older version's value from the newer one's.
    ///
    /// # Errors
    ///
    /// As for [`upgrade`](Converter::upgrade).
    fn downgrade(&self, newer: Newer) -> Result<Older, ConvertError>;

    /// Makes the newer version's value after a client has edited the older one's. `before` is what stood in the newer
    /// version before the edit, as far as that was kept, and what the older version has no room for may be taken from it:
    /// the order of a list, or its other items.
    ///
    /// What the edit says must be in the result: whatever was deleted mustn't come back. Without an own implementation
    /// the edit alone counts.
    ///
    /// # Errors
    ///
    /// As for [`upgrade`](Converter::upgrade).
    fn upgrade_edited(&self, older: Older, before: Newer) -> Result<Newer, ConvertError> {
        let _ = before;
        self.upgrade(older)
    }

    /// Makes the older version's value after a client has edited the newer one's, as
    /// [`upgrade_edited`](Converter::upgrade_edited) does in the other direction.
    ///
    /// # Errors
    ///
    /// As for [`upgrade`](Converter::upgrade).
    fn downgrade_edited(&self, newer: Newer, before: Older) -> Result<Older, ConvertError> {
        let _ = before;
        self.downgrade(newer)
    }
}
