//! Waiting until the API server serves a CustomResourceDefinition.

use std::pin::pin;
use std::time::Duration;

use futures_util::StreamExt;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::runtime::{WatchStreamExt, watcher::watch_object};
use kube::{Api, Client};

use super::{InstallError, said};

/// How long to wait before asking again which versions are served. There is no watch for this.
const PAUSE: Duration = Duration::from_millis(100);

/// Waits until the CustomResourceDefinition is established and the API server offers all served
/// versions.
pub(super) async fn until_served(
    client: &Client,
    crd: &CustomResourceDefinition,
    limit: Duration,
) -> Result<CustomResourceDefinition, InstallError> {
    let name = crd.metadata.name.clone().unwrap_or_default();
    let mut last = "the API server hasn't established it yet".to_owned();
    let served = async {
        let established = established(client, &name, crd.metadata.generation, &mut last).await?;
        for version in established.spec.versions.iter().filter(|version| version.served) {
            let group = &established.spec.group;
            let plural = &established.spec.names.plural;
            until_offered(client, &format!("{group}/{}", version.name), plural, &mut last).await;
        }
        Ok(established)
    };
    match tokio::time::timeout(limit, served).await {
        Ok(outcome) => outcome,
        Err(_) => Err(InstallError::NotEstablished { name, limit, reason: last }),
    }
}

async fn established(
    client: &Client,
    name: &str,
    generation: Option<i64>,
    last: &mut String,
) -> Result<CustomResourceDefinition, InstallError> {
    let crds: Api<CustomResourceDefinition> = Api::all(client.clone());
    let mut events = pin!(watch_object(crds, name).default_backoff());
    loop {
        match events.next().await {
            Some(Ok(Some(crd))) => {
                // The watch may first return an older state.
                let is_old = crd.metadata.generation < generation;
                if let Some(reason) = refused_names(&crd).filter(|_| !is_old) {
                    return Err(InstallError::Names { name: name.to_owned(), reason });
                }
                if is_established(&crd) && !is_old {
                    return Ok(crd);
                }
            }
            Some(Ok(None)) => "somebody deleted it".clone_into(last),
            Some(Err(kube::runtime::watcher::Error::WatchError(status))) => {
                last.clone_from(&status.message);
            }
            Some(Err(
                kube::runtime::watcher::Error::InitialListFailed(error)
                | kube::runtime::watcher::Error::WatchStartFailed(error)
                | kube::runtime::watcher::Error::WatchFailed(error),
            )) => {
                *last = said(&error);
                if let kube::Error::Api(status) = &error
                    && status.is_forbidden()
                {
                    return Err(InstallError::Client {
                        doing: "watch",
                        name: name.to_owned(),
                        error,
                    });
                }
            }
            Some(Err(error)) => *last = error.to_string(),
            // A watch doesn't end.
            None => return std::future::pending().await,
        }
    }
}

/// Returns when discovery lists the resource. By then, the handlers that serve its objects know the
/// version.
async fn until_offered(client: &Client, version: &str, plural: &str, reason: &mut String) {
    loop {
        match client.list_api_group_resources(version).await {
            Ok(offered) if offered.resources.iter().any(|each| each.name == plural) => return,
            Ok(_) => *reason = format!("the API server doesn't list it in {version} yet"),
            Err(error) => *reason = said(&error),
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn is_established(crd: &CustomResourceDefinition) -> bool {
    condition(crd, "Established").is_some_and(|(is_true, _)| is_true)
}

/// The reason why another resource has the names.
fn refused_names(crd: &CustomResourceDefinition) -> Option<String> {
    condition(crd, "NamesAccepted").filter(|(is_true, _)| !is_true).map(|(_, message)| message)
}

fn condition(crd: &CustomResourceDefinition, ty: &str) -> Option<(bool, String)> {
    let conditions = crd.status.as_ref()?.conditions.as_ref()?;
    let found = conditions.iter().find(|condition| condition.type_ == ty)?;
    Some((found.status == "True", found.message.clone().unwrap_or_default()))
}
