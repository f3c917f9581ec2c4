//! A resource whose values tell its converters to wait, panic or refuse.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::time::{Duration, Instant};

use crd_conv::{ConvertError, Converter, Versioned};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The older version.
pub mod v1 {
    use super::{Deserialize, JsonSchema, Serialize, Versioned};

    /// Its only stanza.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Spec {
        pub(crate) address: String,
        pub(crate) owner: Option<String>,
        #[serde(default)]
        pub(crate) level: String,
        #[serde(default)]
        pub(crate) padding: String,
    }
}

/// The newer version.
pub mod v2 {
    use super::{Address, Deserialize, JsonSchema, Level, Serialize, Versioned};

    /// Its only stanza.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1::Spec,
        removed(owner),
        map((address) <=> (host, port), with = Address),
    )]
    pub struct Spec {
        pub(crate) host: String,
        pub(crate) port: String,
        #[serde(default)]
        #[versioned(renamed_from = level, with = Level, fallback(upgrade = -1))]
        pub(crate) degree: i64,
        #[serde(default)]
        pub(crate) padding: String,
    }
}

/// Stored at `v2`.
#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gates", scope = "Namespaced"))]
pub enum Gate {
    /// The older version.
    V1 {
        /// Its only stanza.
        spec: v1::Spec,
    },
    /// The newer version.
    #[versioned(storage)]
    V2 {
        /// Its only stanza.
        spec: v2::Spec,
    },
}

struct Address;

impl Converter<String, (String, String)> for Address {
    fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
        if let Some(name) = older.strip_prefix("wait ") {
            Door::of(name).pass();
            return Ok((older, String::new()));
        }
        if older == "panic twice" {
            std::panic::panic_any(PanicsAgain);
        }
        assert!(!older.starts_with("panic"), "the converter was told to panic: {older}");
        let (host, port) =
            older.split_once(':').ok_or_else(|| format!("`{older}` isn't `host:port`"))?;
        Ok((host.to_owned(), port.to_owned()))
    }

    fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
        Ok(if host.starts_with("wait ") { host } else { format!("{host}:{port}") })
    }
}

/// A converter panics with this value, which panics once more when it is dropped.
struct PanicsAgain;

impl Drop for PanicsAgain {
    fn drop(&mut self) {
        panic!("the converter was told to panic twice");
    }
}

struct Level;

impl Converter<String, i64> for Level {
    fn upgrade(&self, older: String) -> Result<i64, ConvertError> {
        if older.is_empty() { Ok(0) } else { Ok(older.parse()?) }
    }

    fn downgrade(&self, newer: i64) -> Result<String, ConvertError> {
        Ok(if newer == 0 { String::new() } else { newer.to_string() })
    }
}

/// How long a test waits for something that should happen at once.
const LIMIT: Duration = Duration::from_secs(30);

/// A door at which the conversions of objects with the address `wait <name>` wait.
#[derive(Debug, Default)]
pub struct Door {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

static DOORS: LazyLock<Mutex<HashMap<String, Arc<Door>>>> = LazyLock::new(Mutex::default);

impl Door {
    /// Returns the door with a name. It is closed at first.
    pub fn of(name: &str) -> Arc<Self> {
        let mut doors = DOORS.lock().expect("no holder panicked");
        Arc::clone(doors.entry(name.to_owned()).or_default())
    }

    /// Opens the door for all conversions, from now on.
    pub fn open(&self) {
        self.state.lock().expect("no holder panicked").1 = true;
        self.changed.notify_all();
    }

    /// Waits until this number of conversions has come, without blocking the caller's runtime.
    pub async fn has_come(self: &Arc<Self>, count: usize) {
        let door = Arc::clone(self);
        let wait = move || {
            let mut state = door.state.lock().expect("no holder panicked");
            let end = Instant::now() + LIMIT;
            while state.0 < count {
                let left = end.saturating_duration_since(Instant::now());
                assert!(!left.is_zero(), "{} have come, not {count}", state.0);
                state = door.changed.wait_timeout(state, left).expect("no holder panicked").0;
            }
        };
        tokio::task::spawn_blocking(wait).await.expect("the wait ends");
    }

    fn pass(&self) {
        let mut state = self.state.lock().expect("no holder panicked");
        state.0 += 1;
        self.changed.notify_all();
        // A failed test opens no door, and its runtime waits for this thread.
        let end = Instant::now() + LIMIT;
        while !state.1 && Instant::now() < end {
            state = self.changed.wait_timeout(state, LIMIT).expect("no holder panicked").0;
        }
    }
}

/// Returns a review that converts objects from `v1` to `v2`, as the API server writes it.
pub fn review(objects: &[String]) -> String {
    let objects = objects.join(",");
    format!(
        r#"{{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{{"uid":"u-1","desiredAPIVersion":"example.com/v2","objects":[{objects}]}},"response":{{"uid":"","convertedObjects":null,"result":{{"metadata":{{}}}}}}}}"#
    )
}

/// Returns an object at `v1`.
pub fn object(name: &str, spec: &serde_json::Value) -> String {
    let object = serde_json::json!({
        "apiVersion": "example.com/v1",
        "kind": "Gate",
        "metadata": { "name": name, "namespace": "default" },
        "spec": spec,
    });
    object.to_string()
}

/// Returns a review of one object with an address.
pub fn review_of(address: &str) -> String {
    review(&[object("g", &serde_json::json!({ "address": address }))])
}

/// Returns a text that compression doesn't make smaller.
pub fn noise(length: usize) -> String {
    let mut state = 7_u64;
    let letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        char::from(b'0' + u8::try_from(state >> 58).expect("six bits"))
    };
    std::iter::repeat_with(letter).take(length).collect()
}
