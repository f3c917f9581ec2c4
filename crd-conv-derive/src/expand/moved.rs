//! Values that move between structs. The paths to them are written as trees of the structs along
//! them.

mod account;
mod rule;
mod start;

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

pub(super) use account::{account, holder};
use start::Start;
pub(super) use start::{field, stanza};

use super::converted::Place;
use crate::{
    model::{Moves, Path, Root, Status, Way},
    name::{Name, dotted},
};

/// Returns the items that check the paths, and the rules.
pub(super) fn moved(
    moves: &Moves,
    start: impl Fn(&Root, bool) -> Option<Start>,
) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let mut ways = Ways { items: Vec::new(), count: 0 };
    let mut ends = [Ends::new(), Ends::new()];
    for is_newer in [false, true] {
        let paths = moves
            .ways
            .iter()
            .flat_map(|way| way.paths(is_newer).iter().map(move |path| (way, path)));
        let ends = &mut ends[usize::from(is_newer)];
        ends.extend(paths.clone().map(|_| None));
        let roots = if is_newer { &moves.newer } else { &moves.older };
        for root in roots {
            // A start that doesn't exist was reported already.
            let Some(start) = start(root, is_newer) else { continue };
            let of_root: Vec<Rest<'_>> = paths
                .clone()
                .enumerate()
                .filter(|(_, (_, path))| path[0].text == root.name.text)
                .map(|(at, (way, path))| Rest { at, way, names: &path[1..] })
                .collect();
            ways.start(root, &start, is_newer, &of_root, moves, ends);
        }
    }
    let [mut older, mut newer] = ends.map(Vec::into_iter);
    let rules = moves.ways.iter().filter_map(|way| {
        let older: Ends = older.by_ref().take(way.older.len()).collect();
        let newer: Ends = newer.by_ref().take(way.newer.len()).collect();
        let ends = [older, newer].map(|ends| ends.into_iter().collect::<Option<Vec<_>>>());
        let [Some(older), Some(newer)] = ends else { return None };
        ways.rule(&older, &newer, way)
    });
    let rules = rules.collect();
    (ways.items, rules)
}

/// The ends of all ways in one of the versions. `None` for one that wasn't found.
type Ends = Vec<Option<End>>;

/// The rest of a path.
#[derive(Clone, Copy)]
struct Rest<'w> {
    /// The end's place among [`Ends`].
    at: usize,
    way: &'w Way,
    names: &'w [Name],
}

/// A moved value in one of the versions.
struct End {
    name: Name,
    ty: TokenStream,
    /// `None` for a stanza as a whole, which no converter takes.
    place: Option<Place>,
    facts: TokenStream,
    shown: TokenStream,
    /// Whether the struct that has the field may be made from the moved values.
    made: TokenStream,
    /// Whether the field that holds the value is flattened.
    flat: TokenStream,
    /// The fields along the path, as the plan lists them.
    parts: Vec<TokenStream>,
    /// The check of a value that is in no struct here. It doesn't apply if the other version's
    /// struct is flattened, because the value then stays next to the same fields.
    beside: Option<TokenStream>,
}

/// A struct on the path to moved values.
struct Held {
    own: TokenStream,
    other: TokenStream,
    /// Whether only this version has it.
    one_sided: TokenStream,
    /// Whether the struct may be made from the moved values.
    made: TokenStream,
    parts: Vec<TokenStream>,
    flat: TokenStream,
    span: proc_macro2::Span,
}

struct Ways {
    items: Vec<TokenStream>,
    count: usize,
}

impl Ways {
    fn start(
        &mut self,
        root: &Root,
        start: &Start,
        is_newer: bool,
        ways: &[Rest<'_>],
        moves: &Moves,
        ends: &mut Ends,
    ) {
        let Start { facts, shown, field, one_sided, flat, span, .. } = start;
        let text = &root.name.text;
        let span = *span;
        if let Some(Rest { at, way, .. }) = ways.iter().find(|rest| rest.names.is_empty()) {
            let other = way.single(!is_newer).map(Vec::as_slice);
            let span = if is_newer { span } else { root.name.ident.span() };
            self.items.push(quote_spanned! {span=>
                const _: () = __p::not_flattened(#facts, #shown, #text);
            });
            ends[*at] = Some(End {
                name: root.name.clone(),
                ty: start.ty.clone(),
                place: start.own.clone().map(Place::Own),
                facts: facts.clone(),
                shown: shown.clone(),
                made: quote!(false),
                flat: quote!(false),
                parts: vec![quote!(__p::Part::new(#field, &[]))],
                beside: Some(if let Some([other @ .., _]) = other {
                    let other = dotted(other);
                    quote_spanned!(span=> __p::beside(#facts, #shown, #text, #other))
                } else {
                    quote_spanned!(span=> __p::together(#facts, #shown, #text))
                }),
            });
            return;
        }
        self.items.push(quote_spanned! {span=>
            const _: () = __p::holder(#one_sided, #facts, #shown, #text);
        });
        self.one_place(&start.held, shown, &root.name);
        // In a flattened struct, only values that move between it and the fields next to it have a
        // place in JSON.
        let stays = |rest: &Rest<'_>| {
            rest.names.len() == 1
                && rest.way.single(!is_newer).is_some_and(|other| other.len() == 1)
        };
        if !ways.iter().all(stays) {
            self.items.push(quote_spanned! {span=>
                const _: () = __p::on_the_way(#facts, #shown, #text);
            });
        }
        let held = Held {
            own: start.held.clone(),
            other: start.other.clone(),
            one_sided: one_sided.clone(),
            made: if stays_within(root, is_newer, moves) {
                quote!(#one_sided && !#flat)
            } else {
                quote!((#one_sided || (#field).optional) && !#flat)
            },
            flat: flat.clone(),
            parts: vec![field.clone()],
            span,
        };
        self.inside(held, is_newer, ways, ends);
    }

    /// ```text
    /// const __OWN0: &[__p::Facts] = __p::held::<CronTabSpec, __p::At<2>, _>().fields();
    /// const __SKIPPED0: &[&str] = __p::held::<CronTabSpec, __p::At<2>, _>().skipped();
    /// const __ACCOUNT0: &__p::Account = __p::account(…);
    /// type __In0_0 = __p::At<{ __p::field(__OWN0, __SKIPPED0, __OWN_NAME0, "timeout", __p::Reason::Named) }>;
    /// const __ONE0_0: bool = __p::only_here(__ACCOUNT0, true, __OWN0, …, "timeout", true);
    /// ```
    fn inside(&mut self, held: Held, is_newer: bool, ways: &[Rest<'_>], ends: &mut Ends) {
        let number = self.count;
        self.count += 1;
        let [own, skipped, name, other, other_name, account, of, others] =
            ["OWN", "SKIPPED", "OWN_NAME", "OTHER", "OTHER_NAME", "ACCOUNT", "OF", "REST"]
                .map(|item| format_ident!("__{item}{number}"));
        let Held { own: find, other: find_other, one_sided, made, parts, flat, span: held_span } =
            held;
        let (older, newer) = if is_newer { (&find_other, &find) } else { (&find, &find_other) };
        let pair = quote_spanned!(held_span=> &#older, &#newer);
        let children = firsts(ways);
        let texts: Vec<&String> = children.iter().map(|child| &child.text).collect();
        let span =
            children.first().map_or_else(proc_macro2::Span::call_site, |child| child.ident.span());
        self.items.push(quote_spanned! {held_span=>
            const #own: &[__p::Facts] = #find.fields();
            const #skipped: __p::Texts = #find.skipped();
            const #name: &::core::primitive::str = #find.name();
            const #other: &[__p::Facts] = #find_other.fields();
            const #other_name: &::core::primitive::str = #find_other.name();
            const #account: &__p::Account = __p::account(#pair);
            // The struct's other fields can have values only if both versions have the struct.
            const #of: ::core::option::Option<&__p::Account> = if #one_sided {
                ::core::option::Option::None
            } else {
                ::core::option::Option::Some(#account)
            };
            const #others: [__p::Field; __p::others_count(#own, &[#(#texts),*])] =
                __p::others(#own, &[#(#texts),*]);
        });
        let made_of = quote_spanned! {span=>
            const _: () = if #made { __p::made_of(#of, #own, #name, &[#(#texts),*], #is_newer) };
        };
        let mut parts = parts;
        if let Some(last) = parts.pop() {
            parts.push(quote!(__p::Part::new(#last, &#others)));
        }
        for (at, child) in children.iter().enumerate() {
            let (span, text) = (child.ident.span(), &child.text);
            let is_inside = |rest: &&Rest<'_>| rest.names[0].text == child.text;
            let rest: Vec<Rest<'_>> = ways
                .iter()
                .filter(is_inside)
                .map(|rest| Rest { names: &rest.names[1..], ..*rest })
                .collect();
            let last = rest.iter().find(|rest| rest.names.is_empty());
            // The other values of a group come only together with this one.
            let comes_with =
                |other: &Rest<'_>| last.is_some_and(|last| std::ptr::eq(last.way, other.way));
            let is_alone = !ways.iter().any(|other| !is_inside(&other) && !comes_with(other));
            let is_last = last.is_some();
            let inside = format_ident!("__In{number}_{at}", span = span);
            let one = format_ident!("__ONE{number}_{at}", span = span);
            let field =
                quote_spanned!(span=> __p::field(#own, #skipped, #name, #text, __p::Reason::Named));
            self.items.push(quote_spanned! {span=>
                type #inside = __p::At<{ #field }>;
                const #one: ::core::primitive::bool = #one_sided || __p::only_here(
                    #account, #is_newer, #own, #name, #other, #other_name, #text, #is_last,
                );
                const _: () = if #one_sided { __p::not_aliased(#own, #name, #text) };
                const _: () = __p::on_the_way(#own, #name, #text);
                const _: () = if #made { __p::one_of(#of, #own, #name, #text, #is_newer, #is_alone) };
            });
            let known = quote!(__p::known(#own, #text));
            if let Some(Rest { at, .. }) = last {
                let mut parts = parts.clone();
                parts.push(quote!(__p::Part::new(#known, &[])));
                ends[*at] = Some(End {
                    name: (*child).clone(),
                    ty: quote_spanned!(span=> __p::inside_ty::<#inside, _, _>(&#find)),
                    place: Some(Place::Held { at: inside.clone(), of: find.clone() }),
                    facts: quote!(#own),
                    shown: quote!(#name),
                    made: made.clone(),
                    flat: flat.clone(),
                    parts,
                    beside: None,
                });
                continue;
            }
            let out = format_ident!("__Out{number}_{at}", span = span);
            self.items.push(quote_spanned! {span=>
                type #out = __p::At<{
                    if #one { __p::NOWHERE } else { __p::counterpart(#account, #is_newer, #other, #text) }
                }>;
            });
            let mut parts = parts.clone();
            parts.push(known.clone());
            let held = Held {
                own: quote_spanned!(span=> __p::held_in::<#inside, _, _>(&#find)),
                other: quote_spanned!(span=> __p::held_in::<#out, _, _>(&#find_other)),
                one_sided: quote!(#one),
                made: quote!(#made || #one || (#known).optional),
                parts,
                flat: quote!(false),
                span,
            };
            self.one_place(&held.own, &quote!(#name), child);
            self.inside(held, is_newer, &rest, ends);
        }
        // These checks come after the names, so that mistakes in names are reported first.
        self.items.push(made_of);
    }

    fn one_place(&mut self, held: &TokenStream, shown: &TokenStream, name: &Name) {
        let (span, text) = (name.ident.span(), &name.text);
        self.items.push(quote_spanned! {span=>
            const _: () = __p::one_place(&#held, #shown, #text);
        });
    }
}

/// Returns the first name of each way, once.
fn firsts<'w>(ways: &[Rest<'w>]) -> Vec<&'w Name> {
    let mut firsts: Vec<&Name> = Vec::new();
    for first in ways.iter().filter_map(|rest| rest.names.first()) {
        if !firsts.iter().any(|known| known.text == first.text) {
            firsts.push(first);
        }
    }
    firsts
}

/// Whether all values that move within a struct of both versions also come from that struct. If so,
/// the struct is never made from them.
fn stays_within(root: &Root, is_newer: bool, moves: &Moves) -> bool {
    let twin = match &root.status {
        Status::OneSided => return false,
        Status::Kept(name) => name,
        Status::Perhaps => &root.name.text,
    };
    let comes_from = |path: &Path| path.len() > 1 && path[0].text == *twin;
    moves.ways.iter().all(|way| {
        let enters = way.paths(is_newer).iter().any(|path| path[0].text == root.name.text);
        !enters || way.paths(!is_newer).iter().all(comes_from)
    })
}
