//! Prints the CustomResourceDefinitions of the imported types, or the laws that they break.

use crd_conv::{
    ResourceType,
    crd::{CrdOptions, Webhook},
    testing::{Law, Trial},
};

type Resource = (usize, fn() -> ResourceType, bool);

const RESOURCES: &[Resource] = &[
// resources
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [command, cases] = &args[..]
        && command == "laws"
    {
        let cases = cases.parse().expect("a number");
        let next = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while let Some(resource) =
                        RESOURCES.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                    {
                        laws(resource, cases);
                    }
                });
            }
        });
        return;
    }
    for (number, resource, has_webhook) in RESOURCES {
        let mut options = CrdOptions::new().types_only();
        if *has_webhook {
            options = options.webhook(Webhook::service("default", "conversion"));
        }
        match resource().crd(&options) {
            Ok(crd) => println!("{number} {}", crd.to_json().replace('\n', " ")),
            Err(error) => println!("{number} {}", serde_json::Value::String(error.to_string())),
        }
    }
}

/// Prints the laws that are broken, if a resource has several versions that differ.
fn laws((number, resource, _): &Resource, cases: u32) {
    let resource = resource();
    let needs_webhook = resource.crd(&CrdOptions::new()).is_err();
    if resource.definition().versions.len() < 2 || !needs_webhook {
        return;
    }
    let broken: Vec<String> = match Trial::of(&resource) {
        Err(error) => vec![error.to_string()],
        Ok(trial) => {
            let trial = trial.cases(cases);
            let broken = Law::ALL.into_iter().filter_map(|law| trial.run(law).err());
            broken.map(|broken| broken.to_string()).collect()
        }
    };
    println!("{number} {}", serde_json::Value::from(broken));
}
