//! Generates the CustomResourceDefinition when the crate is built.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use crd_conv::ResourceType;
use crd_conv::crd::{CrdOptions, Webhook};
use crontab::CronTab;

fn main() -> Result<(), Box<dyn Error>> {
    let webhook = Webhook::service("default", "example-conversion-webhook-server");
    let options = CrdOptions::new().webhook(webhook.path("/crdconvert"));
    let crd = ResourceType::of::<CronTab>().crd(&options)?;
    let folder = env::var("OUT_DIR")?;
    fs::write(Path::new(&folder).join("crd.yaml"), crd.to_yaml()?)?;
    // Cargo runs this again when the crate with the types has changed, and for no other file.
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
