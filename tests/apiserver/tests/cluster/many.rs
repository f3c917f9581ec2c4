//! Ten thousand objects: what a list costs at each version, cold and warm, and what moving all of them costs.

use std::path::Path;
use std::time::Instant;

use crd_conv::VersionedResource;
use crd_conv_apiserver::{ApiServer, Installed, namespace};
use fleet::Fleet;
use futures_util::{StreamExt, stream};

const SPACE: &str = "many";
const OBJECTS: usize = 10_000;

/// A process's time on the processors so far, in hundredths of a second, and the memory that it has, in MiB.
fn usage(process: &Path) -> (u64, u64) {
    let text = |name: &str| std::fs::read_to_string(process.join(name)).expect("a process");
    let stat = text("stat");
    let (_, fields) = stat.rsplit_once(')').expect("a name in parentheses");
    let fields: Vec<&str> = fields.split_whitespace().collect();
    // For the process and for the kernel.
    let hundredths: u64 =
        fields[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
    let status = text("status");
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    let kib: u64 = memory.split_whitespace().next().expect("a size").parse().expect("a number");
    (hundredths, kib / 1024)
}

/// The API server's process.
fn api_server(cluster: &ApiServer) -> std::path::PathBuf {
    let folder = cluster.kubeconfig().parent().expect("a folder").display().to_string();
    let is_it = |process: &std::path::PathBuf| {
        let line = std::fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        line.contains("\0kube-apiserver\0") && line.contains(&folder)
    };
    let processes = std::fs::read_dir("/proc").expect("processes");
    let mut paths = processes.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(is_it).expect("an API server")
}

/// Runs something, and prints what it took: seconds, reviews, and what the API server and the webhook, which is this process, used.
async fn measured<T>(
    what: &str,
    (installed, server): (&Installed, &Path),
    action: impl Future<Output = T>,
) -> T {
    let own = Path::new("/proc/self");
    let before = (installed.webhook.count(), usage(server).0, usage(own).0);
    let start = Instant::now();
    let outcome = action.await;
    let took = start.elapsed();
    let seconds = |hundredths: u64| format!("{}.{:02}", hundredths / 100, hundredths % 100);
    let ((server_cpu, server_memory), (own_cpu, own_memory)) = (usage(server), usage(own));
    println!(
        "{what}: {:.1} s, {} reviews; API server {} s of CPU, {server_memory} MiB; webhook and client {} s of CPU, {own_memory} MiB",
        took.as_secs_f64(),
        installed.webhook.count() - before.0,
        seconds(server_cpu - before.1),
        seconds(own_cpu - before.2),
    );
    outcome
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes, and prints figures"]
async fn ten_thousand_objects() {
    let cluster: &'static ApiServer = Box::leak(Box::new(ApiServer::cluster(1)));
    let client = cluster.client().await;
    for name in [SPACE, "probe"] {
        namespace(&client, name).await;
    }
    let installed = Installed::new(cluster, Fleet::DEFINITION, "many.example.com").await;
    let stored = installed.objects("v1beta1", SPACE);
    let fleets = installed.random("v1beta1", 7, 100);
    let create = async |number: usize| {
        let name = format!("f-{number:05}");
        let fleet = stored.named(&fleets[number % fleets.len()], &name);
        stored.create_text(&fleet).await.expect("created");
    };
    let server = api_server(cluster);
    let create_all = stream::iter(0..OBJECTS).map(create).buffer_unordered(16).collect::<Vec<_>>();
    measured("create in the stored version", (&installed, &server), create_all).await;
    cluster.restart("kube-apiserver");
    let server = api_server(cluster);
    for version in ["v1beta1", "v1alpha1", "v1"] {
        for state in ["cold", "warm"] {
            let at = installed.objects(version, SPACE);
            let what = format!("list at {version}, {state}");
            let listed = measured(&what, (&installed, &server), async {
                // The client's own retry is for a cache that isn't filled yet.
                at.list_cached().await.expect("a list")
            });
            assert_eq!(listed.await.len(), OBJECTS);
        }
    }
    installed.store_in("v1").await;
    let migration = || {
        crd_conv::migrate::Migration::new(crd_conv::ResourceType::new(
            installed.resource.definition(),
        ))
    };
    for (what, expected) in [("migrate", OBJECTS as u64), ("migrate with nothing to do", 0)] {
        let run = async { migration().run(&client, |_| {}).await.expect("migrated") };
        let report = measured(what, (&installed, &server), run).await;
        assert_eq!((report.objects, report.rewritten), (OBJECTS as u64, Some(expected)));
    }
}
