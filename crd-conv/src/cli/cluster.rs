//! The cluster that a command uses.

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::runtime::{Builder, Runtime};

use super::args::ClusterArgs;
use crate::cluster::said;

/// The runtime for a command that sends requests to a cluster and then ends.
pub(super) fn runtime() -> Result<Runtime, String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("can't start: {error}"))
}

/// Connects to the cluster that the options name, otherwise to kubectl's, otherwise to the pod's
/// own.
pub(super) async fn connect(args: &ClusterArgs) -> Result<Client, String> {
    let options = KubeConfigOptions { context: args.context.clone(), ..Default::default() };
    let config = match (&args.kubeconfig, &args.context) {
        (Some(file), _) => {
            let unusable = |error| {
                format!("the kubeconfig `{}` can't be used: {error}", file.display())
            };
            let kubeconfig = Kubeconfig::read_from(file).map_err(unusable)?;
            Config::from_custom_kubeconfig(kubeconfig, &options).await.map_err(unusable)?
        }
        (None, Some(_)) => Config::from_kubeconfig(&options)
            .await
            .map_err(|error| format!("the kubeconfig can't be used: {error}"))?,
        (None, None) => Config::infer().await.map_err(|error| {
            format!(
                "there is neither a kubeconfig nor a pod's service account: {error}; give `--kubeconfig FILE`"
            )
        })?,
    };
    Client::try_from(config).map_err(|error| said(&error))
}
