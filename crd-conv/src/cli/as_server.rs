//! The command `convert --as-server`.

use std::fmt::Write;

use crate::{
    Converted, ResourceType,
    object::object_name,
    validation::{ValidationReport, Validator},
};

/// Handles objects as an API server does if a client writes them in one version and reads them in
/// another. Collects notes about what the server would report.
#[derive(Default)]
pub(super) struct Server {
    /// The validators by group and plural.
    validators: Vec<([&'static str; 2], Validator)>,
    pub(super) notes: String,
}

impl Server {
    /// Returns the object as a client would read it in version `to`.
    ///
    /// The server decodes and validates the object in its own version, converts it to the storage
    /// version and stores it. Then it reads the stored object, fills in the storage version's
    /// defaults, and converts that. After a conversion, it prunes, and fills in nothing.
    pub(super) fn read_at(
        &mut self,
        resource: &ResourceType,
        json: &str,
        to: &str,
    ) -> Result<Converted, String> {
        let definition = resource.definition();
        let name = [definition.group, definition.plural];
        let known = self.validators.iter().position(|(own, _)| *own == name);
        let index = known.unwrap_or(self.validators.len());
        if known.is_none() {
            let validator = Validator::of(resource).map_err(|errors| errors.to_string())?;
            self.validators.push((name, validator));
        }
        let Self { validators, notes } = self;
        let validator = &validators[index].1;
        let name = object_name(json, 0);
        let unreadable = |error| format!("the API server can't read {name}: {error}");
        let note = |notes: &mut String, what: &str, version: &str, pruned: &[String]| {
            for path in pruned {
                // Writing to a text can't fail.
                let _ = writeln!(notes, "{name}: {what} {version}: pruned {path}");
            }
        };

        let report = validator.validate(json).map_err(unreadable)?;
        if !report.accepts() {
            let causes = report.causes.iter().map(|cause| format!("\n  {cause}"));
            return Err(format!("the API server refuses {name}:{}", causes.collect::<String>()));
        }
        let ValidationReport { version: own, object, pruned, unchecked, .. } = report;
        note(notes, "in", &own, &pruned);
        for unchecked in unchecked {
            let _ = writeln!(notes, "{name}: not checked: {unchecked}");
        }

        let mut convert = |object: &str, to: &str| {
            let mut converted =
                resource.convert(object.as_bytes(), to).map_err(|error| error.to_string())?;
            let (json, pruned) = validator.coerce(&converted.json).map_err(unreadable)?;
            note(notes, "after the conversion to", to, &pruned);
            converted.json = json;
            Ok::<_, String>(converted)
        };
        let storage = definition.versions.iter().find(|version| version.storage);
        let storage = storage.map_or(own.as_str(), |version| version.name);
        let stored = if own == storage { object } else { convert(&object, storage)?.json };
        let (read, _) = validator.decode(&stored).map_err(unreadable)?;
        // `to` may include the group, and the version may be unknown.
        let to = to.rsplit_once('/').map_or(to, |(_, version)| version);
        if to == storage {
            // Only the form of the text may still change.
            return resource.convert(read.as_bytes(), to).map_err(|error| error.to_string());
        }
        convert(&read, to)
    }
}
