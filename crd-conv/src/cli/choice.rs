//! Chooses one of the program's resources.

use crate::ResourceType;

/// The resources that an option names, or all of them.
pub(super) fn chosen<'a>(
    resources: &'a [ResourceType],
    name: Option<&str>,
) -> Result<Vec<&'a ResourceType>, String> {
    let Some(name) = name else { return Ok(resources.iter().collect()) };
    let chosen: Vec<_> = resources
        .iter()
        .filter(|resource| {
            let definition = resource.definition();
            let full = definition.crd_name();
            [definition.kind, definition.plural, &full]
                .iter()
                .any(|own| own.eq_ignore_ascii_case(name))
        })
        .collect();
    if chosen.is_empty() {
        return Err(format!("this program has no resource `{name}`; it has {}", names(resources)));
    }
    Ok(chosen)
}

/// The resource that an object belongs to.
pub(super) fn resource_of<'a>(
    resources: &'a [ResourceType],
    api_version: &str,
    kind: &str,
) -> Option<&'a ResourceType> {
    let group = api_version.split_once('/').map_or("", |(group, _)| group);
    resources.iter().find(|resource| {
        let definition = resource.definition();
        definition.group == group && definition.kind == kind
    })
}

pub(super) fn names(resources: &[ResourceType]) -> String {
    let names: Vec<_> = resources
        .iter()
        .map(|resource| {
            format!("{} in {}", resource.definition().kind, resource.definition().group)
        })
        .collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
