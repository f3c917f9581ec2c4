//! The cluster that a command works on.

use std::path::PathBuf;

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use tokio::runtime::{Builder, Runtime};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Cluster")]
pub(super) struct ClusterArgs {
    /// The kubeconfig [default: what KUBECONFIG names, else ~/.kube/config, else that of the Pod].
    #[arg(long, value_name = "FILE")]
    pub(super) kubeconfig: Option<PathBuf>,
    /// The context of the kubeconfig [default: its current one].
    #[arg(long, value_name = "NAME")]
    pub(super) context: Option<String>,
}

impl ClusterArgs {
    pub(super) async fn client(&self) -> Result<Client, String> {
        let config = self.config().await?;
        Client::try_from(config)
            .map_err(|error| format!("can't connect: {}", crate::kube::said(&error)))
    }

    async fn config(&self) -> Result<Config, String> {
        let options =
            KubeConfigOptions { context: self.context.clone(), ..KubeConfigOptions::default() };
        if let Some(file) = &self.kubeconfig {
            let said = |error: &dyn std::fmt::Display| format!("`{}`: {error}", file.display());
            let kubeconfig = Kubeconfig::read_from(file).map_err(|error| said(&error))?;
            let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
            return config.map_err(|error| said(&error));
        }
        if self.context.is_some() {
            let config = Config::from_kubeconfig(&options).await;
            return config.map_err(|error| error.to_string());
        }
        Config::infer().await.map_err(|error| {
            format!("there is no cluster to work on: {error}; name a file with `--kubeconfig`")
        })
    }
}

pub(super) fn runtime() -> Result<Runtime, String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| format!("can't start a runtime: {error}"))
}
