//! The command `next-version`.

use std::{fmt::Write as _, fs, path::Path};

use super::{args::NextArgs, files::write, output::Output};
use crate::import::{Next, next};

pub(super) fn run(args: &NextArgs) -> Result<Output, String> {
    let file = args.from.display();
    let text =
        fs::read_to_string(&args.from).map_err(|error| format!("can't read `{file}`: {error}"))?;
    let older = module(&args.from)
        .ok_or_else(|| format!("`{file}` isn't named after a version, such as `v1beta1.rs`"))?;
    if older == args.version {
        return Err(format!("`{file}` is the module of `{older}` itself"));
    }
    let Next { text, outermost, without_impls } =
        next(&text, &older, &args.types).map_err(|error| format!("`{file}`: {error}"))?;
    let version = &args.version;
    let mut notes = format!(
        "note: add `pub mod {version};`, and the version to the resource, with {} of `{version}`\n\
         note: then write what changes: `removed(…)` on a type, `#[versioned(added)]` on a field\n",
        listed(&outermost)
    );
    if !without_impls.is_empty() {
        // Writing to a string doesn't fail.
        let _ = writeln!(notes, "note: `impl` blocks of {} aren't copied", listed(&without_impls));
    }
    let mut output = match &args.out {
        None => Output::from(text),
        Some(out) if out.exists() => {
            return Err(format!("`{}` exists: remove it first", out.display()));
        }
        Some(out) => write(out, &text)?,
    };
    output.stderr += &notes;
    Ok(output)
}

/// The module with this file.
fn module(file: &Path) -> Option<String> {
    let stem = file.file_stem()?.to_str()?;
    let module = if stem == "mod" { file.parent()?.file_name()?.to_str()? } else { stem };
    syn::parse_str::<syn::Ident>(module).ok().map(|ident| ident.to_string())
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
