//! Groups of values that move together, in every place where a value can move.

use std::collections::BTreeMap;

use crd_conv::{ConvertError, Converter, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Swaps two numbers, and drops the last digit of the first.
#[derive(Clone, Copy)]
struct Swap;

impl Converter<(i64, i64), (i64, i64)> for Swap {
    fn upgrade(&self, (a, b): (i64, i64)) -> Result<(i64, i64), ConvertError> {
        Ok((b, a / 10))
    }

    fn downgrade(&self, (c, d): (i64, i64)) -> Result<(i64, i64), ConvertError> {
        Ok((d.saturating_mul(10), c))
    }
}

/// Loses nothing.
#[derive(Clone, Copy)]
struct Same;

impl Converter<(i64, i64), (i64, i64)> for Same {
    fn upgrade(&self, older: (i64, i64)) -> Result<(i64, i64), ConvertError> {
        Ok(older)
    }

    fn downgrade(&self, newer: (i64, i64)) -> Result<(i64, i64), ConvertError> {
        Ok(newer)
    }
}

/// One text and two values. A text without a port leaves the port out.
#[derive(Clone, Copy)]
struct HostPort;

type Texts = (Option<String>, Option<i64>);

impl Converter<Option<String>, Texts> for HostPort {
    fn upgrade(&self, older: Option<String>) -> Result<Texts, ConvertError> {
        let Some(older) = older else { return Ok((None, None)) };
        Ok(match older.split_once(':') {
            Some((host, port)) => (Some(host.to_owned()), port.parse().ok()),
            None => (Some(older), None),
        })
    }

    fn downgrade(&self, (host, port): Texts) -> Result<Option<String>, ConvertError> {
        Ok(match (host, port) {
            (Some(host), Some(port)) => Some(format!("{host}:{port}")),
            (host, _) => host,
        })
    }
}

/// Shows only even numbers of the second value, and none below zero at all.
#[derive(Clone, Copy)]
struct Even;

type Two = (Option<i64>, Option<i64>);

impl Converter<Two, Two> for Even {
    fn upgrade(&self, (a, b): Two) -> Result<Two, ConvertError> {
        Ok((a.filter(|a| *a >= 0), b.filter(|b| b % 2 == 0)))
    }

    fn downgrade(&self, (c, d): Two) -> Result<Two, ConvertError> {
        Ok((c, d))
    }
}

/// Refuses numbers above 50.
#[derive(Clone, Copy)]
struct Small;

impl Converter<(i64, i64), (i64, i64)> for Small {
    fn upgrade(&self, older: (i64, i64)) -> Result<(i64, i64), ConvertError> {
        if older.0 > 50 { Err("too large".into()) } else { Ok(older) }
    }

    fn downgrade(&self, newer: (i64, i64)) -> Result<(i64, i64), ConvertError> {
        if newer.1 > 50 { Err("too large".into()) } else { Ok(newer) }
    }
}

/// A text for two numbers.
#[derive(Clone, Copy)]
struct Size;

impl Converter<(i64, i64), String> for Size {
    fn upgrade(&self, (width, height): (i64, i64)) -> Result<String, ConvertError> {
        Ok(format!("{width}x{height}"))
    }

    fn downgrade(&self, newer: String) -> Result<(i64, i64), ConvertError> {
        let (width, height) = newer.split_once('x').unwrap_or(("0", "0"));
        Ok((width.parse().unwrap_or(0), height.parse().unwrap_or(0)))
    }
}

mod v1 {
    use super::*;

    fn nine() -> i64 {
        9
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        // Into a struct that only the newer version has.
        a: Option<i64>,
        b: Option<i64>,
        // With a default.
        host: Option<i64>,
        #[versioned(default = 80)]
        port: Option<i64>,
        // All with defaults, at both ends.
        #[serde(default)]
        low: i64,
        #[serde(default = "nine")]
        high: i64,
        // One in, two out.
        address: Option<String>,
        // To two structs, of which both versions have one.
        left: Option<i64>,
        right: Option<i64>,
        // Some values don't arrive.
        even: Option<i64>,
        odd: Option<i64>,
        // Refused.
        small: Option<i64>,
        large: Option<i64>,
        shown: Option<i64>,
        kept: Option<i64>,
        plain: Option<i64>,
        owner: Option<String>,
        #[serde(default)]
        second: i64,
        hold: Option<Hold>,
        gone: Option<Gone>,
        #[serde(default)]
        base: Base,
        #[serde(default)]
        dock: Option<Dock>,
        probe: Probe,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        items: Vec<Item>,
        #[serde(default)]
        piles: Vec<Pile>,
        #[serde(default)]
        named: BTreeMap<String, Pile>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hold {
        out: Option<i64>,
        #[versioned(default = 40)]
        filled: Option<i64>,
        over: Option<i64>,
        there: Option<i64>,
        other: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Gone {
        width: i64,
        height: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub(super) struct Base {
        label: Option<String>,
        #[serde(default)]
        first: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub(super) struct Dock {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Probe {
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Item {
        name: String,
        size: Option<i64>,
        weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pile {
        #[versioned(default = 20)]
        height: Option<i64>,
        width: Option<i64>,
        depth: Option<i64>,
    }
}

mod v2 {
    use super::*;

    const SEVEN: Option<i64> = Some(7);

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        map((a, b) <=> (fresh.a, fresh.b), with = Swap),
        moved(plain => fresh.plain),
        map((host, port) <=> (net.host, net.inner.port), with = Same),
        map((low, high) <=> (range.low, range.high), with = Swap),
        map(address <=> (endpoint.host, endpoint.port), with = HostPort),
        map((left, right) <=> (dock.left, side.right), with = Swap),
        map((even, odd) <=> (parts.even, parts.odd), with = Even),
        map((small, large) <=> (both.small, both.large), with = Small, fallback(upgrade = (_, _), downgrade = (_, _))),
        map((shown, kept) <=> (dock.shown, dock.kept), with = Small, fallback(upgrade = (SEVEN, _), downgrade = (_, SEVEN))),
        map((hold.out, hold.filled) <=> (out, filled), with = Swap),
        map((hold.over, hold.there) <=> (over, dock.there), with = Same),
        map((gone.width, gone.height) <=> size, with(upgrade = size, downgrade = parts)),
        map((base.first, second) <=> (probe.delay, probe.every), with = Swap),
        removed(owner),
    )]
    pub(super) struct Spec {
        fresh: Option<Fresh>,
        net: Option<Net>,
        range: Option<Range>,
        endpoint: Option<Endpoint>,
        side: Option<Side>,
        parts: Option<Parts>,
        both: Option<Both>,
        hold: Option<Hold>,
        out: Option<i64>,
        #[versioned(default = 3)]
        filled: Option<i64>,
        over: Option<i64>,
        size: Option<String>,
        #[serde(default)]
        base: Base,
        #[serde(default)]
        dock: Option<Dock>,
        probe: Probe,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        items: Vec<Item>,
        #[serde(default)]
        piles: Vec<Pile>,
        #[serde(default)]
        named: BTreeMap<String, Pile>,
        #[versioned(added)]
        team: Option<String>,
    }

    fn size((width, height): (i64, i64)) -> Result<Option<String>, ConvertError> {
        Size.upgrade((width, height)).map(Some)
    }

    fn parts(size: Option<String>) -> Result<(i64, i64), ConvertError> {
        Size.downgrade(size.unwrap_or_default())
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Fresh {
        a: Option<i64>,
        b: Option<i64>,
        plain: Option<i64>,
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Net {
        host: Option<i64>,
        inner: Option<Inner>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Inner {
        #[versioned(default = 443)]
        port: Option<i64>,
        note: Option<String>,
    }

    fn one() -> i64 {
        1
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Range {
        #[serde(default = "one")]
        low: i64,
        #[serde(default)]
        high: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Endpoint {
        host: Option<String>,
        port: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Side {
        right: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Parts {
        even: Option<i64>,
        odd: Option<i64>,
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Both {
        small: Option<i64>,
        large: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Hold, removed(out, filled, over, there))]
    pub(super) struct Hold {
        #[versioned(renamed_from = other)]
        rest: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v1::Base, removed(first))]
    pub(super) struct Base {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v1::Dock)]
    pub(super) struct Dock {
        label: Option<String>,
        #[versioned(added)]
        left: Option<i64>,
        #[versioned(added)]
        shown: Option<i64>,
        #[versioned(added)]
        kept: Option<i64>,
        #[versioned(added)]
        there: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Probe)]
    pub(super) struct Probe {
        url: Option<String>,
        #[versioned(added(value = 3))]
        delay: i64,
        #[versioned(added(value = 5))]
        every: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Item, map((size, weight) <=> (frame.size, frame.weight), with = Swap))]
    pub(super) struct Item {
        name: String,
        frame: Option<Frame>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Frame {
        size: Option<i64>,
        weight: Option<i64>,
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Pile, map((height, depth) <=> (frame.height, frame.depth), with = Swap))]
    pub(super) struct Pile {
        width: Option<i64>,
        frame: Option<PileFrame>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct PileFrame {
        #[versioned(default = 4)]
        height: Option<i64>,
        depth: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "groups", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Group {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage)]
    V2 {
        spec: v2::Spec,
    },
}

crd_conv::laws!(Group);
