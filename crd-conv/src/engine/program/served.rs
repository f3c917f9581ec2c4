//! What the API server makes of the values of a type between two conversions, at every depth.
//!
//! When it decodes an object, it drops each null of a field that isn't nullable, and fills in the defaults of fields that
//! are absent. What a converter writes, what a guard says and what it is compared with, and what the author wrote as a
//! value or a default are all put into this form first, so that none of them changes by itself.
//!
//! What is known comes from the derive, or for a type without it from its `JsonSchema`. Nothing is dropped from or filled
//! into the values of other types.
//!
//! Source: `PruneNonNullableNullsWithoutDefaults` and `Default` of `pkg/apiserver/schema/defaulting` in
//! `k8s.io/apiextensions-apiserver`.

mod forms;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use crate::json::{Fidelity, Scanner, canonical, is_plain_string, quote};
use crate::plan::{Declared, Field, Indexed, WriteFn};
use forms::{Forms, NOTHING, Place, written};

/// What the API server makes of a field's values. What there is to know of the type is found out when it is first asked
/// for: most fields hold plain values, and no rule asks for the others.
#[derive(Clone, Debug)]
pub(crate) struct Served {
    inside: Indexed<Declared>,
    forms: OnceLock<Option<Arc<Forms>>>,
}

/// What a null member of an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    /// What it is to the API server.
    AsServed,
    /// What serde writes for an absent `Option` in a value of the author's.
    Absent,
}

impl Served {
    pub(super) fn new(field: &Field) -> Self {
        Self { inside: field.inside, forms: OnceLock::new() }
    }

    /// The canonical form of what the server makes of a value. A text that has none stays as it is.
    pub(crate) fn value<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut out = String::new();
        if is_plain_string(text) || canonical(text, Fidelity::AsServed, &mut out).is_none() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.complete(out, Nulls::AsServed))
    }

    /// The canonical form of what the server makes of a value that the author wrote; `None` if there is none.
    pub(super) fn written(&self, write: WriteFn) -> Option<String> {
        Some(self.complete(written(write)?, Nulls::Absent))
    }

    /// Does to a text in canonical form what the server does.
    fn complete(&self, text: String, nulls: Nulls) -> String {
        if !text.starts_with(['{', '[']) {
            return text;
        }
        let forms =
            self.forms.get_or_init(|| Forms::of(self.inside.get()).map(Arc::new)).as_deref();
        let idle = forms.is_none_or(|forms| !forms.has_defaults);
        if idle && !text.contains("null") || forms.is_none() && nulls == Nulls::AsServed {
            return text;
        }
        let nothing = Forms::default();
        let mut writer =
            Writer { forms: forms.unwrap_or(&nothing), out: String::new(), open: Vec::new() };
        let root = writer.forms.root;
        match writer.value(&mut Scanner::new(&text), root, nulls) {
            Some(()) => writer.out,
            None => text,
        }
    }
}

/// Writes what the server makes of a text in canonical form, which has no white space and sorted keys.
struct Writer<'f> {
    forms: &'f Forms,
    out: String,
    /// The members whose defaults are being written: one that holds itself isn't written again.
    open: Vec<(usize, usize)>,
}

impl Writer<'_> {
    fn value(&mut self, scanner: &mut Scanner<'_>, form: usize, nulls: Nulls) -> Option<()> {
        match scanner.peek() {
            b'{' if form != NOTHING || nulls == Nulls::Absent => self.object(scanner, form, nulls),
            b'[' if form != NOTHING || nulls == Nulls::Absent => {
                let place = self.forms.at(form).items.as_ref();
                scanner.enter_array().ok()?;
                self.out.push('[');
                let mut first = true;
                while scanner.next_element(first).ok()? {
                    if !first {
                        self.out.push(',');
                    }
                    first = false;
                    self.value(scanner, place.map_or(NOTHING, |place| place.form), nulls)?;
                }
                self.out.push(']');
                Some(())
            }
            _ => {
                let start = scanner.pos;
                scanner.skip_value().ok()?;
                self.out.push_str(&scanner.text()[start..scanner.pos]);
                Some(())
            }
        }
    }

    fn object(&mut self, scanner: &mut Scanner<'_>, form: usize, nulls: Nulls) -> Option<()> {
        let text = scanner.text();
        let known = self.forms.at(form);
        scanner.enter_object().ok()?;
        self.out.push('{');
        let start = self.out.len();
        let (mut next, mut first) = (0, true);
        while let Some(key) = scanner.next_member(first).ok()? {
            first = false;
            let name = key.decoded(text);
            while known.members.get(next).is_some_and(|(other, _)| other.as_str() < &*name) {
                self.fill(start, form, next)?;
                next += 1;
            }
            let member =
                known.members.get(next).filter(|(other, _)| *other == name).map(|(_, place)| place);
            let place = member.or(known.rest.as_ref());
            let is_null = text[scanner.pos..].starts_with("null");
            let drops = |place: &Place| !place.nullable;
            // In a map of the author's a null has a key, and so is there.
            let is_absent = nulls == Nulls::Absent && (member.is_some() || known.rest.is_none());
            if is_null && (is_absent || place.is_some_and(drops)) {
                scanner.skip_value().ok()?;
                if member.is_some() {
                    self.fill(start, form, next)?;
                }
            } else {
                self.key(start, &text[key.start - 1..=key.end]);
                self.value(scanner, place.map_or(NOTHING, |place| place.form), nulls)?;
            }
            next += usize::from(member.is_some());
        }
        for member in next..known.members.len() {
            self.fill(start, form, member)?;
        }
        self.out.push('}');
        Some(())
    }

    /// Writes a member's default, if it has one.
    fn fill(&mut self, start: usize, form: usize, member: usize) -> Option<()> {
        let forms = self.forms;
        let (name, place) = &forms.at(form).members[member];
        let Some(default) = place.default.as_deref().filter(|default| *default != "null") else {
            return Some(());
        };
        if self.open.contains(&(form, member)) {
            return Some(());
        }
        self.open.push((form, member));
        let mut key = String::new();
        quote(name, &mut key);
        self.key(start, &key);
        self.value(&mut Scanner::new(default), place.form, Nulls::Absent)?;
        self.open.pop();
        Some(())
    }

    fn key(&mut self, start: usize, quoted: &str) {
        if self.out.len() > start {
            self.out.push(',');
        }
        self.out.push_str(quoted);
        self.out.push(':');
    }
}

impl Field {
    /// The canonical form of what the API server makes of a value that the author wrote for the field.
    pub(super) fn served(&self, write: WriteFn) -> Option<String> {
        Served::new(self).written(write)
    }
}
