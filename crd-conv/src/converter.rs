//! Conversions that an author writes for fields whose value has another form in the next version.

/// The reason why a converter refuses a value.
///
/// `?` works on every error type, and `"text".into()` makes an error from a sentence.
pub type ConvertError = Box<dyn std::error::Error + Send + Sync>;

/// A conversion of one field, or one group of fields, in both directions.
///
/// `Older` and `Newer` are the Rust types of the fields. For one field, that is the field's type.
/// For several fields, it is a tuple in the order of the mapping.
///
/// The two directions need not be inverse to each other. The engine keeps what one of them loses,
/// and restores it on the way back.
///
/// A converter must be a pure function. It sees only the values, and a conversion webhook runs it
/// on every read. If it needs a parameter, such as a separator, it holds the parameter itself. In
/// an attribute you write a constant: `with = HostPort` or `with = Split(':')`.
/// [`with`](crate::with) has the converters that many APIs need.
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
    note = "if all fields of the mapping are `Option`s, a converter of the values inside them is enough; if only some of them are, make \
            all or none of them `Option`s, or write a converter that says what an absent value becomes",
    note = "a converter of `crd_conv::with` converts only the types that its documentation names: `Inverse(…)` swaps the two versions, \
            `Each(…)` converts every item, and `Then::<_, _, Between>::new(…, …)` chains two converters"
)]
pub trait Converter<Older, Newer> {
    /// Makes the newer version's value from the older one's.
    ///
    /// # Errors
    ///
    /// Returns an error for each value that the author refuses. Unless the mapping has a
    /// `fallback`, the conversion of the object then fails. The message has this error's text, the
    /// object's name, both versions and the field.
    ///
    /// If one stored object fails, every list of the resource fails at that version. So the law
    /// *total* of [`laws!`](crate::laws) requires a `fallback`, or a reason in `refuses`.
    fn upgrade(&self, older: Older) -> Result<Newer, ConvertError>;

    /// Makes the older version's value from the newer one's.
    ///
    /// # Errors
    ///
    /// The same as for [`upgrade`](Converter::upgrade).
    fn downgrade(&self, newer: Newer) -> Result<Older, ConvertError>;

    /// Makes the newer version's value after a client has edited the older one's.
    ///
    /// `before` is the newer version's value from before the edit, as far as it was kept. The
    /// result may take from it what the older version can't express: the order of a list, or its
    /// other items.
    ///
    /// The result must contain the edit: a deleted value must not reappear. The default
    /// implementation ignores `before`, so that only the edit counts.
    ///
    /// # Errors
    ///
    /// The same as for [`upgrade`](Converter::upgrade).
    fn upgrade_edited(&self, older: Older, before: Newer) -> Result<Newer, ConvertError> {
        let _ = before;
        self.upgrade(older)
    }

    /// Makes the older version's value after a client has edited the newer one's.
    ///
    /// This is the counterpart of [`upgrade_edited`](Converter::upgrade_edited) for the other
    /// direction.
    ///
    /// # Errors
    ///
    /// The same as for [`upgrade`](Converter::upgrade).
    fn downgrade_edited(&self, newer: Newer, before: Older) -> Result<Older, ConvertError> {
        let _ = before;
        self.downgrade(newer)
    }
}

/// A literal or constant that may be written for a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "this value isn't of the field's type `{T}`",
    label = "`{Self}`, but the field is `{T}`",
    note = "a value is a literal such as `3`, `-1.5`, `true` or `\"text\"`, or the path of a const or a variant of the field's type",
    note = "instead of a value in `default`, `added` or `removed`, a function can return it: write `#[serde(default = \"function\")]` on \
            the field",
    note = "an `Option` takes no value in `added` and `removed`: it is absent in objects that never had one"
)]
pub trait Fill<T> {
    /// Returns the value.
    fn into_value(self) -> T;
}

impl<T> Fill<T> for T {
    fn into_value(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl Fill<String> for &str {
    fn into_value(self) -> String {
        self.to_owned()
    }
}

/// A literal or constant that a `fallback` may show for a value of type `T`.
#[diagnostic::on_unimplemented(
    message = "this value isn't of the field's type `{T}`",
    label = "`{Self}`, but the field is `{T}`",
    note = "a fallback is a literal such as `3`, `-1.5`, `true` or `\"text\"`, or the path of a const or a variant of the field's type; \
            for an `Option`, leave out the `Some`, or write `_` to leave out the field"
)]
pub trait Fallback<T> {
    /// Returns the value.
    fn into_value(self) -> T;
}

impl<T> Fallback<T> for T {
    fn into_value(self) -> T {
        self
    }
}

impl<T> Fallback<Option<T>> for T {
    fn into_value(self) -> Option<T> {
        Some(self)
    }
}

#[diagnostic::do_not_recommend]
impl Fallback<String> for &str {
    fn into_value(self) -> String {
        self.to_owned()
    }
}

#[diagnostic::do_not_recommend]
impl Fallback<Option<String>> for &str {
    fn into_value(self) -> Option<String> {
        Some(self.to_owned())
    }
}
