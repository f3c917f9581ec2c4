//! What the benchmarks compare does the same, with reviews of the sizes that they are named after.

use crd_conv::{ResourceType, Reviewer};
use crd_conv_bench::chain::{self, Pool};
use crd_conv_bench::reviews::{CronTab, by_hand, many, many_with_complement, small};
use serde_json::Value;

#[test]
fn both_ways_give_the_same() {
    assert!((700..900).contains(&(small().len() - 250)), "{}", small().len());
    let each = many().len() / 500;
    assert!((2_800..3_200).contains(&each), "{each}");
    let reviewer = Reviewer::new([ResourceType::of::<CronTab>()]);
    for request in [small(), many()] {
        let ours = reviewer.review(request.as_bytes()).expect("an answer");
        let ours: Value = serde_json::from_str(&ours.body).expect("JSON");
        let theirs: Value = serde_json::from_slice(&by_hand(request.as_bytes())).expect("JSON");
        assert_eq!(ours, theirs);
    }
    let complement = reviewer.review(many_with_complement().as_bytes()).expect("an answer");
    assert_eq!(complement.failure, None);
    assert_eq!(complement.body.matches(r#""historyLimit":7"#).count(), 500);
}

#[test]
fn both_ways_give_the_same_of_many_hops() {
    assert!((700..900).contains(&(chain::small("v2").len() - 250)), "{}", chain::small("v2").len());
    let reviewer = Reviewer::new([ResourceType::of::<Pool>()]);
    let request = chain::large("v5");
    let each = request.len() / 100;
    assert!((54_000..58_000).contains(&each), "{each}");
    for (request, kept) in [(request, 0), (chain::large_in_turn("v5"), 100)] {
        let ours = reviewer.review(request.as_bytes()).expect("an answer");
        let mut ours: Value = serde_json::from_str(&ours.body).expect("JSON");
        let mut theirs: Value =
            serde_json::from_slice(&chain::by_hand(request.as_bytes())).expect("JSON");
        assert_eq!(take_kept(&mut ours), kept);
        // Nobody who writes it by hand keeps what the next version knows by the same name.
        take_kept(&mut theirs);
        assert_eq!(ours, theirs);
    }
}

/// Takes out what is kept of titles, or stands there still, and says of how many objects it was kept.
fn take_kept(answer: &mut Value) -> usize {
    let objects = answer["response"]["convertedObjects"].as_array_mut().expect("objects");
    let mut kept = 0;
    for object in objects {
        object["spec"].as_object_mut().expect("a spec").remove("title4");
        let metadata = object["metadata"].as_object_mut().expect("metadata");
        if let Some(annotations) = metadata.remove("annotations") {
            kept += 1;
            assert_eq!(annotations.as_object().map(serde_json::Map::len), Some(1), "{annotations}");
        }
    }
    kept
}
