//! What is said of failures.

use super::*;

/// The message of a migration for an object that the API server refuses in this way, and the cause
/// in the report.
async fn said_of(code: u16, message: &str) -> (String, Cause) {
    let older = "/apis/example.com/v1beta1/namespaces/n/crontabs/a?fieldManager=crd-conv";
    let mut exchanges = vec![get(LIST, list("", &[object(&metadata(true))]))];
    // If the webhook doesn't answer, the request is retried, and no other version is tried.
    let tries = if message.contains("failed: Post ") { 6 } else { 1 };
    exchanges.extend((0..tries).map(|_| fails("PATCH", OBJECT, code, message)));
    if matches!(code, 422 | 500) && tries == 1 {
        exchanges.push(fails("PATCH", older, code, message));
    }
    let error = run(migration(), exchanges).await.0.unwrap_err();
    let MigrationError::Objects { report, .. } = &error else { panic!("{error}") };
    assert_eq!(report.causes.iter().collect::<Vec<_>>(), [(&report.failures[0].cause, &1)]);
    (error.to_string(), report.failures[0].cause)
}

#[tokio::test(start_paused = true)]
async fn the_remedy_is_for_what_is_to_blame() {
    let of_webhook = |what: &str| {
        format!("conversion webhook for example.com/v1beta1, Kind=CronTab failed: {what}")
    };
    for refused in [
        "object 1: can't convert CronTab `n/a` from v1beta1 to v1: `hostPort`: expected `host:port`",
        "object 1: can't convert a nameless CronTab from v1beta1 to v1: `hostPort`: expected `host:port`",
    ] {
        let (said, cause) = said_of(500, &of_webhook(refused)).await;
        assert_eq!(cause, Cause::Object, "{said}");
        assert!(said.ends_with("; fix or delete them, and run this again"), "{said}");
    }
    assert_eq!(said_of(422, "CronTab \"a\" is invalid").await.1, Cause::Object);
    for down in [
        "Post \"https://a/convert?timeout=30s\": dial tcp 10.0.0.1:443: connect: connection refused",
        "Post \"https://a/convert?timeout=30s\": x509: certificate signed by unknown authority",
        "an error on the server (\"\") has prevented the request from succeeding",
        "the server could not find the requested resource",
        "the server is currently unable to handle the request",
        "no response provided",
        "couldn't get version/kind; json parse error: invalid character '<'",
        "object 1: can't convert `n/a`: `example.com` has CronTab in v1, not in `v1beta1`",
    ] {
        let (said, cause) = said_of(500, &of_webhook(down)).await;
        assert_eq!(cause, Cause::Webhook, "{said}");
        assert!(!said.contains("fix or delete"), "{said}");
        assert!(
            said.ends_with(
                "; make sure that the conversion webhook answers, in a release that knows every version: nothing is wrong with them, and run this again"
            ),
            "{said}"
        );
    }
    for (code, other) in [(403, "forbidden"), (500, "etcdserver: no leader"), (400, "bad")] {
        let (said, cause) = said_of(code, other).await;
        assert_eq!(cause, Cause::Other, "{said}");
        assert!(said.ends_with("; find the reason for them, and run this again"), "{said}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_needs_a_webhook_which_is_down_says_so() {
    let down = "conversion webhook for example.com/v1beta1, Kind=CronTab failed: Post \"https://a/\": refused";
    let older = "/apis/example.com/v1beta1/crontabs?limit=500";
    let tries = [LIST, older].into_iter().flat_map(|path| (0..6).map(move |_| path));
    let exchanges = tries.map(|path| fails("GET", path, 500, down)).collect();
    let said = run(migration(), exchanges).await.0.unwrap_err().to_string();
    assert!(said.starts_with("can't list the objects of crontabs.example.com: "), "{said}");
    assert!(said.ends_with("in a release that knows every version, and run this again"), "{said}");
}

#[test]
fn several_causes_have_their_remedies_beside_each_other() {
    let mut report = MigrationReport { objects: 9, ..MigrationReport::default() };
    for cause in [Cause::Object, Cause::Webhook, Cause::Object, Cause::Other] {
        report.add("n/a".to_owned(), Outcome::Failed(cause, "it is so".to_owned()));
    }
    let error = MigrationError::Objects { name: "a.b".to_owned(), report: Box::new(report) };
    assert_eq!(
        error.to_string(),
        "4 of 13 objects of a.b can't be rewritten, the first of them n/a: it is so; fix or delete 2 of them; make sure that the conversion \
         webhook answers, in a release that knows every version: nothing is wrong with 1 of them; find the reason for 1 of them, and run this again"
    );
}

#[tokio::test]
async fn what_is_not_installed_is_said_so() {
    let (client, task) = answers(vec![fails("GET", CRD, 404, "not found")]);
    let error = migration().run(&client, |_| {}).await.unwrap_err().to_string();
    drop(client);
    task.await.unwrap();
    assert_eq!(
        error,
        "the cluster has no CustomResourceDefinition crontabs.example.com; install it first"
    );
}
