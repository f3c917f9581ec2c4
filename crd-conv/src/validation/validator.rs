//! The versions of a resource, and what the API server does with an object in one of them.

use super::ValidationReport;
#[cfg(feature = "cli")]
use crate::apiserver::{
    cause::{Cause, Ratcheted},
    finding::Unchecked,
    rules, steps,
};
use crate::{
    ResourceType,
    apiserver::{
        cause::Findings,
        decoding::{self, Decoded},
        object,
        steps::META_FIELDS,
        text,
    },
    crd::{CrdError, CrdErrors, CrdOptions, Webhook},
    definition::{Layout, VersionDefinition},
    go::{self, refusal::Refusal},
    json::Json,
    verify::{self, Served, ServedVersion},
};

/// What the API server does with an update.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) struct Update {
    /// The reasons to refuse it, however little it changes.
    pub(crate) causes: Vec<Cause>,
    /// The reasons to refuse it that don't count because nothing there changes.
    pub(crate) ratcheted: Vec<Ratcheted>,
    pub(crate) unchecked: Vec<Unchecked>,
}

/// The parts of a resource that the API server uses to validate objects.
#[derive(Debug)]
pub struct Validator {
    served: Served,
    /// The versions as their author declared them, if that is known.
    declared: &'static [VersionDefinition],
}

impl Validator {
    /// Makes a validator for a resource with `#[derive(Versioned)]`.
    ///
    /// ```
    /// mod v1 {
    ///     # use {crd_conv::Versioned, schemars::JsonSchema, serde::{Deserialize, Serialize}};
    ///     #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    ///     pub struct BoxSpec { pub size: i32, pub color: Option<String> }
    /// }
    ///
    /// #[derive(crd_conv::Versioned)]
    /// #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
    /// enum Box { #[versioned(storage)] V1 { spec: v1::BoxSpec } }
    ///
    /// use crd_conv::{ResourceType, validation::Validator};
    ///
    /// let boxes = Validator::of(&ResourceType::of::<Box>()).unwrap();
    /// let object = r#"{"apiVersion":"example.com/v1","kind":"Box","metadata":{"name":"b"},"spec":{"size":"s"}}"#;
    /// let report = boxes.validate(object).unwrap();
    /// assert_eq!(
    ///     report.to_string(),
    ///     "spec.size: Invalid value: \"string\": spec.size in body must be of type integer: \"string\" \
    ///      (in the Rust type `v1::BoxSpec`)"
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// Returns everything that keeps the resource from having a CustomResourceDefinition, except
    /// for the webhook's address.
    pub fn of(resource: &ResourceType) -> Result<Self, CrdErrors> {
        let definition = resource.definition();
        let crd = resource.crd(&CrdOptions::new().webhook(Webhook::anywhere()))?;
        let errors = |error| CrdErrors { resource: definition.crd_name(), errors: vec![error] };
        let served = verify::served(&crd.to_tree())
            .map_err(|report| errors(CrdError::Declaration(report.to_string())))?;
        Ok(Self { served, declared: definition.versions })
    }

    /// Makes a validator for any CustomResourceDefinition.
    ///
    /// # Errors
    ///
    /// Fails if the API server refuses the document.
    pub fn read(document: &Json) -> Result<Self, verify::VerificationReport> {
        verify::served(document).map(|served| Self { served, declared: &[] })
    }

    /// Reports what the API server does with an object that a client creates, in the version that
    /// the object names.
    ///
    /// # Errors
    ///
    /// Fails if the server can't even read the object. That is the case if it isn't a JSON object
    /// with the resource's kind in one of its versions. It is also the case if `metadata`, in the
    /// object or in an embedded resource, has a field with another type.
    pub fn validate(&self, object: &str) -> Result<ValidationReport, Refusal> {
        let version = self.version_of(object)?;
        let Decoded { object, pruned } = decoding::decode(object, &version.schema)?;
        let Findings { mut causes, unchecked, .. } =
            object::find(&object, &version.schema, version.scale.as_ref());
        for cause in &mut causes {
            cause.rust_type = self.rust_type(&version.name, &cause.field);
        }
        let (version, object) = (version.name.clone(), text::write(&object));
        Ok(ValidationReport { version, object, pruned, causes, unchecked })
    }

    /// Decodes an object, and writes it again.
    #[cfg(feature = "cli")]
    pub(crate) fn decode(&self, object: &str) -> Result<(String, Vec<String>), Refusal> {
        let decoded = decoding::decode(object, &self.version_of(object)?.schema)?;
        Ok((text::write(&decoded.object), decoded.pruned))
    }

    /// What becomes of an object that a conversion made.
    #[cfg(feature = "cli")]
    pub(crate) fn coerce(&self, object: &str) -> Result<(String, Vec<String>), Refusal> {
        let coerced = decoding::coerce(object, &self.version_of(object)?.schema)?;
        Ok((text::write(&coerced.object), coerced.pruned))
    }

    /// Reports what the API server does when a client that has read this object changes nothing but
    /// its metadata. `object` is in the version of the request, as the server converted it.
    ///
    /// Every client sees such an object without the defaults of this version, and every request has
    /// them.
    #[cfg(feature = "cli")]
    pub(crate) fn update(&self, object: &str) -> Result<Update, Refusal> {
        let version = self.version_of(object)?;
        let old = decoding::coerce(object, &version.schema)?.object;
        let mut new = old.clone();
        steps::default(&mut new, &version.schema);
        if version.has_status
            && let (Json::Object(old), Json::Object(new)) = (&old, &mut new)
        {
            match old.get("status") {
                Some(status) => new.insert("status".to_owned(), status.clone()),
                None => new.remove("status"),
            };
        }
        let scale = version.scale.as_ref();
        let mut found = object::find_in_update(&old, &new, &version.schema, scale);
        // The other causes say what there is to do.
        #[cfg(feature = "cel")]
        found.causes.retain(|cause| !rules::says_blocked(cause));
        let ratcheted = found.ratcheted.iter_mut().map(|ratcheted| &mut ratcheted.cause);
        for cause in found.causes.iter_mut().chain(ratcheted) {
            cause.rust_type = self.rust_type(&version.name, &cause.field);
        }
        let Findings { causes, ratcheted, unchecked, .. } = found;
        Ok(Update { causes, ratcheted, unchecked })
    }

    /// Whether objects of a version have to keep CEL rules that no update is compared with.
    #[cfg(feature = "cli")]
    pub(crate) fn passes_over_rules(&self, version: &str) -> bool {
        let version = self.version(version);
        cfg!(not(feature = "cel")) && version.is_some_and(|own| rules::exist(&own.schema))
    }

    /// What the server knows about a version.
    #[cfg(feature = "cli")]
    pub(crate) fn version(&self, name: &str) -> Option<&ServedVersion> {
        self.served.versions.iter().find(|version| version.name == name)
    }

    fn version_of(&self, object: &str) -> Result<&ServedVersion, Refusal> {
        let Json::Object(members) = go::text::read(object)? else {
            return Err(Refusal::new("the text isn't an object"));
        };
        let text = |name: &str| members.get(name).and_then(Json::as_str).unwrap_or_default();
        let Served { group, kind, versions } = &self.served;
        if text("kind") != kind {
            return Err(Refusal::new(&format!("kind: `{}`, must be {kind}", text("kind"))));
        }
        let api_version = |version: &ServedVersion| format!("{group}/{}", version.name);
        let found = text("apiVersion");
        versions.iter().find(|version| api_version(version) == found).ok_or_else(|| {
            let known: Vec<_> = versions.iter().map(api_version).collect();
            Refusal::new(&format!("apiVersion: `{found}`, must be one of {}", known.join(", ")))
        })
    }

    /// The type of the stanza, which is as near as the definition tells.
    fn rust_type(&self, version: &str, field: &str) -> Option<String> {
        let version = self.declared.iter().find(|own| own.name == version)?;
        let stanza = field.split(['.', '[']).next()?;
        let ty = match version.layout {
            Layout::Root(ty) => (!META_FIELDS.contains(&stanza)).then_some(ty),
            Layout::Stanzas(stanzas) => {
                stanzas.iter().find(|own| own.wire == stanza).map(|stanza| stanza.ty)
            }
        };
        ty.map(|ty| ty.name.to_owned())
    }
}
