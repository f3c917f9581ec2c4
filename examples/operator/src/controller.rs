//! The controller. It knows the newest version alone: the API server converts what it asks for.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use jiff::Timestamp;
use kube::api::{Patch, PatchParams};
use kube::runtime::controller::{Action, Controller};
use kube::runtime::{reflector::ObjectRef, watcher};
use kube::{Api, Client, ResourceExt};
use serde_json::json;
use tracing::{info, warn};

use super::schedule::{State, state};
use super::v1::{Condition, MaintenanceWindow, MaintenanceWindowStatus};

/// The name under which the API server knows whose fields the status has.
const MANAGER: &str = "maintenance-operator";

/// Keeps the status of all windows current until the process is told to stop.
///
/// Every replica does, and all come to the same status, so no one has to be chosen. A controller that does what must not be done twice
/// takes a Lease first.
pub async fn run(client: Client) {
    let windows: Api<MaintenanceWindow> = Api::all(client.clone());
    Controller::new(windows, watcher::Config::default())
        .shutdown_on_signal()
        .run(reconcile, again, Arc::new(client))
        .for_each(|outcome| async move {
            // Names alone: what users write stays out of the log.
            match outcome {
                Ok((window, _)) => info!(window = %name(&window), "reconciled"),
                Err(error) => warn!(%error, "not reconciled"),
            }
        })
        .await;
}

fn name(window: &ObjectRef<MaintenanceWindow>) -> String {
    format!("{}/{}", window.namespace.as_deref().unwrap_or_default(), window.name)
}

async fn reconcile(
    window: Arc<MaintenanceWindow>,
    client: Arc<Client>,
) -> Result<Action, kube::Error> {
    let now = Timestamp::now();
    let (status, next) = status(&window, now);
    if window.status.as_ref() != Some(&status) {
        let namespace = window.namespace().unwrap_or_default();
        let windows: Api<MaintenanceWindow> = Api::namespaced(Client::clone(&client), &namespace);
        let mut patch = json!({ "status": status });
        // In a merge patch what is absent stays.
        if status.next_change.is_none() {
            patch["status"]["nextChange"] = json!(null);
        }
        let params = PatchParams { field_manager: Some(MANAGER.to_owned()), ..Default::default() };
        windows.patch_status(&window.name_any(), &params, &Patch::Merge(patch)).await?;
    }
    Ok(match next {
        Some(next) => {
            let left = Duration::try_from(next.duration_since(now)).unwrap_or_default();
            Action::requeue(left + Duration::from_millis(10))
        }
        None => Action::await_change(),
    })
}

fn again(_: Arc<MaintenanceWindow>, _: &kube::Error, _: Arc<Client>) -> Action {
    Action::requeue(Duration::from_secs(5))
}

/// What the status of a window should be, and when it changes by itself.
fn status(
    window: &MaintenanceWindow,
    now: Timestamp,
) -> (MaintenanceWindowStatus, Option<Timestamp>) {
    let spec = &window.spec;
    let (is_open, next, reason, message) = match state(spec, now) {
        None => (false, None, "NoStart", "the start isn't a time such as 22:00"),
        Some(_) if spec.suspended => (false, None, "Suspended", "the window is suspended"),
        Some(State { is_open: true, next }) => (true, next, "Open", "work may be done"),
        Some(State { is_open: false, next }) => (false, next, "Closed", "it isn't time yet"),
    };
    let value = if is_open { "True" } else { "False" };
    let old = window.status.iter().flat_map(|status| &status.conditions);
    let old = old.into_iter().find(|old| old.type_ == "Active" && old.status == value);
    let since = old.map_or_else(|| second(now), |old| old.last_transition_time.clone());
    let status = MaintenanceWindowStatus {
        active: is_open,
        next_change: next.map(second),
        observed_generation: window.metadata.generation,
        conditions: vec![Condition {
            type_: "Active".to_owned(),
            status: value.to_owned(),
            reason: reason.to_owned(),
            message: message.to_owned(),
            last_transition_time: since,
        }],
    };
    (status, next)
}

/// As Kubernetes writes times, without a fraction.
fn second(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::MaintenanceWindowSpec;

    fn at(time: &str) -> Timestamp {
        time.parse().expect("a time")
    }

    #[test]
    fn a_condition_keeps_its_time_while_its_status_stays() {
        let spec = MaintenanceWindowSpec {
            start: "08:00".to_owned(),
            minutes: 60,
            days: Vec::new(),
            suspended: false,
        };
        let mut window = MaintenanceWindow::new("w", spec);
        window.metadata.generation = Some(3);
        let (opened, next) = status(&window, at("2025-01-01T08:00:01Z"));
        assert!(opened.active);
        assert_eq!(opened.next_change.as_deref(), Some("2025-01-01T09:00:00Z"));
        assert_eq!(next, Some(at("2025-01-01T09:00:00Z")));
        assert_eq!(opened.observed_generation, Some(3));
        assert_eq!(opened.conditions[0].last_transition_time, "2025-01-01T08:00:01Z");

        window.status = Some(opened.clone());
        assert_eq!(status(&window, at("2025-01-01T08:30:00Z")).0, opened);
        window.spec.suspended = true;
        let (suspended, next) = status(&window, at("2025-01-01T08:30:00Z"));
        assert_eq!((suspended.active, next), (false, None));
        assert_eq!(suspended.conditions[0].reason, "Suspended");
        assert_eq!(suspended.conditions[0].last_transition_time, "2025-01-01T08:30:00Z");
    }
}
