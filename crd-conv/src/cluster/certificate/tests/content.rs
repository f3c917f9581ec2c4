//! The content of the Secret, without an API server.

use super::*;

fn read(content: &Content, now: SystemTime) -> Option<Content> {
    let mut data = BTreeMap::new();
    content.write(&mut data);
    match Content::read(&data, now) {
        Found::Content(content) => Some(content),
        Found::Nothing => None,
        Found::Foreign => panic!("it is our own"),
    }
}

#[test]
fn what_is_written_is_read_until_it_expires() {
    let now = SystemTime::now();
    let mut content = first(90);
    assert!(read(&content, now).as_ref() == Some(&content));
    assert!(read(&content, now + DAY * 91).is_none());
    content = content.again(&wanted(180), std::iter::empty(), now).unwrap();
    assert!(read(&content, now).as_ref() == Some(&content));
    let late = read(&content, now + DAY * 91).expect("the next one");
    assert!(Some(&late.pair) == content.next.as_ref() && late.next.is_none());
}

#[test]
fn a_pair_that_is_not_one_is_no_content() {
    let now = SystemTime::now();
    let (one, other) = (first(90), first(90));
    let mixed = Pair { key: other.pair.key.clone(), ..one.pair.clone() };
    assert!(read(&Content { pair: mixed, ..one.clone() }, now).is_none());
    assert!(read(&Content { authorities: Vec::new(), ..one.clone() }, now).is_none());
    let nothing = Pair { certificate: Vec::new(), key: Vec::new() };
    assert!(read(&Content { pair: nothing, ..one }, now).is_none());
}

#[test]
fn it_is_renewed_when_a_third_of_the_time_is_left() {
    let now = SystemTime::now();
    let content = first(90);
    assert!(content.clone().renewed(&wanted(90), now + DAY * 59).unwrap() == content);
    let renewed = content.clone().renewed(&wanted(90), now + DAY * 61).unwrap();
    assert!(renewed.pair == content.pair && renewed.next.is_some());
    assert_eq!(renewed.authorities.len(), 2);
    assert_eq!(renewed.authorities[1], content.authorities[0]);
    // Only one pair is made ahead.
    assert!(renewed.clone().renewed(&wanted(90), now + DAY * 62).unwrap() == renewed);
    let promoted = renewed.clone().promoted();
    assert!(Some(&promoted.pair) == renewed.next.as_ref());
    assert_eq!(promoted.authorities, renewed.authorities);
}

#[test]
fn an_expired_authority_goes() {
    let now = SystemTime::now();
    let mut content = first(90);
    content = content.again(&wanted(180), std::iter::empty(), now).unwrap();
    let later = content.promoted().renewed(&wanted(90), now + DAY * 91).unwrap();
    assert_eq!(later.authorities.len(), 1);
}

#[test]
fn replicas_that_want_other_names_agree_on_all() {
    let now = SystemTime::now();
    let names = |names: &[&str]| Wanted {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        validity: DAY * 90,
    };
    let (one, other) = (names(&["a.n.svc", "10.0.0.1"]), names(&["b.n.svc", "::1"]));
    let content = Content::first(&one, std::iter::empty(), now).unwrap();
    assert!(content.clone().renewed(&one, now).unwrap() == content);
    let both = content.renewed(&other, now).unwrap();
    assert!(both.next.is_some());
    let both = both.promoted();
    for wanted in [&one, &other] {
        assert!(both.clone().renewed(wanted, now).unwrap() == both);
    }
}
