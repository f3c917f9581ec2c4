//! Reports in the formats that CI systems read: `JUnit` and SARIF.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

/// A CustomResourceDefinition, and what a command says about it.
pub(super) struct Subject {
    pub(super) name: String,
    /// The file to show the findings in.
    pub(super) file: Option<String>,
    pub(super) findings: Vec<Finding>,
}

pub(super) struct Finding {
    /// The word for all findings of this kind.
    pub(super) rule: String,
    /// The level in SARIF: `error`, `warning` or `note`.
    pub(super) level: &'static str,
    /// Whether the command fails because of it.
    pub(super) fails: bool,
    /// The place in the CustomResourceDefinition. May be empty.
    pub(super) place: String,
    pub(super) message: String,
    /// Why the finding is accepted, if it is.
    pub(super) accepted: Option<String>,
}

/// One suite for each CustomResourceDefinition, with one case for each finding.
///
/// Source: the schema that Jenkins reads, <https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd>.
pub(super) fn junit(command: &str, subjects: &[Subject]) -> String {
    let count = |subjects: &[Subject], is_counted: fn(&Finding) -> bool| {
        let findings = subjects.iter().flat_map(|subject| &subject.findings);
        findings.filter(|finding| is_counted(finding)).count()
    };
    let counts = |subjects: &[Subject]| {
        let all: usize = subjects.iter().map(|subject| subject.findings.len().max(1)).sum();
        let skipped = count(subjects, |finding| finding.accepted.is_some());
        let failures = count(subjects, |finding| finding.fails);
        format!(r#"tests="{all}" skipped="{skipped}" errors="0" failures="{failures}""#)
    };
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"crd-conv {command}\" {}>\n",
        counts(subjects)
    );
    for subject in subjects {
        let name = escaped(&subject.name);
        // Writing to a string doesn't fail.
        let _ = writeln!(
            out,
            "  <testsuite name=\"{name}\" {}>",
            counts(std::slice::from_ref(subject))
        );
        // Some readers take a suite without cases for a mistake.
        if subject.findings.is_empty() {
            let _ = writeln!(out, "    <testcase classname=\"{name}\" name=\"no findings\"/>");
        }
        for Finding { rule, place, message, accepted, fails, .. } in &subject.findings {
            let [rule, message] = [rule, message].map(|text| escaped(text));
            let place = if place.is_empty() { String::new() } else { format!(" {place}") };
            let _ = writeln!(
                out,
                "    <testcase classname=\"{name}\" name=\"{rule}{}\">",
                escaped(&place)
            );
            let _ = match accepted {
                Some(accepted) => {
                    writeln!(out, "      <skipped message=\"{}\"/>", escaped(accepted))
                }
                None if *fails => {
                    writeln!(out, "      <failure message=\"{message}\" type=\"{rule}\"/>")
                }
                None => writeln!(out, "      <system-out>{message}</system-out>"),
            };
            out += "    </testcase>\n";
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

/// Text for an attribute or an element of XML, without the characters that XML can't have.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            '\t' => out += "&#9;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
        out
    })
}

/// A log of one run. `help` says what a rule means.
///
/// Source: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
pub(super) fn sarif(
    subjects: &[Subject],
    help: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let findings = subjects.iter().flat_map(|subject| &subject.findings);
    let rules: BTreeMap<_, _> =
        findings.map(|finding| (&*finding.rule, help(&finding.rule))).collect();
    let rules = rules.into_iter().map(|(id, help)| {
        let mut rule = json!({ "id": id });
        if let Some(help) = help {
            rule["help"] = json!({ "text": help });
        }
        rule
    });
    let results = subjects.iter().flat_map(|subject| {
        subject.findings.iter().map(|finding| result(subject, finding)).collect::<Vec<_>>()
    });
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "crd-conv",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules.collect::<Vec<_>>(),
            } },
            "results": results.collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&log).map(|text| text + "\n").map_err(|error| error.to_string())
}

fn result(subject: &Subject, finding: &Finding) -> Value {
    let Finding { rule, level, place, message, accepted, .. } = finding;
    let name = &subject.name;
    let place = if place.is_empty() { name.clone() } else { format!("{name}: {place}") };
    let mut location = json!({ "logicalLocations": [{ "fullyQualifiedName": place }] });
    if let Some(file) = &subject.file {
        location["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
    }
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        // The text has to say what is meant: viewers don't show logical locations.
        "message": { "text": format!("{place}: {message}") },
        "locations": [location],
    });
    if let Some(accepted) = accepted {
        result["suppressions"] = json!([{ "kind": "external", "justification": accepted }]);
    }
    result
}

/// The URI of a file: a relative one for a relative path.
fn uri(file: &str) -> String {
    let start = if file.starts_with('/') { "file://" } else { "" };
    file.bytes().fold(start.to_owned(), |mut out, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte.into());
        } else {
            // Writing to a string doesn't fail.
            let _ = write!(out, "%{byte:02X}");
        }
        out
    })
}
