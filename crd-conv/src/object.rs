//! Reads the version, kind and name of an object from its text.

use std::borrow::Cow;

use memchr::memchr;

use crate::error::{ConversionError, NAMELESS};
use crate::json::{Scanner, SyntaxError};

/// An object's version and kind.
#[derive(Debug)]
pub(crate) struct Identity<'a> {
    pub(crate) api_version: Cow<'a, str>,
    pub(crate) kind: Cow<'a, str>,
    /// The position at which the group ends.
    slash: Option<usize>,
    text: &'a str,
    start: usize,
}

impl<'a> Identity<'a> {
    /// Reads version and kind without moving the scanner. An object usually starts with them, so
    /// little is read twice.
    pub(crate) fn read(scanner: &mut Scanner<'a>) -> Result<Self, ConversionError> {
        scanner.peek();
        let (text, start) = (scanner.text(), scanner.pos);
        let mark = scanner.mark();
        let found = find(scanner);
        scanner.reset(mark);
        let missing = |field: &str| ConversionError::Refused {
            object: object_name(text, start),
            reason: format!("it has no `{field}`"),
        };
        let (api_version, kind) = found?;
        let api_version = api_version.ok_or_else(|| missing("apiVersion"))?;
        let kind = kind.ok_or_else(|| missing("kind"))?;
        let slash = memchr(b'/', api_version.as_bytes());
        Ok(Self { api_version, kind, slash, text, start })
    }

    pub(crate) fn group(&self) -> &str {
        self.slash.map_or("", |slash| &self.api_version[..slash])
    }

    pub(crate) fn version(&self) -> &str {
        self.slash.map_or(&self.api_version, |slash| &self.api_version[slash + 1..])
    }

    pub(crate) fn refused(&self, reason: &str) -> ConversionError {
        let reason = format!("{reason} (it is {} {})", self.api_version, self.kind);
        ConversionError::Refused { object: object_name(self.text, self.start), reason }
    }
}

type Found<'a> = (Option<Cow<'a, str>>, Option<Cow<'a, str>>);

fn find<'a>(scanner: &mut Scanner<'a>) -> Result<Found<'a>, SyntaxError> {
    let (mut api_version, mut kind) = (None, None);
    scanner.enter_object()?;
    let mut first = true;
    while let Some(key) = scanner.next_member(first)? {
        first = false;
        let text = scanner.text();
        let target = match &*key.decoded(text) {
            "apiVersion" => &mut api_version,
            "kind" => &mut kind,
            _ => {
                scanner.skip_value()?;
                continue;
            }
        };
        *target = string(scanner)?;
        if api_version.is_some() && kind.is_some() {
            break;
        }
    }
    Ok((api_version, kind))
}

/// The string that starts here. Skips any other value and returns `None`.
pub(crate) fn string<'a>(scanner: &mut Scanner<'a>) -> Result<Option<Cow<'a, str>>, SyntaxError> {
    if scanner.peek() == b'"' {
        Ok(Some(scanner.string()?.decoded(scanner.text())))
    } else {
        scanner.skip_value()?;
        Ok(None)
    }
}

/// The name of the object that starts here, for messages: `namespace/name`, or a text for an object
/// without a name.
pub(crate) fn object_name(text: &str, start: usize) -> String {
    let mut scanner = Scanner::new(text);
    scanner.pos = start;
    let (mut namespace, mut name) = (None, None);
    // The text may be broken after the name, so an error only ends the search.
    let _ = find_name(&mut scanner, &mut namespace, &mut name);
    match (namespace, name) {
        (Some(namespace), Some(name)) => format!("`{namespace}/{name}`"),
        (None, Some(name)) => format!("`{name}`"),
        _ => NAMELESS.to_owned(),
    }
}

fn find_name<'a>(
    scanner: &mut Scanner<'a>,
    namespace: &mut Option<Cow<'a, str>>,
    name: &mut Option<Cow<'a, str>>,
) -> Result<(), SyntaxError> {
    scanner.enter_object()?;
    let mut first = true;
    while let Some(key) = scanner.next_member(first)? {
        first = false;
        if key.decoded(scanner.text()) != "metadata" {
            scanner.skip_value()?;
            continue;
        }
        scanner.enter_object()?;
        let mut first = true;
        while let Some(key) = scanner.next_member(first)? {
            first = false;
            match &*key.decoded(scanner.text()) {
                "namespace" => *namespace = string(scanner)?,
                "name" => *name = string(scanner)?,
                _ => scanner.skip_value()?,
            }
        }
        return Ok(());
    }
    Ok(())
}
