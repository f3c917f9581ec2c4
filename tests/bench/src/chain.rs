//! Five versions. Each has another name for a field of the spec, and for a field of the items of a
//! list in a list. Shows what many hops cost.

use serde_json::{Value, json};

use crate::reviews::{answered, request};

macro_rules! version {
    ($version:ident, $title:ident, $host:ident $(, from $older:ident, $old_title:ident, $old_host:ident)?) => {
        mod $version {
            use crd_conv::Versioned;
            use schemars::JsonSchema;
            use serde::{Deserialize, Serialize};

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            $(#[versioned(from = super::$older::PoolSpec)])?
            pub struct PoolSpec {
                $(#[versioned(renamed_from = $old_title)])?
                $title: String,
                groups: Vec<Group>,
            }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            $(#[versioned(from = super::$older::Group)])?
            pub struct Group {
                name: String,
                nodes: Vec<Node>,
            }

            #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
            $(#[versioned(from = super::$older::Node)])?
            pub struct Node {
                $(#[versioned(renamed_from = $old_host)])?
                $host: String,
                port: i32,
                zone: String,
                image: String,
                ready: bool,
            }
        }
    };
}

version!(v1, title1, host1);
version!(v2, title2, host2, from v1, title1, host1);
version!(v3, title3, host3, from v2, title2, host2);
version!(v4, title4, host4, from v3, title3, host3);
version!(v5, title5, host5, from v4, title4, host4);

#[derive(crd_conv::Versioned)]
#[versioned(resource(group = "example.com", plural = "pools", scope = "Namespaced"))]
pub enum Pool {
    V1 {
        spec: v1::PoolSpec,
    },
    V2 {
        spec: v2::PoolSpec,
    },
    V3 {
        spec: v3::PoolSpec,
    },
    V4 {
        spec: v4::PoolSpec,
    },
    #[versioned(storage)]
    V5 {
        spec: v5::PoolSpec,
    },
}

/// A review of objects at v1, with these numbers of groups and of nodes in each group.
fn review(desired: &str, objects: usize, [groups, nodes]: [usize; 2]) -> String {
    request(desired, (0..objects).map(|index| object(index, [groups, nodes])))
}

fn object(index: usize, [groups, nodes]: [usize; 2]) -> Value {
    let node = |node: usize| {
        json!({ "host1": format!("host-{node}.example.com"), "image": "registry.example.com/node:v1", "port": 8080 + node,
                "ready": node.is_multiple_of(3), "zone": format!("zone-{}", node % 5) })
    };
    let group = |group: usize| {
        let nodes: Vec<Value> = (0..nodes).map(node).collect();
        json!({ "name": format!("group-{group}"), "nodes": nodes })
    };
    let groups: Vec<Value> = (0..groups).map(group).collect();
    json!({
        "apiVersion": "example.com/v1",
        "kind": "Pool",
        "metadata": {
            "creationTimestamp": "2024-05-01T09:59:59Z", "generation": 3, "labels": { "app": "pool", "team": "a" },
            "name": format!("pool-{index}"), "namespace": "default", "resourceVersion": (100_000 + index).to_string(),
            "uid": format!("3415a7fc-162b-4300-b5da-{index:012}"),
        },
        "spec": { "groups": groups, "title1": "A pool of nodes" },
    })
}

/// One object of 0.8 KB.
pub fn small(desired: &str) -> String {
    review(desired, 1, [1, 4])
}

/// 100 objects of 56 KB, most of it items of lists in lists.
pub fn large(desired: &str) -> String {
    review(desired, 100, [20, 25])
}

/// The same, but each object has a field that only v4 knows. So each hop has to run by itself.
pub fn large_in_turn(desired: &str) -> String {
    let objects = (0..100).map(|index| {
        let mut object = object(index, [20, 25]);
        object["spec"]["title4"] = json!("Another title");
        object
    });
    request(desired, objects)
}

/// The conversion from v1 to v5 as authors write it by hand.
pub fn by_hand(request: &[u8]) -> Vec<u8> {
    let rename = |object: &mut Value, older: &str, newer: &str| {
        let object = object.as_object_mut().expect("an object");
        if let Some(value) = object.remove(older) {
            object.insert(newer.to_owned(), value);
        }
    };
    answered(request, |object| {
        rename(&mut object["spec"], "title1", "title5");
        let groups = object["spec"]["groups"].as_array_mut().expect("groups");
        for node in
            groups.iter_mut().flat_map(|group| group["nodes"].as_array_mut().expect("nodes"))
        {
            rename(node, "host1", "host5");
        }
    })
}
