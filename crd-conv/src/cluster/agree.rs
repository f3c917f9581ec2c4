//! Compares `kube::CustomResource` on the struct of a version with the resource.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, CustomResourceDefinitionVersion,
};
use kube::CustomResourceExt;

use crate::VersionedResource;
use crate::definition::{Definition, Scale, Scope, VersionDefinition};

/// Compares `kube::CustomResource` on a type with the resource. Returns one sentence for each
/// difference, with what to write.
///
/// It compares the group, the kind, the plural, the scope, the version, whether the version has the
/// status subresource, and its scale subresource.
///
/// An `Api` of a type that disagrees requests another resource, or a subresource that doesn't
/// exist. Names that only the CustomResourceDefinition has, such as short names, come from the
/// resource alone.
///
/// [`assert_kube!`](crate::assert_kube) makes this a test. The compiler can't check it, because
/// `kube` provides all of this in functions that aren't `const`.
pub fn differences<R: VersionedResource, K: CustomResourceExt>() -> Vec<String> {
    compare(R::DEFINITION, &K::crd())
}

#[doc(hidden)]
#[track_caller]
pub fn assert_agrees<R: VersionedResource, K: CustomResourceExt>() {
    let found = differences::<R, K>();
    assert!(
        found.is_empty(),
        "`{}` and `{}` disagree:\n{}",
        std::any::type_name::<K>(),
        std::any::type_name::<R>(),
        found.iter().map(|difference| format!("- {difference}")).collect::<Vec<_>>().join("\n")
    );
}

fn compare(definition: &Definition, crd: &CustomResourceDefinition) -> Vec<String> {
    let mut found = Vec::new();
    let spec = &crd.spec;
    let scope = match definition.scope {
        Scope::Cluster => "Cluster",
        Scope::Namespaced => "Namespaced",
    };
    for (what, theirs, ours) in [
        ("group", &spec.group, definition.group),
        ("kind", &spec.names.kind, definition.kind),
        ("plural", &spec.names.plural, definition.plural),
    ] {
        if theirs != ours {
            found.push(format!(
                "the {what} is `{theirs}` for kube and `{ours}` for the resource: write `{what} = \"{ours}\"` in `#[kube(…)]`"
            ));
        }
    }
    if spec.scope != scope {
        let remedy = match definition.scope {
            Scope::Namespaced => "write `namespaced` in `#[kube(…)]`",
            Scope::Cluster => "remove `namespaced` from `#[kube(…)]`",
        };
        found.push(format!(
            "the scope is `{}` for kube and `{scope}` for the resource: {remedy}",
            spec.scope
        ));
    }
    for theirs in &spec.versions {
        if let Some(ours) = definition.versions.iter().find(|ours| ours.name == theirs.name) {
            found.extend(subresources(ours, theirs));
        } else {
            let known: Vec<_> = definition.versions.iter().map(|ours| ours.name).collect();
            found.push(format!(
                "the version is `{}` for kube, and the resource has {}: write that of the struct in `#[kube(version = …)]`",
                theirs.name,
                known.join(", ")
            ));
        }
    }
    found
}

fn subresources(ours: &VersionDefinition, theirs: &CustomResourceDefinitionVersion) -> Vec<String> {
    let mut found = Vec::new();
    let name = ours.name;
    let subresources = theirs.subresources.as_ref();
    match (ours.status, subresources.is_some_and(|theirs| theirs.status.is_some())) {
        (true, false) => found.push(format!(
            "{name} has the status subresource for the resource and not for kube: write `status = …` with the type in `#[kube(…)]`"
        )),
        (false, true) => found.push(format!(
            "{name} has the status subresource for kube and not for the resource: give its variant a field `status`, or remove \
             `status` from `#[kube(…)]`"
        )),
        _ => {}
    }
    let theirs = subresources.and_then(|theirs| theirs.scale.as_ref());
    let theirs = theirs.map(|theirs| {
        [
            Some(theirs.spec_replicas_path.as_str()),
            Some(theirs.status_replicas_path.as_str()),
            theirs.label_selector_path.as_deref(),
        ]
    });
    let own = ours.scale.as_ref().map(paths);
    if own != theirs {
        let kube = theirs.map_or("none".to_owned(), |paths| written(&paths));
        found.push(match own {
            Some(own) => {
                let own = written(&own);
                format!(
                    "the scale subresource of {name} is {own} for the resource and {kube} for kube: write the former in `#[kube(…)]`"
                )
            }
            None => format!(
                "the scale subresource of {name} is {kube} for kube, and the resource has none: write it on the variant, or remove it from \
                 `#[kube(…)]`"
            ),
        });
    }
    found
}

fn paths(scale: &Scale) -> [Option<&str>; 3] {
    [Some(scale.spec_replicas_path), Some(scale.status_replicas_path), scale.label_selector_path]
}

/// The paths as both attributes take them.
fn written(paths: &[Option<&str>; 3]) -> String {
    let names = ["spec_replicas_path", "status_replicas_path", "label_selector_path"];
    let parts = names.iter().zip(paths);
    let parts = parts.filter_map(|(name, path)| path.map(|path| format!("{name} = \"{path}\"")));
    format!("`scale({})`", parts.collect::<Vec<_>>().join(", "))
}

/// Tests that `kube::CustomResource` on the structs of some versions agrees with the resource: one
/// line in your tests.
///
/// It compares the group, kind, plural, scope, version, status subresource and scale subresource.
/// See [`differences`](crate::cluster::differences).
///
/// ```
/// mod v1 {
///     #[derive(
///         kube::CustomResource, crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug,
///     )]
///     #[kube(group = "example.com", version = "v1", kind = "Box", plural = "boxes", namespaced)]
///     pub struct BoxSpec { pub size: i64 }
/// }
///
/// #[derive(crd_conv::Versioned)]
/// #[versioned(resource(group = "example.com", plural = "boxes", scope = "Namespaced"))]
/// pub enum Box { #[versioned(storage)] V1 { spec: v1::BoxSpec } }
///
/// #[cfg(test)]
/// mod tests {
///     crd_conv::assert_kube!(super::Box, super::v1::Box);
/// }
/// # assert!(crd_conv::cluster::differences::<Box, v1::Box>().is_empty());
/// ```
///
/// Name several versions in one line: `assert_kube!(Fleet, v1beta1::Fleet, v1::Fleet)`. For another
/// resource, write it in another module.
#[macro_export]
macro_rules! assert_kube {
    ($resource:ty, $($object:ty),+ $(,)?) => {
        #[test]
        fn kube_agrees() {
            $($crate::cluster::assert_agrees::<$resource, $object>();)+
        }
    };
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceSubresources;
    use kube::CustomResource;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::crd::fixture::FULL;

    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    struct Status {}

    #[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[kube(
        group = "example.com",
        version = "v1",
        kind = "Full",
        plural = "fulls",
        status = "Status",
        scale(
            spec_replicas_path = ".spec.replicas",
            status_replicas_path = ".status.replicas",
            label_selector_path = ".status.selector"
        )
    )]
    struct Spec {}

    /// Checks the difference that is found if an attribute has another value.
    #[track_caller]
    fn finds(change: impl FnOnce(&mut CustomResourceDefinition), expected: &str) {
        let mut crd = Full::crd();
        assert_eq!(compare(&FULL, &crd), [""; 0], "invalid test case");
        change(&mut crd);
        assert_eq!(compare(&FULL, &crd), [expected]);
    }

    fn subresources(crd: &mut CustomResourceDefinition) -> &mut CustomResourceSubresources {
        crd.spec.versions[0].subresources.as_mut().unwrap()
    }

    #[test]
    fn other_names() {
        finds(
            |crd| crd.spec.group = "example.org".to_owned(),
            "the group is `example.org` for kube and `example.com` for the resource: write `group = \"example.com\"` in `#[kube(…)]`",
        );
        finds(
            |crd| crd.spec.names.kind = "Fool".to_owned(),
            "the kind is `Fool` for kube and `Full` for the resource: write `kind = \"Full\"` in `#[kube(…)]`",
        );
        finds(
            |crd| crd.spec.names.plural = "fullies".to_owned(),
            "the plural is `fullies` for kube and `fulls` for the resource: write `plural = \"fulls\"` in `#[kube(…)]`",
        );
    }

    #[test]
    fn another_scope() {
        finds(
            |crd| crd.spec.scope = "Namespaced".to_owned(),
            "the scope is `Namespaced` for kube and `Cluster` for the resource: remove `namespaced` from `#[kube(…)]`",
        );
        let namespaced = Definition { scope: Scope::Namespaced, ..FULL };
        assert_eq!(
            compare(&namespaced, &Full::crd()),
            [
                "the scope is `Cluster` for kube and `Namespaced` for the resource: write `namespaced` in `#[kube(…)]`"
            ]
        );
    }

    #[test]
    fn a_version_that_the_resource_does_not_have() {
        finds(
            |crd| crd.spec.versions[0].name = "v2".to_owned(),
            "the version is `v2` for kube, and the resource has v1alpha1, v1: write that of the struct in `#[kube(version = …)]`",
        );
    }

    #[test]
    fn a_status_on_one_side() {
        finds(
            |crd| subresources(crd).status = None,
            "v1 has the status subresource for the resource and not for kube: write `status = …` with the type in `#[kube(…)]`",
        );
        let mut crd = Full::crd();
        crd.spec.versions[0].name = "v1alpha1".to_owned();
        subresources(&mut crd).scale = None;
        assert_eq!(
            compare(&FULL, &crd),
            [
                "v1alpha1 has the status subresource for kube and not for the resource: give its variant a field `status`, or remove \
                 `status` from `#[kube(…)]`"
            ]
        );
    }

    #[test]
    fn another_scale() {
        finds(
            |crd| subresources(crd).scale = None,
            "the scale subresource of v1 is `scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\", \
             label_selector_path = \".status.selector\")` for the resource and none for kube: write the former in `#[kube(…)]`",
        );
        finds(
            |crd| subresources(crd).scale.as_mut().unwrap().label_selector_path = None,
            "the scale subresource of v1 is `scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \".status.replicas\", \
             label_selector_path = \".status.selector\")` for the resource and `scale(spec_replicas_path = \".spec.replicas\", \
             status_replicas_path = \".status.replicas\")` for kube: write the former in `#[kube(…)]`",
        );
        let mut crd = Full::crd();
        crd.spec.versions[0].name = "v1alpha1".to_owned();
        subresources(&mut crd).status = None;
        assert_eq!(
            compare(&FULL, &crd),
            [
                "the scale subresource of v1alpha1 is `scale(spec_replicas_path = \".spec.replicas\", status_replicas_path = \
                 \".status.replicas\", label_selector_path = \".status.selector\")` for kube, and the resource has none: write it on the \
                 variant, or remove it from `#[kube(…)]`"
            ]
        );
    }
}
