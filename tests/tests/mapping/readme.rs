//! The README's two versions, and the conversion that it shows for them.

use crd_conv::cli::{Cli, Streams};
use crd_conv::{ConvertError, Converter, ResourceType, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod v1beta1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct CronTabSpec {
        host_port: String,
        cron_spec: String,
        owner: Option<String>,
    }
}

mod v1 {
    use super::*;

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta1::CronTabSpec,
        removed(owner),
        map(host_port <=> (host, port), with = HostPort, fallback(upgrade = ("", ""))),
    )]
    pub(crate) struct CronTabSpec {
        host: String,
        port: String,
        #[versioned(renamed_from = cron_spec)]
        schedule: String,
        #[versioned(added(value = 3))]
        history_limit: i32,
    }
}

struct HostPort;

impl Converter<String, (String, String)> for HostPort {
    fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
        let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
        Ok((host.to_owned(), port.to_owned()))
    }

    fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
        Ok(format!("{host}:{port}"))
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "crontabs", scope = "Namespaced"))]
enum CronTab {
    V1beta1 {
        spec: v1beta1::CronTabSpec,
    },
    #[versioned(storage)]
    V1 {
        spec: v1::CronTabSpec,
    },
}

/// The two columns of the README's only `yaml` block.
fn columns() -> [String; 2] {
    let readme = include_str!("../../../README.md");
    let block = readme.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("invalid test case: the README has a `yaml` block");
    let width = block.find("apiVersion: example.com/v1\n").expect("a column on the right");
    let mut columns = [String::new(), String::new()];
    for line in block.lines() {
        let (left, right) = line.split_at_checked(width).unwrap_or((line, ""));
        for (column, text) in columns.iter_mut().zip([left, right]) {
            if !text.trim().is_empty() {
                column.push_str(text.trim_end());
                column.push('\n');
            }
        }
    }
    columns
}

/// What the author's program prints.
fn prints(arguments: &[&str], stdin: &str) -> String {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let arguments = ["crontab"].iter().chain(arguments);
    let code = Cli::new([ResourceType::of::<CronTab>()]).run_with(arguments, &mut streams);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("UTF-8")
}

fn convert(to: &str, object: &str) -> serde_json::Value {
    let converted = prints(&["convert", "--to", to, "--format", "json"], object);
    serde_json::from_str(&converted).expect("JSON")
}

#[test]
fn the_explanation_shown_is_the_one_printed() {
    let explained = prints(&["explain"], "");
    let readme = include_str!("../../../README.md");
    assert!(readme.contains(&format!("```text\n{explained}```")), "{explained}");
}

#[test]
fn the_conversion_shown_is_the_one_made() {
    let [older, newer] = columns();
    assert_eq!(convert("v1", &older), convert("v1", &newer));
    assert_eq!(convert("v1beta1", &newer), convert("v1beta1", &older));
    assert_eq!(convert("v1", &newer)["spec"]["historyLimit"], 3);
}
