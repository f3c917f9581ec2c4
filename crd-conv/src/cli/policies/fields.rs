//! Policies that warn clients who write fields of an older version that the newest one has in
//! another place, or doesn't have.
//!
//! Source: <https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>

use serde_json::{Value as Json, json};

use super::binding;
use crate::{
    ResourceType,
    apiserver::{
        escape::escape,
        schema::{Schema, SchemaType},
    },
    definition::Definition,
    explanation::{
        Detail, FieldPath, Segment,
        successors::{Successor, successors},
    },
    json,
    validation::Validator,
};

/// Returns a policy and its binding for each served version with such fields.
///
/// # Errors
///
/// Fails if the resource has no CustomResourceDefinition.
pub(super) fn policies(resource: &ResourceType) -> Result<Vec<Json>, String> {
    let Definition { group, plural, versions, .. } = resource.definition();
    let Some(newest) = versions.iter().rposition(|version| version.served) else {
        return Ok(Vec::new());
    };
    let validator = Validator::of(resource).map_err(|errors| errors.to_string())?;
    let hops = resource.explanation();
    let mut policies = Vec::new();
    for (place, version) in versions[..newest].iter().enumerate().filter(|(_, own)| own.served) {
        let Some(served) = validator.version(version.name) else { continue };
        let successors = successors(&hops[place..newest]);
        // A controller writes the status, and doesn't read warnings.
        let is_read = |path: &FieldPath| {
            !(served.has_status && path.segments().first() == Some(&Segment::Field("status")))
        };
        let successors = successors.iter().filter(|own| is_read(&own.older.path));
        let newest = format!("{group}/{}", versions[newest].name);
        let validations = successors.filter_map(|own| validation(own, &served.schema, &newest));
        let validations: Vec<_> = validations.collect();
        if validations.is_empty() {
            continue;
        }
        let name = format!("fields.{}.{plural}.{group}", version.name);
        policies.push(json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "ValidatingAdmissionPolicy",
            "metadata": { "name": name },
            "spec": {
                // A warning never stops a write.
                "failurePolicy": "Ignore",
                "matchConstraints": {
                    // Only what a client writes in this version.
                    "matchPolicy": "Exact",
                    "resourceRules": [{
                        "apiGroups": [group],
                        "apiVersions": [version.name],
                        "operations": ["CREATE", "UPDATE"],
                        "resources": [plural],
                    }],
                },
                "validations": validations,
            },
        }));
        policies.push(binding(&name, &["Warn", "Audit"]));
    }
    Ok(policies)
}

/// Returns `None` if CEL can't tell whether a client has set the field.
fn validation(successor: &Successor, schema: &Schema, newest: &str) -> Option<Json> {
    let Successor { older, newer } = successor;
    let condition = Condition::of(older.detail, schema, older.path.segments())?;
    let expression = condition.at("object", older.path.segments(), 0)?;
    let name = |value: &crate::explanation::Value| {
        let path = value.path.to_string();
        let path = path.trim_start_matches('.');
        match value.detail {
            Detail::Variant(name) => format!("{name:?} in `{path}`"),
            Detail::Type(_) | Detail::None => format!("`{path}`"),
        }
    };
    let newer: Vec<_> = newer.iter().map(name).collect();
    let message = match newer.split_last() {
        None => format!("{} is deprecated: `{newest}` doesn't have it", name(older)),
        Some((last, [])) => format!("{} is deprecated: in `{newest}` it is {last}", name(older)),
        Some((last, others)) => {
            let others = others.join(", ");
            format!("{} is deprecated: in `{newest}` it is in {others} and {last}", name(older))
        }
    };
    Some(json!({ "expression": format!("!({expression})"), "message": message }))
}

/// What a client must have written.
enum Condition {
    /// Any value.
    Set,
    /// This value, as CEL writes it.
    Is(String),
    /// Another value than this one, which the API server fills in.
    IsNot(String),
}

impl Condition {
    /// Returns `None` if the API server fills in a value that isn't a scalar.
    fn of(detail: Detail, schema: &Schema, segments: &[Segment]) -> Option<Self> {
        if let Detail::Variant(name) = detail {
            return Some(Self::Is(Json::from(name).to_string()));
        }
        let (mut schema, mut filled) = (schema, None);
        for segment in segments {
            (schema, filled) = match segment {
                Segment::Field(name) => {
                    let member = |value: &json::Json| value.member(name).cloned();
                    (schema.declared(name)?, filled.as_ref().and_then(member))
                }
                Segment::Items => (schema.items.as_deref()?, None),
                Segment::Values => (schema.additional_properties.as_deref()?, None),
                Segment::Variant(_) => return None,
            };
            filled = schema.default_value().cloned().or(filled);
        }
        let Some(filled) = filled else { return Some(Self::Set) };
        let is_float = schema.ty == Some(SchemaType::Number);
        let text = filled.to_string();
        match filled {
            json::Json::Number(_) if is_float && !text.contains(['.', 'e', 'E']) => {
                Some(Self::IsNot(text + ".0"))
            }
            json::Json::Number(_) | json::Json::Text(_) | json::Json::Boolean(_) => {
                Some(Self::IsNot(text))
            }
            json::Json::Null | json::Json::Array(_) | json::Json::Object(_) => None,
        }
    }

    /// Returns the expression for a value and what is inside it.
    fn at(&self, value: &str, segments: &[Segment], depth: usize) -> Option<String> {
        let Some((segment, rest)) = segments.split_first() else {
            return Some(match self {
                Self::Set => "true".to_owned(),
                Self::Is(text) => format!("{value} == {text}"),
                Self::IsNot(text) => format!("{value} != {text}"),
            });
        };
        let (is_there, inside) = match segment {
            Segment::Field(name) => {
                let field = format!("{value}.{}", escape(name)?);
                let inside = self.at(&field, rest, depth)?;
                return Some(match &*inside {
                    "true" => format!("has({field})"),
                    inside => format!("has({field}) && {inside}"),
                });
            }
            Segment::Items => {
                let item = format!("item{depth}");
                (item.clone(), self.at(&item, rest, depth + 1)?)
            }
            Segment::Values => {
                let key = format!("key{depth}");
                (key.clone(), self.at(&format!("{value}[{key}]"), rest, depth + 1)?)
            }
            Segment::Variant(_) => return None,
        };
        Some(format!("{value}.exists({is_there}, {inside})"))
    }
}
