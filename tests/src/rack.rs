//! A resource whose values move between structs and stanzas on every hop.

use std::iter;

use crd_conv::Versioned;
use schemars::schema_for;
use serde_json::Value;

use crate::draw::Subject;
pub use crate::draw::VERSIONS;

pub mod v1alpha1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Spec {
        timeout: Option<i64>,
        retries: Option<i64>,
        front: Option<Front>,
        back: Option<Box<Back>>,
        phase: Option<String>,
        level: Option<i64>,
        replicas: i64,
        #[serde(default)]
        units: Vec<Unit>,
        old_only: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Front {
        color: Option<String>,
        label: Option<String>,
        deep: Option<Deep>,
        lost: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Deep {
        m: Option<i64>,
        n: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Back {
        label: Option<String>,
        #[serde(default = "two")]
        pace: i64,
        kind: String,
    }

    pub(super) fn two() -> i64 {
        2
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Unit {
        name: Option<String>,
        cpu: Option<String>,
    }
}

pub mod v1beta1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// Out of a struct into another one, three levels down, and out of a struct in a struct.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::Spec,
        removed(phase, old_only),
        moved(
            timeout => checks.inner.seconds,
            retries => checks.retries,
            front.color => back.color,
            front.deep.m => m,
        ),
    )]
    pub struct Spec {
        checks: Option<Checks>,
        front: Option<Front>,
        back: Option<Box<Back>>,
        m: Option<i64>,
        level: Option<i64>,
        replicas: i64,
        #[serde(default)]
        units: Vec<Unit>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Checks {
        inner: Option<Inner>,
        retries: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Inner {
        seconds: i64,
        #[serde(default = "super::v1alpha1::two")]
        grace: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Front, removed(color, lost))]
    pub struct Front {
        label: Option<String>,
        deep: Option<Deep>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Deep, removed(m))]
    pub struct Deep {
        n: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Back, removed(kind = "k"))]
    pub struct Back {
        #[versioned(renamed_from = label)]
        title: Option<String>,
        #[serde(default = "super::v1alpha1::two")]
        pace: i64,
        #[versioned(added)]
        color: Option<String>,
        #[versioned(added(value = 7))]
        depth: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Unit, moved(cpu => limits.hard.cpu))]
    pub struct Unit {
        name: Option<String>,
        limits: Option<Limits>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Limits {
        hard: Hard,
        soft: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Hard {
        cpu: String,
        ram: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Status {
        phase: Option<String>,
        message: Option<String>,
    }
}

pub mod v1beta2 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    /// The same values move again, within a struct that both versions have.
    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(
        from = super::v1beta1::Spec,
        removed(level, replicas = 1),
        moved(checks.inner.seconds => timing.seconds, back.color => back.paint.color),
    )]
    pub struct Spec {
        checks: Option<Checks>,
        timing: Option<Timing>,
        front: Option<super::v1beta1::Front>,
        back: Option<Box<Back>>,
        m: Option<i64>,
        #[serde(default)]
        units: Vec<Unit>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Checks)]
    pub struct Checks {
        inner: Option<Inner>,
        retries: Option<i64>,
        url: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Inner, removed(seconds = 30))]
    pub struct Inner {
        #[serde(default = "super::v1alpha1::two")]
        grace: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Timing {
        seconds: i64,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Back, removed(color))]
    pub struct Back {
        title: Option<String>,
        #[serde(default = "super::v1alpha1::two")]
        pace: i64,
        depth: i64,
        #[versioned(added)]
        paint: Option<Paint>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Paint {
        color: Option<String>,
        gloss: Option<bool>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Unit)]
    pub struct Unit {
        name: Option<String>,
        limits: Option<Limits>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Limits, moved(hard.ram => ram))]
    pub struct Limits {
        hard: Hard,
        soft: Option<i64>,
        ram: Option<String>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Hard, removed(ram))]
    pub struct Hard {
        cpu: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Status)]
    pub struct Status {
        phase: Option<String>,
        #[versioned(renamed_from = message)]
        text: Option<String>,
        #[versioned(added)]
        level: Option<i64>,
        #[serde(default)]
        #[versioned(added)]
        replicas: i64,
    }
}

pub mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::v1beta2::{Checks, Timing, Unit};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta2::Spec)]
    pub struct Spec {
        checks: Option<Checks>,
        timing: Option<Timing>,
        #[versioned(renamed_from = front)]
        facade: Option<Facade>,
        back: Option<Box<super::v1beta2::Back>>,
        m: Option<i64>,
        #[serde(default)]
        units: Vec<Unit>,
        #[versioned(added)]
        info: Option<Info>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Front)]
    pub struct Facade {
        #[versioned(renamed_from = label)]
        caption: Option<String>,
        deep: Option<super::v1beta1::Deep>,
        #[versioned(added)]
        replicas: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Info {
        level: Option<i64>,
        state: Option<State>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct State {
        phase: Option<String>,
        since: Option<String>,
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "racks", scope = "Namespaced"))]
#[allow(clippy::large_enum_variant, reason = "a declaration, of which there is no value")]
pub enum Rack {
    V1alpha1 {
        spec: v1alpha1::Spec,
    },
    #[versioned(moved(spec.phase => status.phase))]
    V1beta1 {
        spec: v1beta1::Spec,
        #[versioned(added)]
        status: Option<v1beta1::Status>,
    },
    #[versioned(moved(spec.level => status.level, spec.replicas => status.replicas))]
    V1beta2 {
        spec: v1beta2::Spec,
        status: Option<v1beta2::Status>,
    },
    #[versioned(
        storage,
        removed(status),
        moved(
            status.level => spec.info.level,
            status.phase => spec.info.state.phase,
            status.replicas => spec.facade.replicas,
        ),
    )]
    V1 {
        spec: v1::Spec,
    },
}

/// The subject from which objects can be drawn.
pub const SUBJECT: Subject = Subject {
    kind: "Rack",
    // This only makes fields of other versions appear as unknown ones.
    rows: &[[&["color"], &["timing"], &["info"], &["unknown"]]],
    free: [&[]; 4],
    // In fields that only one version has, values of another kind aren't restored.
    whole: &[
        "", "checks", "hard", "info", "inner", "limits", "paint", "state", "status", "timing",
        "units",
    ],
    stanzas,
};

fn stanzas(version: usize) -> Vec<(&'static str, Value)> {
    let (spec, status) = match version {
        0 => (schema_for!(v1alpha1::Spec), None),
        1 => (schema_for!(v1beta1::Spec), Some(schema_for!(v1beta1::Status))),
        2 => (schema_for!(v1beta2::Spec), Some(schema_for!(v1beta2::Status))),
        _ => (schema_for!(v1::Spec), None),
    };
    let status = status.map(|status| ("status", status.to_value()));
    iter::once(("spec", spec.to_value())).chain(status).collect()
}
