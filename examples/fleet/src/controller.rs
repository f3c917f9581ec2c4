//! The controller's part that needs no cluster: it decides, with the newest version alone.
//!
//! The API server converts what the controller asks for, so with a cluster it takes `Api<v1::Fleet>`. What comes from
//! elsewhere, such as a file or an older plug-in, goes through the same mapping here.

use std::collections::BTreeMap;

use crd_conv::{ConversionError, downgrade, upgrade_with};

use super::{v1, v1beta1};

/// What the controller does next with the members in a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Start so many.
    Start { pool: String, members: i32 },
    /// Stop so many.
    Stop { pool: String, members: i32 },
}

/// Compares what a fleet should be with the members that are ready in each pool.
///
/// The status is the one to write back.
pub fn reconcile(fleet: &v1::Fleet, ready: &BTreeMap<String, i32>) -> (Vec<Step>, v1::FleetStatus) {
    let total = ready.values().sum();
    let mut status = fleet.status.clone().unwrap_or_default();
    status.ready_replicas = total;
    status.observed_generation = fleet.metadata.generation;
    if fleet.spec.paused == Some(true) {
        status.phase = Some(v1::Phase::Paused);
        return (Vec::new(), status);
    }
    status.replicas = fleet.spec.replicas;
    status.phase = Some(match total {
        _ if total >= fleet.spec.replicas => v1::Phase::Running,
        0 => v1::Phase::Pending,
        _ => v1::Phase::Degraded,
    });
    let steps = shares(&fleet.spec).into_iter().filter_map(|(pool, share)| {
        let members = share - ready.get(pool).copied().unwrap_or(0);
        let pool = pool.to_owned();
        match members {
            0 => None,
            1.. => Some(Step::Start { pool, members }),
            ..0 => Some(Step::Stop { pool, members: -members }),
        }
    });
    (steps.collect(), status)
}

/// The members of each pool by the pools' weights; what is left over goes to the first ones.
fn shares(spec: &v1::FleetSpec) -> BTreeMap<&str, i32> {
    let weight = |pool: &v1::Pool| i64::from(pool.weight.max(0));
    let all: i64 = spec.pools.values().map(weight).sum();
    let mut left = spec.replicas;
    let mut shares = BTreeMap::new();
    for (name, pool) in &spec.pools {
        let share = i64::from(spec.replicas) * weight(pool) / all.max(1);
        // It is a part of an `i32`.
        let share = share as i32;
        left -= share;
        shares.insert(name.as_str(), share);
    }
    for share in shares.values_mut().take(left.max(0) as usize) {
        *share += 1;
    }
    shares
}

/// Lets a plug-in that knows `v1beta1` change a spec. What `v1beta1` has no room for stays as it was.
///
/// # Errors
///
/// If a converter refuses what the plug-in wrote, such as an endpoint without a port.
pub fn with_plugin(
    spec: &v1::FleetSpec,
    plugin: impl FnOnce(&mut v1beta1::FleetSpec),
) -> Result<v1::FleetSpec, ConversionError> {
    let mut older = downgrade::<v1beta1::FleetSpec>(spec)?;
    plugin(&mut older.value);
    Ok(upgrade_with(&older.value, &older.complement)?.value)
}

#[cfg(test)]
mod tests {
    use crd_conv::{ResourceType, yaml};

    use super::*;
    use crate::Fleet;

    fn read(object: &str) -> v1::Fleet {
        let json = &yaml::to_json(object).expect("YAML")[0];
        ResourceType::of::<Fleet>().read(json.as_bytes()).expect("a fleet")
    }

    fn start(pool: &str, members: i32) -> Step {
        Step::Start { pool: pool.to_owned(), members }
    }

    #[test]
    fn a_fleet_of_the_oldest_version_is_reconciled_as_one_of_the_newest() {
        let fleet = read(include_str!("../objects/v1alpha1.yaml"));
        assert_eq!((fleet.spec.host.as_str(), fleet.spec.port), ("cache.shop", 6379));

        let (steps, status) = reconcile(&fleet, &BTreeMap::from([("x86".to_owned(), 2)]));
        assert_eq!(steps, [start("arm", 1), start("x86", 1)]);
        assert_eq!((status.ready_replicas, status.phase), (2, Some(v1::Phase::Degraded)));
    }

    #[test]
    fn pools_share_by_weight_and_lose_what_they_have_too_much() {
        let mut fleet = read(include_str!("../objects/v1.yaml"));
        fleet.spec.replicas = 2;
        let ready = BTreeMap::from([("arm".to_owned(), 1), ("x86".to_owned(), 3)]);
        let (steps, status) = reconcile(&fleet, &ready);
        assert_eq!(steps, [Step::Stop { pool: "x86".to_owned(), members: 2 }]);
        assert_eq!(status.phase, Some(v1::Phase::Running));
    }

    #[test]
    fn nothing_is_done_to_a_paused_fleet() {
        let mut fleet = read(include_str!("../objects/v1.yaml"));
        fleet.spec.paused = Some(true);
        let (steps, status) = reconcile(&fleet, &BTreeMap::new());
        assert_eq!((steps, status.phase), (vec![], Some(v1::Phase::Paused)));
    }

    #[test]
    fn an_older_plugin_changes_what_it_knows_and_nothing_else() {
        let spec = read(include_str!("../objects/v1.yaml")).spec;
        let changed = with_plugin(&spec, |older| older.endpoint = "cache.shop:7000".to_owned());
        assert_eq!(changed.expect("a spec"), v1::FleetSpec { port: 7000, ..spec });
    }

    #[test]
    fn a_plugin_that_writes_nonsense_is_told_so() {
        let spec = read(include_str!("../objects/v1.yaml")).spec;
        let error = with_plugin(&spec, |older| older.endpoint.clear()).unwrap_err();
        let expected = "can't convert to `fleet::v1::FleetSpec`: `endpoint`: expected `host:port`";
        assert_eq!(error.to_string(), expected);
    }
}
