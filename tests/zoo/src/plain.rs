//! Types without fields: scalars, options, collections, and types of the standard library.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroI8, NonZeroI32, NonZeroU8, NonZeroU16, NonZeroU64, Wrapping};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, atomic::AtomicU32};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::enums::Names;
use super::shapes;
use super::structs::Empty;

#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    Red,
    #[serde(rename = "blue")]
    Blue,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Meters(pub f64);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Name {
    pub name: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Pair(pub i32, pub i32);

#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tuple(pub i32, pub String);

shapes! { "plain":
    bool = [true, false];
    char = ['a', 'é', '"'];
    String = [String::new(), "a".to_owned()];
    i8 = [i8::MIN, 0, i8::MAX];
    i16 = [i16::MIN, i16::MAX];
    i32 = [i32::MIN, i32::MAX];
    i64 = [i64::MIN, i64::MAX];
    i128 = [-1, 1];
    isize = [-1, 1];
    u8 = [0, u8::MAX];
    u16 = [0, u16::MAX];
    u32 = [0, u32::MAX];
    u64 = [0, 9_223_372_036_854_775_807];
    u128 = [0, 1];
    usize = [0, 1];
    f32 = [0.0, -1.5, f32::MIN, f32::MAX];
    f64 = [0.0, 1e300, f64::MIN, f64::MAX];
    NonZeroU8 = [NonZeroU8::MIN, NonZeroU8::MAX];
    NonZeroI32 = [NonZeroI32::MIN, NonZeroI32::MAX];
    NonZeroI8 = [NonZeroI8::MIN, NonZeroI8::MAX];
    NonZeroU16 = [NonZeroU16::MIN, NonZeroU16::MAX];
    NonZeroU64 = [NonZeroU64::MIN];
    Option<String> = [None, Some("a".to_owned())];
    Option<Option<bool>> = [None, Some(Some(true))];
    Option<Color> = [Some(Color::Red)];
    Option<Vec<Option<i32>>> = [None, Some(vec![None, Some(1)])];
    Option<BTreeMap<String, Option<bool>>> = [Some([("a".to_owned(), None)].into()), None];
    Box<Option<Box<u8>>> = [Box::new(None), Box::new(Some(Box::new(7)))];
    Color = [Color::Red, Color::Blue];
    Vec<String> = [Vec::new(), vec!["a".to_owned(), "a".to_owned()]];
    Vec<Vec<bool>> = [vec![vec![], vec![true]]];
    VecDeque<u8> = [[1, 2].into()];
    BTreeSet<String> = [["a".to_owned(), "b".to_owned()].into()];
    BTreeSet<Color> = [[Color::Red, Color::Blue].into()];
    HashSet<i64> = [[1, 2].into(), [].into()];
    BTreeSet<Vec<u8>> = [[vec![1], vec![1, 2]].into()];
    [bool; 3] = [[true, false, true]];
    (i32, i32) = [(1, 2)];
    Pair = [Pair(1, 2)];
    BTreeMap<String, i32> = [[("a".to_owned(), 1)].into()];
    HashMap<u32, String> = [[(1, "a".to_owned())].into()];
    BTreeMap<i8, bool> = [[(-1, true)].into()];
    BTreeMap<Color, bool> = [[(Color::Red, true)].into()];
    BTreeMap<char, BTreeMap<bool, i32>> = [[('a', [(true, 1)].into())].into()];
    BTreeMap<String, Value> = [[("a".to_owned(), json!(null)), ("b".to_owned(), json!([1]))].into()];
    Value = [json!(null), json!(1.5), json!({"a": {"b": []}})];
    Vec<Value> = [vec![json!(null), json!("a")]];
    serde_json::Map<String, Value> = [json!({"a": null}).as_object().cloned().unwrap_or_default()];
    Meters = [Meters(1.5)];
    Name = [Name { name: "a".to_owned() }];
    Duration = [Duration::from_millis(1_500)];
    std::time::SystemTime = [std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1)];
    IpAddr = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    Ipv4Addr = [Ipv4Addr::LOCALHOST];
    Ipv6Addr = [Ipv6Addr::LOCALHOST];
    PathBuf = [PathBuf::from("/a")];
    Result<bool, String> = [Ok(true), Err("a".to_owned())];
    std::ops::Range<i32> = [1..2];
    std::ops::Bound<i32> = [std::ops::Bound::Included(1), std::ops::Bound::Unbounded];
    std::ops::RangeInclusive<u8> = [1..=2];
    Cow<'static, str> = ["a".into()];
    Box<str> = ["a".into()];
    Box<[u8]> = [[1, 2].into()];
    Rc<i32> = [1.into()];
    Arc<str> = ["a".into()];
    Cell<bool> = [true.into()];
    RefCell<String> = ["a".to_owned().into()];
    Mutex<u8> = [1.into()];
    AtomicU32 = [1.into()];
    Wrapping<u8> = [Wrapping(1)];
    Reverse<i32> = [Reverse(1)];
    LinkedList<bool> = [[true].into()];
    BinaryHeap<u8> = [[1, 1].into()];
    OsString = ["a".into()];
    SocketAddr = [([127, 0, 0, 1], 80).into()];
    [u8; 0] = [[]];
    [u8; 32] = [[7; 32]];
    (i32,) = [(1,)];
    (i32, String) = [(1, "a".to_owned())];
    Tuple = [Tuple(1, "a".to_owned())];
    (bool, Option<String>, f64) = [(true, None, 1.5), (true, Some("a".to_owned()), 1.0)];
    (u8, (i64, bool), Vec<String>) = [(1, (-1, true), vec!["a".to_owned()])];
    (Empty, Value, i32) = [(Empty {}, json!(null), 1)];
    BTreeMap<Names, i32> = [[(Names::Now, 1)].into()];
    BTreeMap<IpAddr, bool> = [[(Ipv4Addr::LOCALHOST.into(), true)].into()];
}
