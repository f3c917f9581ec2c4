//! Values that move and change at once, in every place where a value can move.

use std::collections::BTreeMap;

use crd_conv::{ConvertError, Converter, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Drops the last digit.
#[derive(Clone, Copy)]
pub(super) struct Tens;

impl Converter<i64, i64> for Tens {
    fn upgrade(&self, older: i64) -> Result<i64, ConvertError> {
        Ok(older / 10)
    }

    fn downgrade(&self, newer: i64) -> Result<i64, ConvertError> {
        Ok(newer.saturating_mul(10))
    }
}

/// Refuses numbers above 50 on the way up, and those above 5 on the way down.
#[derive(Clone, Copy)]
pub(super) struct Small;

impl Converter<i64, i64> for Small {
    fn upgrade(&self, older: i64) -> Result<i64, ConvertError> {
        if older > 50 { Err("too large".into()) } else { Ok(older / 10) }
    }

    fn downgrade(&self, newer: i64) -> Result<i64, ConvertError> {
        if newer > 5 { Err("too large".into()) } else { Ok(newer.saturating_mul(10)) }
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        // Into a struct that only the newer version has.
        alone: Option<i64>,
        refused: Option<i64>,
        shown: Option<i64>,
        #[versioned(default = 7)]
        deep: Option<i64>,
        // Into structs that both have.
        docked: Option<i64>,
        #[serde(default)]
        based: i64,
        text: Option<i64>,
        plain: Option<i64>,
        hold: Option<Hold>,
        gone: Option<Gone>,
        #[serde(default)]
        port: Option<Port>,
        #[serde(default)]
        base: Base,
        #[serde(default)]
        #[versioned(list_map_keys("name"))]
        items: Vec<Item>,
        #[serde(default)]
        piles: Vec<Pile>,
        #[serde(default)]
        named: BTreeMap<String, Pile>,
        owner: Option<String>,
        phase: Option<i64>,
        // An `Option` in only one version.
        limit: Option<i64>,
        // One value and a list.
        berth: Option<i64>,
        // There or not.
        crane: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hold {
        out: Option<i64>,
        across: Option<i64>,
        #[versioned(default = 40)]
        filled: Option<i64>,
        other: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Gone {
        inner: Option<i64>,
        other: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub(super) struct Port {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    pub(super) struct Base {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Item {
        name: String,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pile {
        #[versioned(default = 20)]
        height: Option<i64>,
        width: Option<i64>,
    }
}

mod v2 {
    use super::*;
    use crd_conv::with::{First, IntText};

    const FIVE: Option<i64> = Some(5);
    const FIFTY: Option<i64> = Some(50);

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        moved(alone => fresh.alone, with = Tens),
        moved(refused => fresh.refused, with = Small, fallback(upgrade = _, downgrade = _)),
        moved(shown => fresh.shown, with = Small, fallback(upgrade = FIVE, downgrade = FIFTY)),
        moved(deep => chest.drawer.box_.deep, with = Tens),
        moved(docked => port.docked, with = Tens),
        moved(based => base.based, with = Tens),
        moved(text => port.text, with = IntText, refuses(downgrade = "only numbers have a text")),
        moved(hold.out => out, with = Tens),
        moved(hold.across => port.across, with = Tens),
        moved(hold.filled => filled, with = Tens),
        moved(gone.inner => came, with = Tens),
        moved(plain => port.plain),
        moved(berth => net.berths, with = First),
        moved(limit => bound.limit, with = Tens),
        moved(crane => net.crane, with(upgrade = yes, downgrade = is_yes)),
        removed(owner, phase),
    )]
    pub(super) struct Spec {
        fresh: Option<Fresh>,
        net: Option<Net>,
        bound: Option<Bound>,
        chest: Option<Chest>,
        hold: Option<Hold>,
        out: Option<i64>,
        #[versioned(default = 3)]
        filled: Option<i64>,
        came: Option<i64>,
        #[serde(default)]
        port: Option<Port>,
        #[serde(default)]
        base: Base,
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

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Status {
        phase: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Fresh {
        alone: Option<i64>,
        refused: Option<i64>,
        shown: Option<i64>,
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Net {
        #[serde(default)]
        berths: Vec<i64>,
        crane: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Bound {
        limit: i64,
    }

    fn yes(crane: Option<bool>) -> Option<String> {
        crane.map(|crane| if crane { "yes" } else { "no" }.to_owned())
    }

    fn is_yes(crane: Option<String>) -> Option<bool> {
        crane.map(|crane| crane == "yes")
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Chest {
        drawer: Option<Drawer>,
        lock: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Drawer {
        box_: Option<Box_>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Box_ {
        #[versioned(default = 2)]
        deep: Option<i64>,
        lid: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Hold, removed(out, across, filled))]
    pub(super) struct Hold {
        #[versioned(renamed_from = other)]
        rest: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v1::Port)]
    pub(super) struct Port {
        label: Option<String>,
        #[versioned(added)]
        docked: Option<i64>,
        #[versioned(added)]
        text: Option<String>,
        #[versioned(added)]
        across: Option<i64>,
        #[versioned(added)]
        plain: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema, Default)]
    #[versioned(from = super::v1::Base)]
    pub(super) struct Base {
        label: Option<String>,
        #[serde(default)]
        #[versioned(added)]
        based: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Item, moved(size => frame.size, with = Tens))]
    pub(super) struct Item {
        name: String,
        frame: Option<Frame>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Frame {
        size: Option<i64>,
        color: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1::Pile, moved(height => frame.height, with = Tens))]
    pub(super) struct Pile {
        width: Option<i64>,
        frame: Option<PileFrame>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct PileFrame {
        #[versioned(default = 4)]
        height: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "freights", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Freight {
    V1 {
        spec: v1::Spec,
    },
    #[versioned(storage, moved(spec.phase => status.phase, with = Tens))]
    V2 {
        spec: v2::Spec,
        #[versioned(added)]
        status: Option<v2::Status>,
    },
}

crd_conv::laws!(Freight);
