//! The arguments of the command `import`.

use std::path::PathBuf;

use super::SourceArgs;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ImportArgs {
    /// Write the modules into this folder instead of standard output.
    #[arg(long, value_name = "FOLDER")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Write a complete package with this name, into a folder with this name unless `--out` names another one.
    #[arg(long = "crate", value_name = "NAME", value_parser = package)]
    pub(in crate::cli) package: Option<String>,
    /// Replace files that have another text.
    #[arg(long)]
    pub(in crate::cli) force: bool,
    /// Only this resource, named by its kind, its plural or the name of the CustomResourceDefinition.
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) resource: Option<String>,
    /// The folder of crd-conv's source, for the package.
    #[arg(long, value_name = "FOLDER", hide = true, requires = "package")]
    pub(in crate::cli) crd_conv_path: Option<PathBuf>,
    /// Files with one or several YAML or JSON documents each, folders with such files, `-` for standard input, `git:REF:PATH` for a file or a
    /// folder in a commit, or `kube:NAME` for a CustomResourceDefinition in a cluster. Documents of other kinds are skipped. Folders in a folder
    /// are skipped, too, and a note names them.
    #[arg(required = true, value_name = "FILE")]
    pub(in crate::cli) files: Vec<PathBuf>,
    // This comes last, because its heading applies to all options after it.
    #[command(flatten)]
    pub(in crate::cli) sources: SourceArgs,
}

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct NextArgs {
    /// The name of the new version, such as v1beta2.
    #[arg(value_name = "VERSION", value_parser = version)]
    pub(in crate::cli) version: String,
    /// The file with the types of the version before, such as src/v1beta1.rs.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) from: PathBuf,
    /// A type that changes; can be repeated [default: those that no other type contains].
    #[arg(long = "type", value_name = "NAME")]
    pub(in crate::cli) types: Vec<String>,
    /// Write to this new file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
}

fn version(name: &str) -> Result<String, String> {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) => Ok(name.to_owned()),
        Err(_) => Err("write the name of a module".to_owned()),
    }
}

fn package(name: &str) -> Result<String, String> {
    if crate::import::is_name(name) {
        Ok(name.to_owned())
    } else {
        Err("write letters, digits, `-` and `_`, and a letter first".to_owned())
    }
}
