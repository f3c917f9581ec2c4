//! Server-side apply by two managers at two versions: what an owner drops vanishes, and owners of unrelated fields are
//! in nobody's way.

use std::collections::BTreeMap;

use crd_conv::VersionedResource;
use crd_conv_apiserver::{Installed, carrier, comparable, seeded, shared};
use fastrand::Rng;
use fleet::Fleet;
use serde_json::{Value, json};

const NAMESPACE: &str = "apply";
const VERSIONS: [&str; 3] = ["v1alpha1", "v1beta1", "v1"];

/// What rules convert together: a JSON pointer and values for each version that has it.
struct Group {
    name: &'static str,
    at: [Option<(&'static str, &'static [&'static str])>; 3],
}

const GROUPS: &[Group] = &[
    Group {
        name: "resync",
        at: [
            Some(("/spec/resync", &["\"90s\"", "\"1m30s\"", "\"1h\""])),
            Some(("/spec/resyncSeconds", &["90", "3600"])),
            Some(("/spec/resyncSeconds", &["90", "3600"])),
        ],
    },
    Group { name: "owner", at: [Some(("/spec/owner", &["\"ada\"", "\"bob\""])), None, None] },
    Group {
        name: "check path",
        at: [
            Some(("/spec/checkPath", &["\"/a\"", "\"/b\""])),
            Some(("/spec/checks/path", &["\"/a\"", "\"/b\""])),
            Some(("/spec/checks/path", &["\"/a\"", "\"/b\""])),
        ],
    },
    Group {
        name: "check period",
        at: [
            Some(("/spec/checkPeriod", &["1", "2"])),
            Some(("/spec/checks/periodSeconds", &["1", "2"])),
            Some(("/spec/checks/periodSeconds", &["1", "2"])),
        ],
    },
    Group {
        name: "paused",
        at: [
            None,
            Some(("/spec/paused", &["true", "false"])),
            Some(("/spec/paused", &["true", "false"])),
        ],
    },
    Group {
        name: "strategy",
        at: [
            Some(("/spec/strategy", &["\"OneByOne\"", "\"Recreate\"", "\"Rolling\""])),
            Some(("/spec/strategy", &["\"Recreate\"", "\"RollingUpdate\""])),
            Some(("/spec/strategy", &["\"Canary\"", "\"Recreate\"", "\"RollingUpdate\""])),
        ],
    },
    Group {
        name: "label",
        at: [
            Some(("/metadata/labels/a", &["\"b\"", "\"c\""])),
            Some(("/metadata/labels/a", &["\"b\"", "\"c\""])),
            Some(("/metadata/labels/a", &["\"b\"", "\"c\""])),
        ],
    },
    Group {
        name: "annotation",
        at: [
            Some(("/metadata/annotations/a", &["\"b\"", "\"c\""])),
            Some(("/metadata/annotations/a", &["\"b\"", "\"c\""])),
            Some(("/metadata/annotations/a", &["\"b\"", "\"c\""])),
        ],
    },
];

/// The required fields, which somebody created and both managers leave alone.
fn base(version: usize) -> Value {
    let spec = [
        json!({ "image": "i", "size": 4, "endpoint": "a:1", "retries": 3 }),
        json!({ "image": "i", "replicas": 4, "endpoint": "a:1" }),
        json!({ "image": "i", "replicas": 4, "host": "a", "port": 1 }),
    ];
    json!({ "spec": spec[version] })
}

struct Manager {
    name: &'static str,
    version: usize,
    /// Which groups it may say something of.
    groups: Vec<usize>,
    /// What it says at the moment.
    applied: BTreeMap<usize, Value>,
}

fn set(object: &mut Value, pointer: &str, value: Value) {
    let mut place = object;
    for name in pointer.trim_start_matches('/').split('/') {
        place = &mut place[name];
    }
    *place = value;
}

impl Manager {
    fn pointer(&self, group: usize) -> &'static str {
        GROUPS[group].at[self.version].expect("a group of this version").0
    }

    async fn apply(&self, installed: &Installed, name: &str) -> Value {
        let objects = installed.objects(VERSIONS[self.version], NAMESPACE);
        let mut object = objects.bare(name);
        for (group, value) in &self.applied {
            set(&mut object, self.pointer(*group), value.clone());
        }
        let applied = objects.apply(self.name, &object).await;
        applied.unwrap_or_else(|error| panic!("{name}: {} applies {object}: {error}", self.name))
    }

    fn change_mind(&mut self, random: &mut Rng) {
        for group in self.groups.clone() {
            let (_, values) = GROUPS[group].at[self.version].expect("a group of this version");
            match random.u8(0..4) {
                0 => drop(self.applied.remove(&group)),
                1 => {}
                _ => {
                    let value = values[random.usize(..values.len())].parse().expect("JSON");
                    self.applied.insert(group, value);
                }
            }
        }
    }
}

async fn shown(installed: &Installed, name: &str) -> Vec<Value> {
    installed.agree(NAMESPACE, name).await
}

async fn case(installed: &Installed, name: &str, random: &mut Rng) {
    let creator = random.usize(..3);
    let objects = installed.objects(VERSIONS[creator], NAMESPACE);
    // Whoever creates an object otherwise owns its defaults too.
    objects.apply("base", &objects.object(name, &base(creator))).await.expect("created");
    let before = shown(installed, name).await;

    let one = random.usize(..3);
    let other = (one + 1 + random.usize(..2)) % 3;
    let mut managers = [("one", one), ("other", other)].map(|(name, version)| Manager {
        name,
        version,
        groups: Vec::new(),
        applied: BTreeMap::new(),
    });
    for (index, group) in GROUPS.iter().enumerate() {
        let manager = &mut managers[random.usize(..2)];
        if group.at[manager.version].is_some() {
            manager.groups.push(index);
        }
    }
    for _ in 0..6 {
        let acting = random.usize(..2);
        managers[acting].change_mind(random);
        let applied = managers[acting].apply(installed, name).await;
        let again = managers[acting].apply(installed, name).await;
        assert_eq!(applied, again, "{name}: applied twice");
        let now = shown(installed, name).await;
        for manager in &managers {
            for group in &manager.groups {
                let pointer = manager.pointer(*group);
                let expected = manager.applied.get(group);
                let expected = expected.or_else(|| before[manager.version].pointer(pointer));
                assert_eq!(
                    now[manager.version].pointer(pointer),
                    expected,
                    "{name}: `{}` at {} after {} applied: {now:#?}",
                    GROUPS[*group].name,
                    VERSIONS[manager.version],
                    managers[acting].name,
                );
            }
        }
    }
    for manager in &mut managers {
        manager.applied.clear();
        manager.apply(installed, name).await;
    }
    let after = shown(installed, name).await;
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(fields(before), fields(after), "{name}");
        assert_eq!(entries(before), entries(after), "{name}");
    }
}

/// Where the last field of a struct is dropped, the server leaves `null` for the struct. That is so without any
/// conversion, and it is a value, which other versions keep.
const DROPPED_STRUCT: &str = r#""keep":{"checks":null}}"#;

fn fields(object: &Value) -> Value {
    let mut object = comparable(object);
    if object["spec"].get("checks").is_some_and(Value::is_null) {
        object["spec"].as_object_mut().expect("an object").remove("checks");
    }
    object
}

fn entries(object: &Value) -> BTreeMap<String, Value> {
    let entries = carrier(object).into_iter();
    entries
        .filter(|(_, entry)| !entry.as_str().is_some_and(|text| text.ends_with(DROPPED_STRUCT)))
        .collect()
}

#[tokio::test]
async fn what_an_owner_drops_vanishes_and_nobody_is_in_the_way() {
    let installed = Installed::new(shared(), Fleet::DEFINITION, "apply.example.com").await;
    let mut random = seeded(21);
    installed.webhook.record();
    for number in 0..60 {
        case(&installed, &format!("c-{number}"), &mut random).await;
    }
    // The server asked for half objects too.
    let mut lacking = [0; 2];
    for exchange in installed.webhook.recorded() {
        let review: Value = serde_json::from_slice(&exchange.request).expect("JSON");
        let object = &review["request"]["objects"][0];
        lacking[0] += usize::from(object.get("spec").is_none());
        lacking[1] +=
            usize::from(object.get("spec").is_some_and(|spec| spec.get("image").is_none()));
        let answer: Value = serde_json::from_slice(&exchange.response).expect("JSON");
        assert_eq!(answer["response"]["result"]["status"], "Success");
    }
    assert!(lacking.iter().all(|count| *count > 0), "invalid test case: {lacking:?}");
}
