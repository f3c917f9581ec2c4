//! What is known of a type's values: a structural schema, reduced to nulls and defaults.

use std::collections::BTreeMap;

use crate::json::{Fidelity, canonical};
use crate::outline::{Outline, outline};
use crate::plan::{Declared, Facts, Tagging, WriteFn, leaves};

/// The form of which nothing is known.
pub(super) const NOTHING: usize = 0;

/// The forms of a value and of all in it.
#[derive(Debug)]
pub(super) struct Forms {
    all: Vec<Form>,
    /// That of the value.
    pub(super) root: usize,
    pub(super) has_defaults: bool,
    /// The forms of the types met so far: a type may hold itself.
    known: Vec<(Vec<Identity>, usize)>,
}

/// As in a structural schema there is one form at each place, whichever variant of an enum stands there.
#[derive(Debug, Default)]
pub(super) struct Form {
    /// Sorted by name.
    pub(super) members: Vec<(String, Place)>,
    /// Members of any other name.
    pub(super) rest: Option<Place>,
    pub(super) items: Option<Place>,
}

/// What is known of a member or an item.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// Whether the server leaves a null there.
    pub(super) nullable: bool,
    /// What the server fills in, in canonical form.
    pub(super) default: Option<String>,
    pub(super) form: usize,
}

impl Default for Forms {
    fn default() -> Self {
        let all = vec![Form::default()];
        Self { all, root: NOTHING, has_defaults: false, known: Vec::new() }
    }
}

/// What tells a type from others: what it is inside of, and where its fields or variants are.
type Identity = (Vec<bool>, usize);

/// A member of one of several types at one place.
enum Source {
    Field(&'static Facts),
    /// What a variant or a nested enum puts under a name of its own.
    Held(Option<Declared>),
}

/// What several types say of one place.
#[derive(Default)]
struct Sources {
    members: BTreeMap<String, Vec<Source>>,
    rest: Vec<Declared>,
    items: Vec<Declared>,
}

impl Forms {
    /// `None` if nothing is known.
    pub(super) fn of(declared: Option<Declared>) -> Option<Self> {
        let mut forms = Self::default();
        forms.root = forms.add(declared.into_iter().collect());
        (forms.root != NOTHING).then_some(forms)
    }

    pub(super) fn at(&self, form: usize) -> &Form {
        &self.all[form]
    }

    /// The form of a place at which a value of one of these types stands.
    fn add(&mut self, types: Vec<Declared>) -> usize {
        if types.is_empty() {
            return NOTHING;
        }
        if let [Declared::Foreign(ty)] = types[..] {
            return outline(ty).map_or(NOTHING, |outline| self.outlined(&outline));
        }
        // Each type once, so that there is an end where variants hold what holds them.
        let types: BTreeMap<Identity, Declared> =
            types.into_iter().map(|ty| (identity(ty, Vec::new()), ty)).collect();
        let identity: Vec<Identity> = types.keys().cloned().collect();
        if let Some((_, form)) = self.known.iter().find(|(known, _)| *known == identity) {
            return *form;
        }
        let form = self.all.len();
        self.all.push(Form::default());
        self.known.push((identity, form));
        let mut sources = Sources::default();
        for ty in types.into_values() {
            sources.collect(ty, &mut Vec::new());
        }
        let members = sources.members.into_iter();
        let members = members.map(|(name, sources)| (name, self.member(&sources))).collect();
        let rest = self.inside(sources.rest);
        let items = self.inside(sources.items);
        self.all[form] = Form { members, rest, items };
        form
    }

    fn inside(&mut self, types: Vec<Declared>) -> Option<Place> {
        // Whether null is a value there isn't declared.
        (!types.is_empty()).then(|| Place { nullable: true, default: None, form: self.add(types) })
    }

    fn member(&mut self, sources: &[Source]) -> Place {
        let mut types = Vec::new();
        let mut nullable = false;
        let mut defaults = Vec::new();
        for source in sources {
            let (field, inside) = match source {
                Source::Field(facts) => (Some(&facts.field), facts.field.inside.get()),
                Source::Held(inside) => (None, *inside),
            };
            nullable |= field.is_none_or(|field| field.nullable);
            defaults.push(field.and_then(|field| written(field.default?)));
            types.extend(inside);
        }
        // One that only some variants have is refused.
        let same = defaults.windows(2).all(|pair| pair[0] == pair[1]);
        let default = defaults.pop().flatten().filter(|_| same);
        self.has_defaults |= default.is_some();
        if let ([Source::Field(facts)], [Declared::Foreign(ty)]) = (sources, &types[..]) {
            let Some(outline) = outline(*ty) else {
                return Place { nullable, default, form: NOTHING };
            };
            // An `Option` whose values are names, for example, takes no null.
            let nullable = nullable && (facts.nullable.is_some() || outline.nullable);
            return Place { nullable, default, form: self.outlined(&outline) };
        }
        Place { nullable, default, form: self.add(types) }
    }

    /// The form of a type without the derive.
    fn outlined(&mut self, outline: &Outline) -> usize {
        let members = outline.members.iter();
        let members: Vec<_> =
            members.map(|(name, outline)| (name.clone(), self.place(outline))).collect();
        let rest = outline.rest.as_deref().map(|outline| self.place(outline));
        let items = outline.items.as_deref().map(|outline| self.place(outline));
        if members.is_empty() && rest.is_none() && items.is_none() {
            return NOTHING;
        }
        self.all.push(Form { members, rest, items });
        self.all.len() - 1
    }

    fn place(&mut self, outline: &Outline) -> Place {
        let Outline { nullable, default, .. } = outline;
        self.has_defaults |= default.is_some();
        Place { nullable: *nullable, default: default.clone(), form: self.outlined(outline) }
    }
}

impl Sources {
    fn member(&mut self, name: &str, source: Source) {
        self.members.entry(name.to_owned()).or_default().push(source);
    }

    /// Adds what a type says; `seen` are the enums that this one is in, at the same place.
    fn collect(&mut self, ty: Declared, seen: &mut Vec<*const ()>) {
        match ty {
            Declared::Fields(_, fields) => {
                for facts in leaves(fields) {
                    if facts.field.is_rest() {
                        self.rest.extend(ty.rest());
                    } else {
                        self.member(facts.field.wire, Source::Field(facts));
                    }
                }
            }
            Declared::Items(inside) => self.items.push(inside()),
            Declared::Values(inside) => self.rest.push(inside()),
            Declared::Around(name, inside) => self.member(name, Source::Held(inside.get())),
            Declared::Variants(_, tagging, variants) => {
                if seen.contains(&variants.as_ptr().cast()) {
                    return;
                }
                seen.push(variants.as_ptr().cast());
                for variant in variants {
                    match tagging {
                        Tagging::External => {
                            self.member(variant.wire, Source::Held(variant.inside().get()));
                        }
                        Tagging::Adjacent { content, .. } => {
                            self.member(content, Source::Held(variant.inside().get()));
                        }
                        Tagging::Internal { .. } | Tagging::Untagged => {
                            if let Some(inside) = variant.inside().get() {
                                self.collect(inside, seen);
                            }
                        }
                    }
                }
            }
            Declared::Foreign(_) => {}
        }
    }
}

fn identity(ty: Declared, mut within: Vec<bool>) -> Identity {
    match ty {
        Declared::Fields(_, fields) => (within, fields.as_ptr().addr()),
        Declared::Variants(_, _, variants) => (within, variants.as_ptr().addr()),
        Declared::Items(inside) => {
            within.push(false);
            identity(inside(), within)
        }
        Declared::Values(inside) => {
            within.push(true);
            identity(inside(), within)
        }
        Declared::Around(name, _) => (within, name.as_ptr().addr()),
        Declared::Foreign(ty) => (within, ty as usize),
    }
}

/// What a function of the derive writes, in canonical form.
pub(super) fn written(write: WriteFn) -> Option<String> {
    let (mut text, mut out) = (String::new(), String::new());
    let there = write(&mut text).unwrap_or(false);
    (there && canonical(&text, Fidelity::AsServed, &mut out).is_some()).then_some(out)
}
