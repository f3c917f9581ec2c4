//! What the command line says of a field that is gone beside one like it that is new, and of keys that one version has.

use crd_conv::cli::{Cli, Streams};
use crd_conv::{ResourceType, Versioned, VersionedResource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a command prints, and what it says beside that.
fn run<R: VersionedResource>(command: &str) -> (String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = match command {
        "crd" => vec!["operator", "crd", "--url", "https://localhost/convert"],
        command => vec!["operator", command],
    };
    let code = Cli::new([ResourceType::of::<R>()]).run_with(args, &mut streams);
    let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(code, 0, "{stderr}");
    (stdout, stderr)
}

/// The hints of `crd`, each of them without the first words.
fn hints<R: VersionedResource>() -> Vec<String> {
    let (stdout, stderr) = run::<R>("crd");
    assert!(stdout.contains("kind: CustomResourceDefinition"));
    let hints = stderr.lines().filter_map(|line| line.split_once(": v1 to v2: "));
    hints.map(|(_, hint)| hint.to_owned()).collect()
}

mod forgotten {
    use super::*;

    mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            timeout: Option<String>,
            level: Option<Level>,
            probe: Probe,
            items: Vec<Item>,
            old: Option<Old>,
            name: String,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) enum Level {
            High,
            Low,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Probe {
            path: Option<String>,
            host: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Item {
            name: Option<String>,
            kept: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Old {
            budget: Option<i64>,
        }
    }

    mod v2 {
        use super::v1::Level;
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Spec, removed(timeout, level, old))]
        pub(crate) struct Spec {
            #[versioned(added)]
            checks: Option<Checks>,
            #[versioned(added)]
            host: Option<String>,
            #[versioned(added)]
            budget: Option<i64>,
            probe: Probe,
            items: Vec<Item>,
            name: String,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Checks {
            timeout: Option<String>,
            severity: Option<Level>,
            name: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Probe, removed(host))]
        pub(crate) struct Probe {
            path: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Item, removed(name))]
        pub(crate) struct Item {
            kept: Option<String>,
            #[versioned(added)]
            inner: Option<Inner>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Inner {
            name: Option<String>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub(crate) enum Thing {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
        },
    }
}

#[test]
fn what_may_have_another_place_is_named_with_what_to_write() {
    let found = hints::<forgotten::Thing>();
    let places: Vec<_> = found.iter().map(|hint| hint.split(", so").next().unwrap()).collect();
    assert_eq!(
        places,
        [
            "`.spec.items[].name` is gone and `.spec.items[].inner.name` is new",
            "`.spec.timeout` is gone and `.spec.checks.timeout` is new",
            "`.spec.level` is gone and `.spec.checks.severity` is new",
            "`.spec.old.budget` is gone and `.spec.budget` is new",
            "`.spec.probe.host` is gone and `.spec.host` is new",
        ],
    );
    assert_eq!(
        found[1],
        "`.spec.timeout` is gone and `.spec.checks.timeout` is new, so neither version shows the other's value. If it is \
         the same value, write `moved(timeout => checks.timeout)` on `v2::Spec`; if it isn't, say so with `added(moved = false)` \
         on `checks`",
    );
    assert!(found[4].contains("`moved(probe.host => host)` on `v2::Spec`"), "{}", found[4]);
    let (explained, _) = run::<forgotten::Thing>("explain");
    assert_eq!(explained.lines().filter(|line| line.starts_with("note: v1 to v2: ")).count(), 5);
}

mod said {
    use super::*;

    mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            timeout: Option<String>,
            phase: Option<String>,
            limit: i64,
            note: Option<String>,
        }
    }

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
            from = v1::Spec,
            removed(phase, limit = 3),
            moved(timeout => checks.timeout, note => checks.note),
        )]
        pub(crate) struct Spec {
            checks: Option<Checks>,
            #[versioned(added(moved = false))]
            other: Option<Other>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Checks {
            timeout: Option<String>,
            note: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Other {
            limit: Option<i64>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Status {
            phase: Option<String>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub(crate) enum Thing {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
            #[versioned(added(moved = false))]
            status: Option<v2::Status>,
        },
    }

    /// The same with a word less.
    #[derive(Versioned)]
    #[versioned(resource(
        group = "example.com",
        kind = "Thing",
        plural = "things",
        scope = "Namespaced"
    ))]
    pub(crate) enum Unsaid {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
            #[versioned(added)]
            status: Option<v2::Status>,
        },
    }
}

#[test]
fn what_moves_or_is_said_to_be_new_is_not_named() {
    assert_eq!(hints::<said::Thing>(), [""; 0]);
    let found = hints::<said::Unsaid>();
    assert!(
        matches!(&*found, [hint] if hint.contains("`moved(spec.phase => status.phase)`") && hint.ends_with("on `status`")),
        "{found:#?}",
    );
}

/// What writers of the object may do to its status.
mod status {
    use super::*;

    mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            pub(crate) size: i64,
            pub(crate) phase: Option<String>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Status {
            pub(crate) ready: Option<bool>,
        }
    }

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Spec, removed(phase))]
        pub(crate) struct Spec {
            pub(crate) size: i64,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = v1::Status)]
        pub(crate) struct Status {
            pub(crate) ready: Option<bool>,
            #[versioned(added)]
            pub(crate) phase: Option<String>,
            #[versioned(added)]
            pub(crate) message: Option<String>,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "things", scope = "Namespaced"))]
    pub(crate) enum Thing {
        #[versioned(status = false)]
        V1 { spec: v1::Spec, status: Option<v1::Status> },
        #[versioned(storage, moved(spec.phase => status.phase))]
        V2 { spec: v2::Spec, status: Option<v2::Status> },
    }

    #[test]
    fn who_may_write_the_status_is_said() {
        let (crd, said) = run::<Thing>("crd");
        let expected = [
            "note: things.example.com: `v1` has no status subresource, so everyone who may write objects there can change the status that \
             other versions have; if the status has its own writers, write `#[versioned(status)]` on the version",
            "note: things.example.com: v1 to v2: `.spec.phase` and `.status.phase` are one value, so everyone who may write objects in one of the \
             versions can change the status in the other one",
        ];
        assert_eq!(said.lines().collect::<Vec<_>>(), expected);
        assert_eq!(crd.matches("conversionEntries:").count(), 1, "{crd}");
        let (explained, _) = run::<Thing>("explain");
        let place = "Values kept for a `.status` are stored in `.status.conversionEntries` of v2, and all others in annotations.";
        assert!(explained.lines().any(|line| line == place), "{explained}");
    }
}

mod keys {
    use super::*;

    mod v1 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Spec {
            ports: Vec<Port>,
            #[versioned(list_map_keys(name))]
            pools: Vec<Port>,
            #[versioned(list_map_keys(name))]
            nodes: Vec<Port>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        pub(crate) struct Port {
            name: String,
        }
    }

    mod v2 {
        use super::*;

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Spec)]
        pub(crate) struct Spec {
            #[versioned(list_map_keys(name))]
            ports: Vec<Port>,
            #[versioned(renamed_from = pools)]
            groups: Vec<Port>,
            #[versioned(list_map_keys(name))]
            nodes: Vec<Port>,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(from = super::v1::Port)]
        pub(crate) struct Port {
            name: String,
        }
    }

    #[derive(Versioned)]
    #[versioned(resource(group = "example.com", plural = "docks", scope = "Namespaced"))]
    enum Dock {
        V1 {
            spec: v1::Spec,
        },
        #[versioned(storage)]
        V2 {
            spec: v2::Spec,
        },
    }

    #[test]
    fn a_list_with_keys_in_one_version_only_is_named() {
        let [pools, ports] = &hints::<Dock>()[..] else { panic!("{:?}", hints::<Dock>()) };
        let begins =
            "the items of `.spec.ports` have the keys `name`, and those of `.spec.ports` have none";
        assert!(ports.starts_with(begins), "{ports}");
        assert!(ports.ends_with("write `list_map_keys(…)` in both"), "{ports}");
        let begins = "the items of `.spec.pools` have the keys `name`, and those of `.spec.groups` have none";
        assert!(pools.starts_with(begins), "{pools}");
    }
}
