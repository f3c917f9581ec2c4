//! Reads CustomResourceDefinitions from files, a commit or a cluster.

use std::{
    ffi::OsStr,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use super::args::SourceArgs;
use super::definitions::of_bytes;
use super::input;
use crate::json::Json;

/// Reads the sources that a command line names.
pub(super) struct Sources<'a> {
    stdin: &'a mut dyn Read,
    #[cfg_attr(not(feature = "kube"), expect(dead_code, reason = "it names the cluster"))]
    args: &'a SourceArgs,
    /// What the user should know about the files that were read.
    pub(super) notes: String,
}

/// The CustomResourceDefinitions of a file, or of one in a commit or a cluster, and an error for each
/// document that can't be read.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) documents: Vec<Result<Json, String>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(args: &'a SourceArgs, stdin: &'a mut dyn Read) -> Self {
        Self { stdin, args, notes: String::new() }
    }

    /// Reads all CustomResourceDefinitions of the sources, or fails if a document can't be read.
    pub(super) fn read_all(&mut self, sources: &[PathBuf]) -> Result<Vec<Json>, String> {
        self.read(sources)?.into_iter().flat_map(|found| found.documents).collect()
    }

    /// Reads each source: `git:REF:PATH`, `kube:NAME`, or else a file, standard input or the files of
    /// a folder. Skips documents of other kinds.
    pub(super) fn read(&mut self, sources: &[PathBuf]) -> Result<Vec<Found>, String> {
        let files = input::with_folders(sources)?;
        let mut all = Vec::new();
        for (source, files_of_it) in &files.by_argument {
            let before = all.len();
            for file in files_of_it {
                all.extend(self.one(file)?);
            }
            if all[before..].iter().all(|found: &Found| found.documents.is_empty()) {
                let error = format!("`{}` holds no CustomResourceDefinition", source.display());
                return Err(files.missing(error));
            }
        }
        self.notes += &files.note();
        Ok(all)
    }

    fn one(&mut self, source: &Path) -> Result<Vec<Found>, String> {
        let name = source.display().to_string();
        if let Some(object) = name.strip_prefix("git:") {
            return of_commit(object, Path::new("."));
        }
        if let Some(resource) = name.strip_prefix("kube:") {
            let documents = vec![Ok(self.of_cluster(resource)?)];
            return Ok(vec![Found { name, documents }]);
        }
        let documents = of_bytes(&name, &input::read(Some(source), self.stdin)?);
        Ok(vec![Found { name, documents }])
    }

    #[cfg(feature = "kube")]
    fn of_cluster(&self, name: &str) -> Result<Json, String> {
        use super::cluster::{connect, runtime};
        use crate::{cluster::said, verify::document::as_created};

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
            let client = connect(&self.args.cluster).await?;
            let found = client.request::<serde_json::Value>(request).await;
            let found = found.map_err(|error| format!("`kube:{name}`: {}", said(&error)))?;
            Ok(as_created(Json::from(&found)))
        })
    }

    #[cfg(not(feature = "kube"))]
    #[expect(clippy::unused_self, reason = "with the feature, it has the cluster")]
    fn of_cluster(&self, name: &str) -> Result<Json, String> {
        Err(format!(
            "`kube:{name}` needs the feature `kube` of crd-conv, which this program doesn't have; without it, pass on \
             the output of `kubectl get crd {name} -o yaml`, as `-`"
        ))
    }
}

/// Reads a file or the files of a folder as a commit has them.
fn of_commit(object: &str, folder: &Path) -> Result<Vec<Found>, String> {
    let name = format!("git:{object}");
    let is_object = object.split_once(':').is_some_and(|(revision, _)| !revision.is_empty());
    // Git would take it for an option.
    if !is_object || object.starts_with('-') {
        return Err(format!("`{name}`: write `git:REF:PATH`, such as git:v1.4.0:deploy/crd.yaml"));
    }
    let one = |object: &str, bytes: &[u8]| {
        let name = format!("git:{object}");
        let documents = of_bytes(&name, bytes);
        Found { name, documents }
    };
    let bytes = shown(object, folder)?;
    let listing = bytes.strip_prefix(format!("tree {object}\n\n").as_bytes());
    let Some(listing) = listing.map(String::from_utf8_lossy) else {
        return Ok(vec![one(object, &bytes)]);
    };
    let mut all = Vec::new();
    for file in listing.lines() {
        let ending = Path::new(file).extension().and_then(OsStr::to_str);
        if matches!(ending, Some("json" | "yaml" | "yml")) {
            let separator = if object.ends_with([':', '/']) { "" } else { "/" };
            let object = format!("{object}{separator}{file}");
            all.push(one(&object, &shown(&object, folder)?));
        }
    }
    Ok(all)
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
            let documents = found.into_iter().flat_map(|found| found.documents);
            documents.map(|document| Ok(group(&document?))).collect()
        }
    }

    impl Drop for Repository {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn group(document: &Json) -> String {
        let group = document.member("spec").and_then(|spec| spec.member("group"));
        group.and_then(Json::as_str).unwrap().to_owned()
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
        // The root has `values.yaml`.
        assert!(read("v1:").unwrap().is_empty());
        assert_eq!(read("HEAD:./crds/b.yml").unwrap(), ["b"]);
        for folder in ["v1:crds", "v1:crds/"] {
            assert_eq!(read(folder).unwrap(), ["a", "b"], "{folder}");
        }
        for (object, said) in [
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
