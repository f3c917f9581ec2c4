//! Rules and expressions of admission that name a version.

use serde::Deserialize;
use serde_json::Value;

use super::ReferenceKind;
use super::listable::Listable;
use crate::definition::Definition;

/// Whether objects of a resource have rules: webhooks, policies and bindings.
pub(super) fn has_rules(listable: &Listable) -> bool {
    listable.group == "admissionregistration.k8s.io"
}

/// The versions that are looked for.
pub(super) struct Target {
    pub(super) definition: &'static Definition,
    pub(super) versions: Vec<String>,
    /// The other versions of the CustomResourceDefinition.
    pub(super) remaining: Vec<String>,
}

/// References that were found in an object: kind, path and version.
pub(super) type Found<'a> = Vec<(ReferenceKind, String, &'a str)>;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Rule {
    api_groups: Vec<String>,
    api_versions: Vec<String>,
    resources: Vec<String>,
    operations: Vec<String>,
    /// `*` by default.
    scope: Option<String>,
    /// All names by default.
    resource_names: Vec<String>,
}

impl Target {
    /// Returns the version, if these name one of the versions that are looked for.
    pub(super) fn version_of(&self, api_version: &str, kind: &str) -> Option<&str> {
        let (group, version) = api_version.split_once('/')?;
        let is_own = group == self.definition.group && kind == self.definition.kind;
        self.versions.iter().map(String::as_str).find(|own| is_own && *own == version)
    }

    /// Adds the references in a configuration of webhooks, a policy or a binding.
    pub(super) fn in_admission<'a>(
        &'a self,
        webhooks: &[Value],
        spec: &Value,
        found: &mut Found<'a>,
    ) {
        for (at, webhook) in webhooks.iter().enumerate() {
            let path = format!("webhooks[{at}]");
            self.in_rules(webhook, "rules", &path, found);
            self.in_expressions(webhook, &path, found);
        }
        self.in_expressions(spec, "spec", found);
        for constraints in ["matchConstraints", "matchResources"] {
            let path = format!("spec.{constraints}");
            for rules in ["resourceRules", "excludeResourceRules"] {
                self.in_rules(&spec[constraints], rules, &path, found);
            }
        }
        let params = &spec["paramKind"];
        let text = |name: &str| params[name].as_str().unwrap_or_default();
        if let Some(version) = self.version_of(text("apiVersion"), text("kind")) {
            found.push((ReferenceKind::Params, "spec.paramKind.apiVersion".to_owned(), version));
        }
    }

    /// Adds the expressions that name one of the versions with its group. All of them have such a key.
    fn in_expressions<'a>(&'a self, value: &Value, path: &str, found: &mut Found<'a>) {
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    let path = format!("{path}.{key}");
                    let is_expression = key == "expression" || key.ends_with("Expression");
                    match member.as_str().filter(|_| is_expression) {
                        Some(text) => found.extend(
                            self.named_in(text)
                                .map(|version| (ReferenceKind::Expression, path, version)),
                        ),
                        None => self.in_expressions(member, &path, found),
                    }
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.in_expressions(item, &format!("{path}[{at}]"), found);
                }
            }
            _ => {}
        }
    }

    fn named_in(&self, expression: &str) -> Option<&str> {
        let names = |version: &&str| {
            let name = format!("{}/{version}", self.definition.group);
            let goes_on = |c: char| c.is_ascii_alphanumeric() || ['-', '.'].contains(&c);
            expression.match_indices(&name).any(|(at, _)| {
                let (before, rest) = expression.split_at(at);
                !before.ends_with(goes_on) && !rest[name.len()..].starts_with(goes_on)
            })
        };
        self.versions.iter().map(String::as_str).find(names)
    }

    fn in_rules<'a>(&'a self, matcher: &Value, list: &str, path: &str, found: &mut Found<'a>) {
        let is_exact = matcher["matchPolicy"] == "Exact";
        let kind = match (list, is_exact) {
            ("excludeResourceRules", true) => return,
            ("excludeResourceRules", false) => ReferenceKind::Exclusion,
            (_, true) => ReferenceKind::ExactRule,
            (_, false) => ReferenceKind::Rule,
        };
        let rules = matcher[list].as_array().into_iter().flatten();
        let rules: Vec<_> = rules.map(|rule| Rule::deserialize(rule).unwrap_or_default()).collect();
        for (at, rule) in rules.iter().enumerate() {
            let Some(version) = self.only_in(rule) else { continue };
            if rules.iter().any(|other| self.stays(other) && self.covers(other, rule)) {
                continue;
            }
            found.push((kind, format!("{path}.{list}[{at}].apiVersions"), version));
        }
    }

    /// Returns the version, if a rule matches the resource only in versions that are looked for.
    fn only_in(&self, rule: &Rule) -> Option<&str> {
        if self.resources(rule).next().is_none() || self.stays(rule) {
            return None;
        }
        self.versions.iter().map(String::as_str).find(|own| has(&rule.api_versions, own))
    }

    /// Whether a rule names a version that stays.
    fn stays(&self, rule: &Rule) -> bool {
        has(&rule.api_versions, "*")
            || self.remaining.iter().any(|version| has(&rule.api_versions, version))
    }

    /// The resources and subresources that a rule matches: of `fleets/*`, the parts.
    fn resources<'r>(&self, rule: &'r Rule) -> impl Iterator<Item = (&'r str, &'r str)> {
        let is_own = has_or_any(&rule.api_groups, self.definition.group);
        let all = rule.resources.iter().filter(move |_| is_own);
        let parts = all.map(|name| name.split_once('/').unwrap_or((name, "")));
        parts.filter(|(plural, _)| ["*", self.definition.plural].contains(plural))
    }

    /// Whether a rule matches, apart from the version, each request for the resource that another
    /// rule matches.
    fn covers(&self, rule: &Rule, other: &Rule) -> bool {
        let operations = other.operations.iter().all(|one| has_or_any(&rule.operations, one));
        let scope = |rule: &Rule| rule.scope.clone().unwrap_or_else(|| "*".to_owned());
        let scopes = scope(rule) == "*" || scope(rule) == scope(other);
        let names = rule.resource_names.is_empty()
            || (!other.resource_names.is_empty()
                && other.resource_names.iter().all(|name| has(&rule.resource_names, name)));
        let resources = self
            .resources(other)
            .all(|(_, wanted)| self.resources(rule).any(|(_, part)| part == "*" || part == wanted));
        operations && scopes && names && resources
    }
}

fn has(list: &[String], wanted: &str) -> bool {
    list.iter().any(|one| one == wanted)
}

fn has_or_any(list: &[String], wanted: &str) -> bool {
    has(list, "*") || has(list, wanted)
}
