//! How many objects change per second.

use super::*;

/// Migrates this many objects, of which every `nth` changes, with an API server that takes some
/// time for each. Returns when each object was written and whether it changed, and how long the
/// migration took.
async fn paced(
    migration: Migration,
    objects: usize,
    nth: usize,
) -> (Vec<(Instant, bool)>, Duration) {
    let named = |at: usize| {
        let mut metadata = metadata(true);
        metadata["name"] = json!(format!("{at}"));
        metadata
    };
    let (service, handle) = tower_test::mock::pair::<
        http::Request<kube::client::Body>,
        http::Response<kube::client::Body>,
    >();
    let sent: Arc<Mutex<Vec<(Instant, bool)>>> = Arc::default();
    let seen = Arc::clone(&sent);
    tokio::spawn(async move {
        let mut handle = std::pin::pin!(handle);
        while let Some((request, respond)) = handle.next_request().await {
            let (method, path) = (request.method().clone(), request.uri().path().to_owned());
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                let name = path.rsplit('/').next().and_then(|name| name.parse::<usize>().ok());
                let answer = match name {
                    Some(at) if method == "PATCH" => {
                        // The object is written at some time between the request and the answer.
                        sleep(Duration::from_millis(at as u64 * 7 % 50)).await;
                        let changes = at.is_multiple_of(nth);
                        seen.lock().unwrap().push((Instant::now(), changes));
                        sleep(Duration::from_millis(at as u64 * 13 % 70)).await;
                        let mut metadata = named(at);
                        if changes {
                            metadata["resourceVersion"] = json!("2");
                        }
                        object(&metadata)
                    }
                    _ if path.ends_with("/crontabs") => {
                        list("", &(1..=objects).map(|at| object(&named(at))).collect::<Vec<_>>())
                    }
                    _ => crd(3, &["v1"]),
                };
                let body = answer.to_string().into_bytes().into();
                respond.send_response(http::Response::new(body));
            });
        }
    });
    let start = Instant::now();
    let client = kube::Client::new(service, "default");
    let report = migration.run(&client, |_| {}).await.unwrap();
    assert_eq!(report.objects, objects as u64);
    let sent = sent.lock().unwrap().clone();
    (sent, start.elapsed())
}

fn rate(rate: u32) -> Migration {
    Migration::new(cron_tab()).rate(NonZeroU32::new(rate).unwrap())
}

#[tokio::test(start_paused = true)]
async fn objects_that_do_not_change_wait_for_no_slot() {
    // No object changes, each takes 60 milliseconds on average, and 8 are in progress at a time.
    let (sent, took) = paced(rate(10), 400, usize::MAX).await;
    assert_eq!(sent.len(), 400);
    assert!(took < Duration::from_secs(4), "{took:?}");
    // With one slot, they are written one after the other.
    let (_, took) = paced(rate(1), 40, usize::MAX).await;
    assert!(took < Duration::from_secs(4), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn no_second_has_more_writes_than_the_rate() {
    for (limit, objects, nth) in
        [(1, 12, 3), (5, 100, 1), (20, 300, 2), (100, 500, 1), (10, 400, 7)]
    {
        let (sent, took) = paced(rate(limit), objects, nth).await;
        let mut changed: Vec<_> =
            sent.iter().filter(|(_, changed)| *changed).map(|(at, _)| *at).collect();
        changed.sort_unstable();
        assert_eq!(changed.len(), objects / nth);
        let limit = limit as usize;
        for within in changed.windows(limit + 1) {
            let span = within[limit] - within[0];
            assert!(span >= Duration::from_secs(1), "{limit} a second: {span:?}");
        }
        // It also isn't much slower than the limit allows.
        let least = (changed.len() / limit) as u64;
        assert!(took < Duration::from_millis(least * 1250 + 4000), "{limit} a second: {took:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_object_of_a_dry_run_counts() {
    let (_, took) = paced(rate(10).dry_run(), 100, usize::MAX).await;
    assert!(took >= Duration::from_secs(9), "{took:?}");
}
