//! Values that move into and out of structs that a version fills in, or that were null: what is only shown moves nowhere.

use std::collections::BTreeMap;

use crd_conv::testing::Tree;
use crd_conv::with::IntText;
use crd_conv::{ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Spec {
        /// Into a struct that both versions have, which the newer one fills in with such a value.
        late: Option<i64>,
        hold: Option<Hold>,
        /// The same where the default is empty, and has the value's own in it.
        deep: Option<i64>,
        tank: Option<Tank>,
        /// Into a new struct with a default.
        fresh: Option<i64>,
        /// Out of a struct that the older version fills in.
        #[versioned(default = FULL)]
        rack: Option<Rack>,
        /// Out of a struct, which the newer version doesn't take null for.
        checks: Option<Checks>,
        /// Into a struct with a default, from which another value comes.
        into: Option<i64>,
        cross: Option<Cross>,
        count: Option<i64>,
        weight: Option<i64>,
        /// Out of a struct to a field that has a default and is no `Option`, and into such a struct.
        deck: Option<Deck>,
        lone: Option<i64>,
        /// Out of a struct with an enum of another name.
        bin: Option<Bin>,
        /// Between two structs that the newer version fills in.
        pair: Option<Pair>,
        #[serde(default)]
        slots: BTreeMap<String, Slot>,
    }

    const FULL: Rack = Rack { url: None, size: Some(9) };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Hold {
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Tank {
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Rack {
        url: Option<String>,
        size: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Checks {
        url: Option<String>,
        retries: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Cross {
        url: Option<String>,
        out: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Deck {
        label: Option<String>,
        host: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Bin {
        volume: Option<i64>,
        #[versioned(default = Kind::Small)]
        kind: Option<Kind>,
        #[versioned(nullable = false)]
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) enum Kind {
        Small,
        Large,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pair {
        left: Option<Left>,
        right: Option<Right>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Left {
        #[versioned(default = "")]
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Right {
        count: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Slot {
        late: Option<i64>,
        hold: Option<Hold>,
    }
}

mod v1beta2 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Spec,
        moved(
            late => hold.late, deep => tank.deep, fresh => pool.fresh, rack.size => size,
            checks.retries => retries, into => cross.into, cross.out => out,
            deck.host => host, lone => shelf.lone, bin.volume => volume
        )
    )]
    pub(super) struct Spec {
        #[versioned(default = HELD)]
        hold: Option<Hold>,
        #[versioned(default = EMPTY)]
        tank: Option<Tank>,
        #[versioned(default = SHARED)]
        pool: Option<Pool>,
        rack: Option<Rack>,
        size: Option<i64>,
        #[versioned(nullable = false)]
        checks: Option<Checks>,
        retries: Option<i64>,
        #[versioned(default = CROSSED)]
        cross: Option<Cross>,
        out: Option<i64>,
        #[versioned(default = 5)]
        count: Option<i64>,
        #[versioned(default = 5)]
        weight: Option<i64>,
        deck: Option<Deck>,
        #[versioned(default = "b")]
        host: String,
        #[versioned(default = SHELF)]
        shelf: Shelf,
        bin: Option<Bin>,
        volume: Option<i64>,
        pair: Option<Pair>,
        #[serde(default)]
        slots: BTreeMap<String, Slot>,
        #[versioned(added)]
        cage: Option<Cage>,
        #[versioned(added)]
        list: Option<i64>,
    }

    const HELD: Hold = Hold { url: None, late: Some(9) };
    const EMPTY: Tank = Tank { url: None, deep: None };
    const SHARED: Pool = Pool { name: Some(1), fresh: Some(9) };
    pub(super) const SHELF: Shelf = Shelf { lone: Some(4), wide: None };
    const CROSSED: Cross = Cross { url: None, into: Some(9) };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Hold)]
    pub(super) struct Hold {
        url: Option<String>,
        #[versioned(added)]
        late: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Tank)]
    pub(super) struct Tank {
        url: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[versioned(added, default = 9)]
        deep: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pool {
        name: Option<i64>,
        fresh: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Rack, removed(size))]
    pub(super) struct Rack {
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Checks, removed(retries))]
    pub(super) struct Checks {
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Cross, removed(out))]
    pub(super) struct Cross {
        url: Option<String>,
        #[versioned(added)]
        into: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Deck, removed(host))]
    pub(super) struct Deck {
        label: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Shelf {
        lone: Option<i64>,
        wide: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Bin, removed(volume))]
    pub(super) struct Bin {
        #[versioned(default = Kind::Little)]
        kind: Option<Kind>,
        #[versioned(nullable = false)]
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Kind)]
    pub(super) enum Kind {
        #[versioned(renamed_from = Small)]
        Little,
        Large,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Pair,
        moved(left.note => right.note, right.count => left.count)
    )]
    pub(super) struct Pair {
        #[versioned(default = LEFT)]
        left: Option<Left>,
        #[versioned(default = RIGHT)]
        right: Option<Right>,
    }

    const LEFT: Left = Left { count: None };
    const RIGHT: Right = Right { note: Some(String::new()) };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Left, removed(note))]
    pub(super) struct Left {
        #[versioned(added)]
        count: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Right, removed(count))]
    pub(super) struct Right {
        #[versioned(added, default = "")]
        note: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Slot, moved(late => hold.late))]
    pub(super) struct Slot {
        #[versioned(nullable = false, default = HELD)]
        hold: Option<Hold>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Cage {
        raw: Option<i64>,
        #[versioned(default = 1)]
        high: Option<i64>,
    }
}

mod v1 {
    use super::*;

    /// What v1beta2 fills in stands elsewhere, or in another form; `high` has another default.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta2::Spec,
        moved(weight => all.weight, cage.raw => raw, cage.high => pot.high, list => pot.list)
    )]
    pub(super) struct Spec {
        hold: Option<super::v1beta2::Hold>,
        tank: Option<super::v1beta2::Tank>,
        #[versioned(renamed_from = pool)]
        basin: Option<super::v1beta2::Pool>,
        rack: Option<super::v1beta2::Rack>,
        size: Option<i64>,
        checks: Option<super::v1beta2::Checks>,
        retries: Option<i64>,
        cross: Option<super::v1beta2::Cross>,
        out: Option<i64>,
        #[versioned(with = IntText)]
        #[schemars(regex(pattern = "^[0-9]{1,3}$"))]
        count: Option<String>,
        all: Option<All>,
        deck: Option<super::v1beta2::Deck>,
        #[versioned(default = "b")]
        host: String,
        #[versioned(default = super::v1beta2::SHELF)]
        shelf: super::v1beta2::Shelf,
        bin: Option<super::v1beta2::Bin>,
        volume: Option<i64>,
        pair: Option<super::v1beta2::Pair>,
        #[serde(default)]
        slots: BTreeMap<String, super::v1beta2::Slot>,
        raw: Option<i64>,
        pot: Option<Pot>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct All {
        weight: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Pot {
        #[versioned(default = 2)]
        high: Option<i64>,
        list: Option<i64>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "silos", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
enum Silo {
    V1beta1 {
        spec: v1beta1::Spec,
    },
    #[versioned(storage)]
    V1beta2 {
        spec: v1beta2::Spec,
    },
    V1 {
        spec: v1::Spec,
    },
}

crd_conv::laws!(Silo);

fn convert(object: &str, to: &str) -> Tree {
    let converted = ResourceType::of::<Silo>().convert(object.as_bytes(), to);
    Tree::read(&converted.unwrap_or_else(|error| panic!("{error}: {object}")).json)
}

fn object(version: &str, spec: &str) -> String {
    format!(
        r#"{{"apiVersion":"example.com/{version}","kind":"Silo","metadata":{{}},"spec":{spec}}}"#
    )
}

/// The spec, once a client of the other version has written some fields.
#[track_caller]
fn edited(from: &str, to: &str, spec: &str, edits: &str) -> Tree {
    let mut there = convert(&object(from, spec), to);
    let Tree::Object(edits) = Tree::read(edits) else { panic!("{edits}") };
    there.at_mut(&["spec"]).and_then(Tree::members_mut).expect("a spec").extend(edits);
    convert(&there.write(), from).at(&["spec"]).expect("a spec").clone()
}

#[test]
fn what_is_only_shown_moves_nowhere() {
    let spec = r#"{"rack":{}}"#;
    let there = convert(&object("v1beta1", spec), "v1beta2");
    let shown = r#"{"hold":{"late":9},"tank":{"deep":9},"pool":{"name":1,"fresh":9},"rack":{},"cross":{"into":9},"count":5,"weight":5,"host":"b","shelf":{"lone":4}}"#;
    assert_eq!(there.at(&["spec"]), Some(&Tree::read(shown)));
    assert_eq!(convert(&there.write(), "v1beta1"), Tree::read(&object("v1beta1", spec)));

    let there = convert(&object("v1beta2", "{}"), "v1beta1");
    assert_eq!(there.at(&["spec", "rack"]), Some(&Tree::read(r#"{"size":9}"#)));
    assert_eq!(convert(&there.write(), "v1beta2").at(&["spec", "size"]), None);
}

/// A value moves from each of the two into the other one, but both are only shown.
#[test]
fn what_is_shown_in_one_struct_keeps_nothing_of_the_other() {
    let spec = r#"{"rack":{},"pair":{}}"#;
    let there = convert(&object("v1beta1", spec), "v1beta2");
    let shown = r#"{"left":{},"right":{"note":""}}"#;
    assert_eq!(there.at(&["spec", "pair"]), Some(&Tree::read(shown)));
    assert_eq!(convert(&there.write(), "v1beta1"), Tree::read(&object("v1beta1", spec)));
}

/// A client that changes something in the struct wants all of it.
#[test]
fn an_edit_beside_the_value_makes_it_true() {
    let spec = edited("v1beta1", "v1beta2", "{}", r#"{"hold":{"late":9,"url":"u"}}"#);
    assert_eq!(spec.at(&["late"]), Some(&Tree::read("9")));
    assert_eq!(spec.at(&["hold", "url"]), Some(&Tree::read("\"u\"")));
}

/// What comes into the struct makes it true, too.
#[test]
fn a_value_comes_into_what_is_only_shown() {
    let spec = edited("v1beta1", "v1beta2", "{}", r#"{"out":3}"#);
    assert_eq!(spec.at(&["cross", "out"]), Some(&Tree::read("3")));
}

/// The null would stand behind the struct that is made for the value, and the last of two equal names counts.
#[test]
fn a_value_comes_into_what_was_null() {
    let spec = edited("v1beta1", "v1beta2", r#"{"checks":null}"#, r#"{"retries":7}"#);
    assert_eq!(spec.at(&["checks"]), Some(&Tree::read(r#"{"retries":7}"#)));
}

/// A struct that is made for one value shows the others as they are, not as this version shows what is absent.
#[test]
fn another_value_comes_into_the_same_new_struct() {
    let spec = edited("v1beta2", "v1", r#"{"list":3}"#, r#"{"raw":5}"#);
    assert_eq!(spec.at(&["cage"]), Some(&Tree::read(r#"{"raw":5,"high":2}"#)));
}

/// What the middle fills in it shows, whichever version the object comes from.
#[test]
fn the_middle_fills_in_what_the_next_version_has_elsewhere() {
    let direct = convert(&object("v1", "{}"), "v1beta2");
    let around = convert(&convert(&object("v1", "{}"), "v1beta1").write(), "v1beta2");
    assert_eq!(direct.at(&["spec"]), around.at(&["spec"]));
    for field in ["count", "weight"] {
        assert_eq!(direct.at(&["spec", field]), Some(&Tree::read("5")));
    }
}

/// The value alone goes, and what has another name in it.
#[test]
fn an_enum_of_another_name_stays_in_the_struct() {
    let spec = r#"{"bin":{"volume":1,"kind":"Small","note":null}}"#;
    let there = convert(&object("v1beta1", spec), "v1beta2");
    assert_eq!(there.at(&["spec", "volume"]), Some(&Tree::read("1")));
    let back = convert(&there.write(), "v1beta1");
    let bin = r#"{"volume":1,"kind":"Small","note":null}"#;
    assert_eq!(back.at(&["spec", "bin"]), Some(&Tree::read(bin)));
}
