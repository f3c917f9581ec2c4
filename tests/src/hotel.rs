//! A resource with enums of plain names and with renamed fields, also in maps and lists.

use crd_conv::Versioned;

pub mod v1beta1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct HotelSpec {
        state: State,
        previous: Vec<State>,
        rooms: BTreeMap<String, Room>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Room {
        label: String,
        state: Option<State>,
        guest: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub enum State {
        Open,
        Shut,
        Leaking,
        Haunted,
    }
}

pub mod v1 {
    use std::collections::BTreeMap;

    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::HotelSpec)]
    pub struct HotelSpec {
        #[versioned(renamed_from = state)]
        status: State,
        previous: Vec<State>,
        rooms: BTreeMap<String, Room>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Room, removed(guest))]
    pub struct Room {
        #[versioned(renamed_from = label)]
        title: String,
        state: Option<State>,
        #[versioned(added(value = 2))]
        beds: i32,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::State, removed(Leaking = Closed, Haunted = Closed))]
    pub enum State {
        Open,
        #[versioned(renamed_from = Shut)]
        Closed,
        #[versioned(added(shown_as = Open))]
        Welcoming,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "hotels", scope = "Namespaced"))]
pub enum Hotel {
    V1beta1 {
        spec: v1beta1::HotelSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::HotelSpec,
    },
}
