//! Converters built from other converters.

use std::marker::PhantomData;

use super::sides::{Newer, NothingOfNone, Older, TextIn};
use crate::converter::{ConvertError, Converter};

/// A converter for all items of a list, built from a converter for one item: `Vec<A>` and `Vec<B>`.
///
/// After an edit, an item that still shows the same value gets its kept values back. If exactly one
/// item shows another value, and it is at its old position, it gets them back, too. In doubt, an
/// item gets no values that might belong to another item. For this comparison, the items of both
/// versions must be `Clone` and `PartialEq`.
///
/// ```
/// use crd_conv::{Converter, with::{Each, IntText}};
///
/// let ports = Each(IntText);
/// let texts: Vec<String> = ports.upgrade(vec![80, 443])?;
/// assert_eq!(texts, ["80", "443"]);
/// let numbers: Vec<i32> = ports.downgrade(vec!["8080".to_owned()])?;
/// assert_eq!(numbers, [8080]);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// The errors of the item's converter, with the item's position.
#[derive(Clone, Copy, Debug)]
pub struct Each<C>(pub C);

impl<C, O, N> Converter<Vec<O>, Vec<N>> for Each<C>
where
    C: Converter<O, N>,
    O: Clone + PartialEq,
    N: Clone + PartialEq,
{
    fn upgrade(&self, older: Vec<O>) -> Result<Vec<N>, ConvertError> {
        each(older, |_, item| self.0.upgrade(item))
    }

    fn downgrade(&self, newer: Vec<N>) -> Result<Vec<O>, ConvertError> {
        each(newer, |_, item| self.0.downgrade(item))
    }

    fn upgrade_edited(&self, older: Vec<O>, before: Vec<N>) -> Result<Vec<N>, ConvertError> {
        let shown = shown(&before, |item| self.0.downgrade(item));
        let mut partners = partners(&shown, &older);
        each(older, |place, item| match partners[place].take() {
            Some(Partner::Same(at)) => Ok(before[at].clone()),
            Some(Partner::Edited(at)) => self.0.upgrade_edited(item, before[at].clone()),
            None => self.0.upgrade(item),
        })
    }

    fn downgrade_edited(&self, newer: Vec<N>, before: Vec<O>) -> Result<Vec<O>, ConvertError> {
        let shown = shown(&before, |item| self.0.upgrade(item));
        let mut partners = partners(&shown, &newer);
        each(newer, |place, item| match partners[place].take() {
            Some(Partner::Same(at)) => Ok(before[at].clone()),
            Some(Partner::Edited(at)) => self.0.downgrade_edited(item, before[at].clone()),
            None => self.0.downgrade(item),
        })
    }
}

fn each<A, B>(
    items: Vec<A>,
    mut convert: impl FnMut(usize, A) -> Result<B, ConvertError>,
) -> Result<Vec<B>, ConvertError> {
    let items = items.into_iter().enumerate();
    let converted = items.map(|(place, item)| {
        convert(place, item).map_err(|error| format!("item {place}: {error}").into())
    });
    converted.collect()
}

fn shown<A: Clone, B>(
    before: &[A],
    convert: impl Fn(A) -> Result<B, ConvertError>,
) -> Vec<Option<B>> {
    before.iter().map(|item| convert(item.clone()).ok()).collect()
}

/// The item that this one was before an edit.
enum Partner {
    Same(usize),
    Edited(usize),
}

fn partners<T: PartialEq>(shown: &[Option<T>], now: &[T]) -> Vec<Option<Partner>> {
    let mut partners: Vec<Option<Partner>> = Vec::with_capacity(now.len());
    for (place, item) in now.iter().enumerate() {
        let alike = || (0..shown.len()).filter(|at| shown[*at].as_ref() == Some(item));
        // If equal items are fewer or more than before, it is unknown which of them remain.
        let known = alike().count() == now.iter().filter(|other| *other == item).count();
        let nth = now[..place].iter().filter(|other| *other == item).count();
        partners.push(alike().nth(nth).filter(|_| known).map(Partner::Same));
    }
    let free = |at: &usize| {
        !partners.iter().any(|partner| matches!(partner, Some(Partner::Same(same)) if same == at))
    };
    let mut gone = (0..shown.len()).filter(free);
    if let (Some(at), None) = (gone.next(), gone.next())
        && shown.len() == now.len()
        && matches!(partners.get(at), Some(None))
    {
        partners[at] = Some(Partner::Edited(at));
    }
    partners
}

/// Two converters in sequence, by way of a third type: from `A` to `M` to `B`.
///
/// ```
/// use crd_conv::{Converter, with::{First, IntText, Then}};
///
/// // A number becomes a list of texts.
/// let ports = Then::<_, _, String>::new(IntText, First);
/// assert_eq!(ports.upgrade(80)?, ["80"]);
/// let kept = ports.upgrade_edited(443, vec!["80".to_owned(), "8080".to_owned()])?;
/// assert_eq!(kept, ["443", "8080"]);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// The errors of both converters.
#[derive(Debug)]
pub struct Then<A, B, M> {
    first: A,
    second: B,
    between: PhantomData<fn() -> M>,
}

impl<A, B, M> Then<A, B, M> {
    /// Puts two converters in sequence. The first one is on the side of the older version.
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second, between: PhantomData }
    }
}

impl<A: TextIn<Older>, B, M> TextIn<Older> for Then<A, B, M> {}
impl<A, B: TextIn<Newer>, M> TextIn<Newer> for Then<A, B, M> {}
impl<A: NothingOfNone<Older>, B, M> NothingOfNone<Older> for Then<A, B, M> {}
impl<A, B: NothingOfNone<Newer>, M> NothingOfNone<Newer> for Then<A, B, M> {}

impl<A, B, M, O, N> Converter<O, N> for Then<A, B, M>
where
    A: Converter<O, M>,
    B: Converter<M, N>,
    O: Clone,
    N: Clone,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        self.second.upgrade(self.first.upgrade(older)?)
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        self.first.downgrade(self.second.downgrade(newer)?)
    }

    fn upgrade_edited(&self, older: O, before: N) -> Result<N, ConvertError> {
        let between = match self.second.downgrade(before.clone()) {
            Ok(between) => self.first.upgrade_edited(older, between)?,
            Err(_) => self.first.upgrade(older)?,
        };
        self.second.upgrade_edited(between, before)
    }

    fn downgrade_edited(&self, newer: N, before: O) -> Result<O, ConvertError> {
        let between = match self.first.upgrade(before.clone()) {
            Ok(between) => self.second.downgrade_edited(newer, between)?,
            Err(_) => self.second.downgrade(newer)?,
        };
        self.first.downgrade_edited(between, before)
    }
}

/// A converter with the directions swapped: its upgrade becomes the downgrade, and its downgrade
/// the upgrade.
///
/// ```
/// use crd_conv::{Converter, with::{First, Inverse}};
///
/// let first: i32 = Inverse(First).upgrade(vec![80, 443])?;
/// assert_eq!(first, 80);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// # Errors
///
/// The errors of the converter.
#[derive(Clone, Copy, Debug)]
pub struct Inverse<C>(pub C);

impl<C: TextIn<Older>> TextIn<Newer> for Inverse<C> {}
impl<C: TextIn<Newer>> TextIn<Older> for Inverse<C> {}
impl<C: NothingOfNone<Older>> NothingOfNone<Newer> for Inverse<C> {}
impl<C: NothingOfNone<Newer>> NothingOfNone<Older> for Inverse<C> {}

impl<C: Converter<N, O>, O, N> Converter<O, N> for Inverse<C> {
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        self.0.downgrade(older)
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        self.0.upgrade(newer)
    }

    fn upgrade_edited(&self, older: O, before: N) -> Result<N, ConvertError> {
        self.0.downgrade_edited(older, before)
    }

    fn downgrade_edited(&self, newer: N, before: O) -> Result<O, ConvertError> {
        self.0.upgrade_edited(newer, before)
    }
}

/// A converter for `Option`s, or groups of them, built from a converter of their contents.
///
/// `None` becomes `None`. In an attribute you don't need it: there, a converter of `String` and
/// `(String, u16)` also converts `Option<String>` and `(Option<String>, Option<u16>)`. Inside other
/// converters you do need it.
///
/// ```
/// use crd_conv::{Converter, with::{Each, IntText, Optional, Template}};
///
/// let texts: Vec<Option<String>> = Each(Optional(IntText)).upgrade(vec![Some(80), None])?;
/// assert_eq!(texts, [Some("80".to_owned()), None]);
///
/// let endpoint = Optional(Template::<2>::new("{host}:{port}"));
/// let parts: (Option<String>, Option<u16>) = endpoint.upgrade(Some("localhost:80".to_owned()))?;
/// assert_eq!(parts, (Some("localhost".to_owned()), Some(80)));
/// let parts: (Option<String>, Option<u16>) = endpoint.upgrade(None::<String>)?;
/// assert_eq!(parts, (None, None));
/// // A group with a gap counts as none.
/// let text: Option<String> = endpoint.downgrade((Some("localhost".to_owned()), None::<u16>))?;
/// assert_eq!(text, None);
/// # Ok::<(), crd_conv::ConvertError>(())
/// ```
///
/// If only some fields of a group are present, the group is incomplete. The other version then
/// shows none, and the present fields are kept. They are restored, unless a client writes the value
/// in the other version.
///
/// # Errors
///
/// The errors of the converter.
#[derive(Clone, Copy, Debug)]
pub struct Optional<C>(pub C);

/// An `Option`, or a group of two to eight of them: `(Option<A>, Option<B>)`.
pub trait Options: Sized {
    /// The contents: `A`, or `(A, B)`.
    type Inside;
    #[doc(hidden)]
    fn all(self) -> Option<Self::Inside>;
    #[doc(hidden)]
    fn of(inside: Option<Self::Inside>) -> Self;
}

impl<T> Options for Option<T> {
    type Inside = T;

    fn all(self) -> Self {
        self
    }

    fn of(inside: Self) -> Self {
        inside
    }
}

macro_rules! options {
    ($($field:ident)*) => {
        #[expect(non_snake_case, reason = "named as their types")]
        impl<$($field),*> Options for ($(Option<$field>,)*) {
            type Inside = ($($field,)*);

            fn all(self) -> Option<Self::Inside> {
                let ($($field,)*) = self;
                Some(($($field?,)*))
            }

            fn of(inside: Option<Self::Inside>) -> Self {
                match inside {
                    Some(($($field,)*)) => ($(Some($field),)*),
                    None => ($(None::<$field>,)*),
                }
            }
        }
    };
}

options!(A B);
options!(A B C);
options!(A B C D);
options!(A B C D E);
options!(A B C D E F);
options!(A B C D E F G);
options!(A B C D E F G H);

impl<C, O, N> Converter<O, N> for Optional<C>
where
    C: Converter<O::Inside, N::Inside>,
    O: Options,
    N: Options,
{
    fn upgrade(&self, older: O) -> Result<N, ConvertError> {
        let newer = older.all().map(|older| self.0.upgrade(older));
        newer.transpose().map(N::of)
    }

    fn downgrade(&self, newer: N) -> Result<O, ConvertError> {
        let older = newer.all().map(|newer| self.0.downgrade(newer));
        older.transpose().map(O::of)
    }

    fn upgrade_edited(&self, older: O, before: N) -> Result<N, ConvertError> {
        let newer = older.all().map(|older| match before.all() {
            Some(before) => self.0.upgrade_edited(older, before),
            None => self.0.upgrade(older),
        });
        newer.transpose().map(N::of)
    }

    fn downgrade_edited(&self, newer: N, before: O) -> Result<O, ConvertError> {
        let older = newer.all().map(|newer| match before.all() {
            Some(before) => self.0.downgrade_edited(newer, before),
            None => self.0.downgrade(newer),
        });
        older.transpose().map(O::of)
    }
}
