//! What `crd --policies` prints, evaluated by the API server's own code.

use crd_conv::ResourceType;
use crd_conv::cli::{Cli, Streams};
use fleet::Fleet;
use serde_json::{Value, json};

use crate::start;

const RESTORE: &str = "system:serviceaccount:backup:restore";
const OWN_MOST: usize = 259_340;

/// The policy for fleets.
fn policy(args: &[&str]) -> Value {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams = Streams { stdin: &mut &b""[..], stdout: &mut stdout, stderr: &mut stderr };
    let args = ["fleet", "crd", "--policies", "--format", "json"].iter().chain(args);
    assert_eq!(Cli::new([ResourceType::of::<Fleet>()]).run_with(args, &mut streams), 0);
    let documents = serde_json::Deserializer::from_slice(&stdout).into_iter::<Value>();
    let documents: Vec<_> = documents.map(Result::unwrap).collect();
    let [policy, binding] = &*documents else { panic!("{documents:#?}") };
    assert_eq!(binding["spec"]["policyName"], policy["metadata"]["name"]);
    policy.clone()
}

fn fleet(annotations: &Value) -> Value {
    json!({
        "apiVersion": "example.com/v1beta1", "kind": "Fleet",
        "metadata": { "name": "f", "namespace": "n", "annotations": annotations },
    })
}

#[test]
fn only_conversions_write_their_annotations() {
    let verdict = start();
    let strict = policy(&[]);
    let kept = json!({ "conversion.example.com/v1.spec.historyLimit": "a", "note": "n" });
    let unchanged = "send those of an existing object back as you read them";
    let own = |size: usize| json!({ "a": "x".repeat(size - 1) });
    let with_two_bytes = json!({ "a": "\u{e9}".repeat(OWN_MOST / 2) });
    let full = format!("may have {OWN_MOST} bytes");
    let cases = [
        (&strict, "ada", &json!({}), None, vec![]),
        (&strict, "ada", &json!({ "note": "n" }), None, vec![]),
        (&strict, "ada", &kept, None, vec![unchanged]),
        (&strict, "ada", &kept, Some(&kept), vec![]),
        (&strict, "ada", &json!({}), Some(&kept), vec![unchanged]),
        (&strict, "ada", &kept, Some(&json!({ "note": "n" })), vec![unchanged]),
        (
            &strict,
            "ada",
            &json!({ "conversion.example.com/v1.spec.historyLimit": "b" }),
            Some(&kept),
            vec![unchanged],
        ),
        (
            &strict,
            "ada",
            &json!({ "conversion.example.com/v1.spec.other": "a" }),
            Some(&kept),
            vec![unchanged],
        ),
        (
            &strict,
            "ada",
            &json!({ "conversion.example.com/v1.spec.historyLimit": "a", "note": "m" }),
            Some(&kept),
            vec![],
        ),
        (&strict, "ada", &own(OWN_MOST), None, vec![]),
        (&strict, "ada", &own(OWN_MOST + 1), None, vec![&full]),
        (&strict, "ada", &with_two_bytes, None, vec![&full]),
        // What is too large already may become smaller, and stay as it is.
        (&strict, "ada", &own(OWN_MOST + 1), Some(&own(OWN_MOST + 2)), vec![]),
        (&strict, "ada", &own(OWN_MOST + 2), Some(&own(OWN_MOST + 1)), vec![&full]),
    ];
    let open = policy(&["--carrier-writer", RESTORE]);
    let exceptions = [
        (&open, "ada", &kept, None, vec![unchanged]),
        (&open, RESTORE, &kept, None, vec![]),
        (&open, RESTORE, &json!({}), Some(&kept), vec![]),
    ];
    for (policy, user, annotations, old, expected) in cases.iter().chain(&exceptions) {
        let old = old.map(fleet);
        let request = json!({ "user": user, "object": fleet(annotations), "old": old });
        let refused =
            verdict.borrow_mut().admits(policy, &request).unwrap_or_else(|error| panic!("{error}"));
        let says = |text: &&&str| refused.iter().any(|message| message.contains(**text));
        let right = refused.len() == expected.len() && expected.iter().all(|text| says(&text));
        let short = request.to_string().chars().take(300).collect::<String>();
        assert!(right, "{short}\n{refused:#?}\n{expected:#?}");
    }
}

#[test]
fn only_conversions_set_the_label_of_an_incomplete_object() {
    let verdict = start();
    let policy = policy(&[]);
    let labelled = |labels: Value| {
        let mut object = fleet(&json!({}));
        object["metadata"]["labels"] = labels;
        object
    };
    let is_incomplete = labelled(json!({ "conversion.example.com/complete-in": "v1", "a": "b" }));
    // The API server takes null out before.
    let [plain, none] = [json!({ "a": "b" }), json!({})].map(labelled);
    for (object, old, admitted) in [
        (&plain, None, true),
        (&none, None, true),
        (&none, Some(&plain), true),
        (&is_incomplete, None, false),
        (&is_incomplete, Some(&plain), false),
        (&is_incomplete, Some(&is_incomplete), true),
        (&plain, Some(&is_incomplete), false),
        (&none, Some(&is_incomplete), false),
    ] {
        let request = json!({ "user": "ada", "object": object, "old": old });
        let refused = verdict
            .borrow_mut()
            .admits(&policy, &request)
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(refused.is_empty(), admitted, "{request}\n{refused:#?}");
        assert!(refused.iter().all(|message| message.contains("incomplete in this version")));
    }
}
