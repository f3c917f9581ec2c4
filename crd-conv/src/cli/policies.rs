//! `crd --policies`: admission policies that stop clients from changing the annotations of conversions, and policies that warn.
//!
//! Source: <https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/>

mod fields;

use serde_json::{Value, json};

use super::{args::PolicyArgs, explain::annotation_keys};
use crate::{
    ResourceType,
    complement::annotation_prefix,
    definition::Definition,
    engine::{MAX_ANNOTATIONS, label},
};

/// The most bytes in the value of an annotation that had no room, without the version's name:
/// `{"format":1,"peer":"","tombstone":262144}`.
const TOMBSTONE: usize = 64;

/// Returns policies and their bindings: one for each resource whose conversions keep values. If
/// wanted, also one for each version with fields that the newest version has in another place.
///
/// # Errors
///
/// Fails if no resource needs a policy, or if a resource has no CustomResourceDefinition.
pub(super) fn policies(
    resources: &[&ResourceType],
    args: &PolicyArgs,
) -> Result<Vec<Value>, String> {
    let mut policies = Vec::new();
    for resource in resources {
        policies.extend(policy(resource, &args.carrier_writers).into_iter().flatten());
        if args.warn_fields {
            policies.extend(fields::policies(resource)?);
        }
    }
    match (policies.is_empty(), args.warn_fields) {
        (false, _) => Ok(policies),
        (true, false) => {
            Err("no policy is needed: no conversion keeps anything in annotations".to_owned())
        }
        (true, true) => Err("no policy is needed: no conversion keeps anything in annotations, and every version has all fields in the same \
             places"
            .to_owned()),
    }
}

/// `writers` are the users who may change the annotations.
fn policy(resource: &ResourceType, writers: &[String]) -> Option<[Value; 2]> {
    let definition = resource.definition();
    let keys = annotation_keys(resource);
    if keys.is_empty() {
        return None;
    }
    let Definition { group, plural, versions, .. } = definition;
    let names: Vec<_> = versions.iter().map(|version| version.name).collect();
    let name = format!("conversion.{plural}.{group}");
    let prefix = annotation_prefix(group);
    let longest = versions.iter().map(|version| version.name.len()).max().unwrap_or_default();
    let room: usize = keys.iter().map(|key| key.len() + TOMBSTONE + longest).sum();
    let annotations = |object: &str| {
        let annotations = format!("{object}.metadata.annotations");
        format!("has({annotations}) ? {annotations} : {{}}")
    };
    let before = format!("oldObject == null ? {{}} : ({})", annotations("oldObject"));
    let mut variables =
        vec![variable("annotations", &annotations("object")), variable("before", &before)];
    for (kept, own, all) in [("kept", "own", "annotations"), ("keptBefore", "ownBefore", "before")]
    {
        variables.push(variable(
            kept,
            &format!("variables.{all}.filter(key, key.startsWith('{prefix}'))"),
        ));
        variables.push(variable(
            own,
            &format!(
                "variables.{all}.filter(key, !key.startsWith('{prefix}'))\
                 .map(key, size(bytes(key)) + size(bytes(variables.{all}[key]))).sum()"
            ),
        ));
    }
    let mut validations = vec![json!({
        "expression": but_for(writers, &unchanged("kept")),
        "message": format!(
            "annotations that start with `{prefix}` hold kept values, and only conversions write them: leave them out of new objects, and \
             send those of an existing object back as you read them"
        ),
    })];
    let label = label(&prefix);
    let is_labelled = |object: &str| {
        let labels = format!("{object}.metadata.labels");
        format!("(has({labels}) && '{label}' in {labels})")
    };
    validations.push(json!({
        "expression": format!(
            "{} == (oldObject != null && {})", is_labelled("object"), is_labelled("oldObject")
        ),
        "message": format!(
            "the label `{label}` says that an object is incomplete in this version, and only conversions set it: leave it out of new \
             objects, and send that of an existing object back as you read it"
        ),
    }));
    let most = MAX_ANNOTATIONS.saturating_sub(room);
    validations.push(json!({
        "expression": format!("variables.own <= {most} || variables.own <= variables.ownBefore"),
        "message": format!(
            "the annotations without those of conversions may have {most} bytes, so that kept values fit"
        ),
    }));
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": name },
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": { "resourceRules": [{
                "apiGroups": [group],
                // The versions are listed so that the API server checks the expressions against
                // their types. For other versions it uses equivalent ones.
                "apiVersions": names,
                "operations": ["CREATE", "UPDATE"],
                "resources": [plural],
            }] },
            "variables": variables,
            "validations": validations,
        },
    });
    Some([policy, binding(&name, &["Deny"])])
}

fn binding(policy: &str, actions: &[&str]) -> Value {
    json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": { "name": policy },
        "spec": { "policyName": policy, "validationActions": actions },
    })
}

fn variable(name: &str, expression: &str) -> Value {
    json!({ "name": name, "expression": expression })
}

/// The expression that some annotations are unchanged: there are as many as before, and each has
/// the same value.
fn unchanged(keys: &str) -> String {
    format!(
        "size(variables.{keys}) == size(variables.{keys}Before) && variables.{keys}.all(key, \
         key in variables.before && variables.before[key] == variables.annotations[key])"
    )
}

/// An expression that doesn't apply to some users.
fn but_for(users: &[String], expression: &str) -> String {
    if users.is_empty() {
        return expression.to_owned();
    }
    let users: Vec<_> = users.iter().map(|user| Value::from(&**user).to_string()).collect();
    format!("request.userInfo.username in [{}] || ({expression})", users.join(", "))
}
