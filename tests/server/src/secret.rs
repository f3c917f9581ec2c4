//! The files of a Secret.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::SystemTime;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};

/// Makes a certificate that is its own authority, and its key. It is valid from 2020 to the start
/// of a year.
pub fn pair(name: &str, expires: i32) -> (String, String) {
    pair_until(name, date_time_ymd(expires, 1, 1).into())
}

/// Makes a certificate that is its own authority, and its key. It is valid from 2020 to some time.
pub fn pair_until(name: &str, expires: SystemTime) -> (String, String) {
    let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = expires.into();
    let key = KeyPair::generate().expect("a key");
    (params.self_signed(&key).expect("a certificate").pem(), key.serialize_pem())
}

/// Does what the kubelet does with the volume of a Secret: the files are links to files in a
/// directory that is a link, and only that link changes.
pub fn publish(directory: &Path, name: &str, (certificate, key): (&str, &str)) {
    let version = directory.join(format!("..{name}"));
    fs::create_dir(&version).expect("a directory");
    fs::write(version.join("tls.crt"), certificate).expect("a file");
    fs::write(version.join("tls.key"), key).expect("a file");
    symlink(format!("..{name}"), directory.join("..data_tmp")).expect("a link");
    fs::rename(directory.join("..data_tmp"), directory.join("..data")).expect("a link");
    for file in ["tls.crt", "tls.key"] {
        let path = directory.join(file);
        if !path.is_symlink() {
            symlink(format!("..data/{file}"), path).expect("a link");
        }
    }
}
