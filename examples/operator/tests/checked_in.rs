//! What the program prints is what is in `deploy`, and kube's derive agrees with the resource.

use std::process::{Command, Output};

#[track_caller]
fn prints(args: &[&str]) -> String {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_operator"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    let stdout = String::from_utf8(stdout).expect("UTF-8");
    assert!(status.success(), "{stdout}{}", String::from_utf8_lossy(&stderr));
    stdout
}

#[test]
fn the_crd_for_cert_manager() {
    let inject = "cert-manager.io/inject-ca-from=maintenance-system/maintenance-operator";
    let args = ["crd", "--annotation", inject, "--check", "deploy/cert-manager/crd.yaml"];
    assert_eq!(prints(&args), "");
}

#[test]
fn the_crd_for_a_certificate_of_our_own() {
    assert_eq!(prints(&["crd", "--check", "deploy/own-certificate/crd.yaml"]), "");
}

crd_conv::assert_kube!(operator::MaintenanceWindow, operator::v1::MaintenanceWindow);
