//! `convert --as-server`.

use std::fmt::Write;

use crate::{
    Converted, Resource,
    object::object_name,
    validation::{Report, Validator},
};

/// Does what the API server does with objects that a client writes in one version and reads in another, and collects what
/// it says of them.
#[derive(Default)]
pub(super) struct Server {
    /// By group and plural.
    validators: Vec<([&'static str; 2], Validator)>,
    pub(super) notes: String,
}

impl Server {
    /// The object as a client would read it in version `to`.
    ///
    /// The server decodes and validates it in its own version, converts it to the storage version and stores it; it reads what
    /// it stored, which is when defaults of the storage version are filled in, and converts that. After a conversion it prunes, and fills
    /// in nothing.
    pub(super) fn read_at(
        &mut self,
        resource: &Resource,
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
        let Report { version: own, object, pruned, unchecked, .. } = report;
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
        // `to` may have the group with it, and the version may be unknown.
        let to = to.rsplit_once('/').map_or(to, |(_, version)| version);
        if to == storage {
            // Nothing is left to do but to give it the same form.
            return resource.convert(read.as_bytes(), to).map_err(|error| error.to_string());
        }
        convert(&read, to)
    }
}
