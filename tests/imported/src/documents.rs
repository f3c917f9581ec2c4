//! The documents in a folder.

use std::{fs, io, path::Path};

use serde_json::Value;

pub(crate) struct Document {
    pub(crate) file: String,
    pub(crate) value: Value,
}

pub(crate) fn read(folder: &Path, only: &str) -> io::Result<Vec<Document>> {
    let mut files =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    let mut documents = Vec::new();
    for path in files {
        let file =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !file.contains(only) || !path.is_file() {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let invalid = |error: String| io::Error::other(format!("{file}: {error}"));
        let values: Vec<Value> = if path.extension().is_some_and(|end| end == "json") {
            vec![serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?]
        } else {
            serde_saphyr::from_multiple(&text).map_err(|error| invalid(error.to_string()))?
        };
        let definitions =
            values.into_iter().filter(|value| value["kind"] == "CustomResourceDefinition");
        documents.extend(definitions.map(|value| Document { file: file.clone(), value }));
    }
    Ok(documents)
}
