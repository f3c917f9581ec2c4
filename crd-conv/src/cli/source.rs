//! Reads the CustomResourceDefinitions that `diff` compares: from files, a commit or a cluster.

use std::{
    ffi::OsStr,
    io::Read,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

#[cfg(feature = "kube")]
use super::args::ClusterArgs;
use super::definitions::{definitions, of_bytes};
use crate::json::Json;

pub(super) struct Sources<'a> {
    pub(super) stdin: &'a mut dyn Read,
    /// What the user should know about the files that were read.
    pub(super) notes: String,
    #[cfg(feature = "kube")]
    pub(super) cluster: &'a ClusterArgs,
}

impl Sources<'_> {
    /// Reads `git:REF:PATH`, `kube:NAME`, or else a file or a folder.
    pub(super) fn read(&mut self, source: &Path) -> Result<Vec<Json>, String> {
        let text = source.to_str().unwrap_or_default();
        let found = if let Some(object) = text.strip_prefix("git:") {
            of_commit(object, Path::new("."))?
        } else if let Some(name) = text.strip_prefix("kube:") {
            vec![self.of_cluster(name)?]
        } else {
            let found = definitions(&[source.to_owned()], self.stdin)?;
            self.notes += &found.notes;
            found.by_file.into_iter().flat_map(|(_, documents)| documents).collect()
        };
        Ok(found.iter().map(Json::from).collect())
    }

    #[cfg(feature = "kube")]
    fn of_cluster(&self, name: &str) -> Result<Value, String> {
        use super::cluster::{connect, runtime};
        use crate::cluster::said;

        // The name becomes a part of a path.
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(format!(
                "`kube:{name}`: write `kube:NAME`, such as kube:crontabs.example.com"
            ));
        }
        let path = format!("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}");
        let request = http::Request::get(path).body(Vec::new());
        let request = request.map_err(|error| format!("`kube:{name}`: {error}"))?;
        runtime()?.block_on(async {
            let client = connect(self.cluster).await?;
            let found = client.request(request).await;
            found.map_err(|error| format!("`kube:{name}`: {}", said(&error)))
        })
    }

    #[cfg(not(feature = "kube"))]
    #[expect(clippy::unused_self, reason = "with the feature, it has the cluster")]
    fn of_cluster(&self, name: &str) -> Result<Value, String> {
        Err(format!(
            "`kube:{name}` needs the feature `kube` of crd-conv, which this program doesn't have; without it, pipe \
             `kubectl get crd {name} -o yaml` into `diff -`"
        ))
    }
}

/// Reads a file or the files of a folder as a commit has them.
fn of_commit(object: &str, folder: &Path) -> Result<Vec<Value>, String> {
    let name = format!("git:{object}");
    let is_object = object.split_once(':').is_some_and(|(revision, _)| !revision.is_empty());
    // Git would take it for an option.
    if !is_object || object.starts_with('-') {
        return Err(format!("`{name}`: write `git:REF:PATH`, such as git:v1.4.0:deploy/crd.yaml"));
    }
    let bytes = shown(object, folder)?;
    let listing = bytes.strip_prefix(format!("tree {object}\n\n").as_bytes());
    let Some(listing) = listing.map(String::from_utf8_lossy) else {
        return some(&name, of_bytes(&name, &bytes)?);
    };
    let mut all = Vec::new();
    for file in listing.lines() {
        let ending = Path::new(file).extension().and_then(OsStr::to_str);
        if matches!(ending, Some("json" | "yaml" | "yml")) {
            let separator = if object.ends_with([':', '/']) { "" } else { "/" };
            let object = format!("{object}{separator}{file}");
            all.extend(of_bytes(&format!("git:{object}"), &shown(&object, folder)?)?);
        }
    }
    some(&name, all)
}

fn some(name: &str, found: Vec<Value>) -> Result<Vec<Value>, String> {
    if found.is_empty() {
        return Err(format!("`{name}` holds no CustomResourceDefinition"));
    }
    Ok(found)
}

/// The content of a file in a commit, or the names in a folder after a line with the word `tree`.
fn shown(object: &str, folder: &Path) -> Result<Vec<u8>, String> {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["show", "--no-textconv", object]).env("LC_ALL", "C");
    let Output { status, stdout, stderr } =
        git.output().map_err(|error| format!("`git:{object}`: can't run git: {error}"))?;
    if status.success() {
        return Ok(stdout);
    }
    let said = String::from_utf8_lossy(&stderr);
    let said = said.lines().next().unwrap_or_default();
    let said = said.strip_prefix("fatal: ").unwrap_or(said);
    Err(format!("`git:{object}`: git says: {said}"))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    /// A repository with one commit, which the tag `v1` names.
    struct Repository(PathBuf);

    impl Repository {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let folder = format!("crd-conv-{}-{name}", std::process::id());
            let repository = Self(std::env::temp_dir().join(folder));
            for (file, text) in files {
                let file = repository.0.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            repository.git(&["init", "-q"]);
            repository.git(&["add", "."]);
            let identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
            let commit = ["-c", "commit.gpgsign=false", "commit", "-q", "-m", "a"];
            repository.git(&[&identity[..], &commit].concat());
            repository.git(&["tag", "v1"]);
            repository
        }

        fn git(&self, args: &[&str]) {
            let ran = Command::new("git").current_dir(&self.0).args(args).output().unwrap();
            assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        }

        /// The groups of the definitions.
        fn read(&self, object: &str) -> Result<Vec<String>, String> {
            let found = of_commit(object, &self.0)?;
            Ok(found.iter().map(|crd| crd["spec"]["group"].as_str().unwrap().to_owned()).collect())
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    #[test]
    fn a_commit_has_other_files_than_the_folder() {
        let crd = |group| format!("kind: CustomResourceDefinition\nspec: {{group: {group}}}\n");
        let (a, b) = (crd("a"), crd("b"));
        let files = [
            ("crds/a.yaml", &*a),
            ("crds/b.yml", &b),
            ("crds/notes.txt", "x: ["),
            ("crds/in/c.yaml", "x: ["),
            ("values.yaml", "replicas: 1\n"),
        ];
        let repository = Repository::new("git", &files);
        fs::write(repository.0.join("crds/a.yaml"), crd("later")).unwrap();
        let read = |object| repository.read(object);
        assert_eq!(read("v1:crds/a.yaml").unwrap(), ["a"]);
        assert_eq!(read("HEAD:./crds/b.yml").unwrap(), ["b"]);
        for folder in ["v1:crds", "v1:crds/"] {
            assert_eq!(read(folder).unwrap(), ["a", "b"], "{folder}");
        }
        for (object, said) in [
            ("v1:", "`git:v1:` holds no CustomResourceDefinition"),
            ("v1:crds/in/c.yaml", "`git:v1:crds/in/c.yaml`: "),
            ("v1:crds/z.yaml", "`git:v1:crds/z.yaml`: git says: path 'crds/z.yaml' does not exist"),
            ("v2:crds", "`git:v2:crds`: git says: invalid object name 'v2'"),
            ("v1", "`git:v1`: write `git:REF:PATH`"),
            (":crds/a.yaml", "`git::crds/a.yaml`: write `git:REF:PATH`"),
            ("--output=x:crds", "`git:--output=x:crds`: write `git:REF:PATH`"),
        ] {
            let error = read(object).unwrap_err();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
