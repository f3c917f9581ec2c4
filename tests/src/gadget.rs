//! A resource with every kind of rule over three versions, and with converters that are wrong on
//! purpose.

use crd_conv::Versioned;

pub mod converters {
    //! The "wrong" converters aren't inverse in the two directions.

    use crd_conv::{ConvertError, Converter};

    /// Splits at the last colon and trims the port, so several values give the same result.
    pub struct HostPort;

    impl Converter<String, (String, String)> for HostPort {
        fn upgrade(&self, older: String) -> Result<(String, String), ConvertError> {
            let (host, port) = older.rsplit_once(':').ok_or("expected `host:port`")?;
            Ok((host.to_owned(), port.trim().to_owned()))
        }

        fn downgrade(&self, (host, port): (String, String)) -> Result<String, ConvertError> {
            Ok(format!("{host}:{port}"))
        }
    }

    /// Many fields to one. Names with spaces come back differently.
    pub struct FullName;

    impl Converter<(String, Option<String>), String> for FullName {
        fn upgrade(&self, (first, last): (String, Option<String>)) -> Result<String, ConvertError> {
            Ok(last.map_or_else(|| first.clone(), |last| format!("{first} {last}")))
        }

        fn downgrade(&self, newer: String) -> Result<(String, Option<String>), ConvertError> {
            Ok(match newer.split_once(' ') {
                Some((first, last)) => (first.to_owned(), Some(last.to_owned())),
                None => (newer, None),
            })
        }
    }

    /// Many fields to many. Exact if nothing overflows.
    pub struct SumAndDifference;

    impl Converter<(i64, Option<i64>), (i64, Option<i64>)> for SumAndDifference {
        fn upgrade(&self, (a, b): (i64, Option<i64>)) -> Result<(i64, Option<i64>), ConvertError> {
            Ok((a.wrapping_add(b.unwrap_or(0)), b.map(|b| a.wrapping_sub(b))))
        }

        fn downgrade(
            &self,
            (sum, difference): (i64, Option<i64>),
        ) -> Result<(i64, Option<i64>), ConvertError> {
            let a = difference.map_or(sum, |difference| sum.wrapping_add(difference) / 2);
            Ok((a, difference.map(|difference| sum.wrapping_sub(difference) / 2)))
        }
    }

    /// Wrong: all values become the same.
    pub struct Constant;

    impl Converter<String, i64> for Constant {
        fn upgrade(&self, _: String) -> Result<i64, ConvertError> {
            Ok(7)
        }

        fn downgrade(&self, _: i64) -> Result<String, ConvertError> {
            Ok("seven".to_owned())
        }
    }

    /// Wrong: random, but the same for the same input.
    pub struct Scrambled;

    fn scramble(seed: i64) -> i64 {
        (seed ^ 0x5DEE_CE66).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)
    }

    impl Converter<i64, String> for Scrambled {
        fn upgrade(&self, older: i64) -> Result<String, ConvertError> {
            Ok(scramble(older).to_string())
        }

        fn downgrade(&self, newer: String) -> Result<i64, ConvertError> {
            Ok(newer.bytes().fold(17, |hash, byte| scramble(hash ^ i64::from(byte))))
        }
    }

    /// Wrong: an upgrade returns nothing, and a downgrade returns a value that was never there.
    pub struct Forgetful;

    impl Converter<Option<String>, Option<String>> for Forgetful {
        fn upgrade(&self, _: Option<String>) -> Result<Option<String>, ConvertError> {
            Ok(None)
        }

        fn downgrade(&self, newer: Option<String>) -> Result<Option<String>, ConvertError> {
            Ok(newer.map(|_| "made up".to_owned()))
        }
    }

    /// Wrong: an upgrade succeeds, and a downgrade never does.
    pub struct OneWay;

    impl Converter<String, Vec<String>> for OneWay {
        fn upgrade(&self, older: String) -> Result<Vec<String>, ConvertError> {
            Ok(older.split(',').map(str::to_owned).collect())
        }

        fn downgrade(&self, newer: Vec<String>) -> Result<String, ConvertError> {
            if newer.len() == 1 { Ok(newer.concat()) } else { Err("more than one".into()) }
        }
    }

    /// Loses the unit, and much of how the number was written. The API server writes large results
    /// in its own way.
    pub struct Load;

    impl Converter<(String, String), f64> for Load {
        fn upgrade(&self, (weight, unit): (String, String)) -> Result<f64, ConvertError> {
            let factor = if unit == "kg" { 1.0 } else { 1e21 };
            let load = weight.parse::<f64>().unwrap_or(1.0) * factor;
            Ok(if load.is_finite() { load } else { 0.0 })
        }

        fn downgrade(&self, newer: f64) -> Result<(String, String), ConvertError> {
            Ok((newer.to_string(), "kg".to_owned()))
        }
    }

    pub fn to_percent(ratio: f64) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "saturates, which is as wrong as rounding"
        )]
        let percent = (ratio * 100.0).round() as i64;
        percent
    }

    pub fn from_percent(percent: i64) -> Result<f64, std::num::TryFromIntError> {
        Ok(f64::from(i32::try_from(percent)?) / 100.0)
    }
}

pub mod v1alpha1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct GadgetSpec {
        host_port: String,
        first: String,
        last: Option<String>,
        a: i64,
        b: Option<i64>,
        mode: String,
        size: i64,
        note: Option<String>,
        tags: String,
        ratio: f64,
        owner: Option<String>,
        legacy: String,
        #[serde(default)]
        retries: i64,
        cron_spec: String,
        r#type: String,
        swap: String,
        paws: String,
        weight: String,
        unit: String,
        timeout: Option<i64>,
        attempts: Option<i64>,
        limits: Option<Limits>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct Limits {
        cpu: String,
        memory: String,
        burst: Option<i64>,
    }
}

pub mod v1beta1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::converters::{
        Constant, Forgetful, FullName, HostPort, Load, OneWay, Scrambled, SumAndDifference,
    };

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1alpha1::GadgetSpec,
        removed(owner, legacy = "none", retries),
        map(host_port <=> (host, port), with = HostPort, refuses(upgrade = "the operator never took any other address")),
        map((first, last) <=> full_name, with = FullName),
        map((a, b) <=> (sum, difference), with = SumAndDifference),
        map((weight, unit) <=> load, with = Load),
        moved(timeout => checks.timeout, attempts => checks.max_attempts),
    )]
    pub struct GadgetSpec {
        host: String,
        port: String,
        full_name: String,
        sum: i64,
        difference: Option<i64>,
        #[versioned(with = Constant)]
        mode: i64,
        #[versioned(with = Scrambled)]
        size: String,
        #[versioned(with = Forgetful)]
        note: Option<String>,
        #[versioned(with = OneWay, refuses(downgrade = "it is wrong, and the tests say what comes of it"))]
        tags: Vec<String>,
        #[versioned(renamed_from = ratio, with(upgrade = super::converters::to_percent, downgrade = super::converters::from_percent), refuses(downgrade = "nobody has so many percent"))]
        percent: i64,
        #[versioned(renamed_from = cron_spec)]
        schedule: String,
        r#type: String,
        #[versioned(renamed_from = swap)]
        paws: String,
        #[versioned(renamed_from = paws)]
        swap: String,
        #[serde(default)]
        load: f64,
        #[versioned(added)]
        suspend: Option<bool>,
        #[versioned(added(value = 3))]
        history: i64,
        checks: Option<Checks>,
        limits: Option<Limits>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    pub struct Checks {
        timeout: Option<i64>,
        max_attempts: Option<i64>,
        url: Option<String>,
        #[serde(default = "five")]
        interval: i64,
    }

    fn five() -> i64 {
        5
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1alpha1::Limits, removed(burst))]
    pub struct Limits {
        cpu: String,
        #[versioned(renamed_from = memory)]
        ram: String,
        #[versioned(added(value = "fast"))]
        disk: String,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    pub struct GadgetStatus {
        phase: Option<String>,
    }
}

pub mod v1 {
    use crd_conv::Versioned;
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::converters::{Constant, HostPort};

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[versioned(
        from = super::v1beta1::GadgetSpec,
        removed(suspend),
        map((host, port) <=> address, with(upgrade = join, downgrade = split), refuses(downgrade = "the operator never took any other address")),
        moved(checks.timeout => timeout, checks.max_attempts => attempts),
    )]
    pub struct GadgetSpec {
        address: String,
        full_name: String,
        sum: i64,
        difference: Option<i64>,
        #[versioned(renamed_from = mode, with = Number)]
        level: String,
        size: String,
        note: Option<String>,
        tags: Vec<String>,
        percent: i64,
        schedule: String,
        #[versioned(renamed_from = r#type)]
        r#impl: String,
        paws: String,
        swap: String,
        #[serde(default)]
        load: f64,
        #[versioned(added)]
        #[serde(default)]
        legacy: Vec<String>,
        history: i64,
        timeout: Option<i64>,
        attempts: Option<i64>,
        limits: Option<Limits>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::Limits)]
    pub struct Limits {
        cpu: String,
        ram: String,
        disk: String,
        #[versioned(added)]
        burst: Option<i64>,
    }

    #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
    #[versioned(from = super::v1beta1::GadgetStatus)]
    pub struct GadgetStatus {
        #[versioned(renamed_from = phase)]
        state: Option<String>,
    }

    fn join((host, port): (String, String)) -> String {
        format!("{host}:{port}")
    }

    fn split(address: String) -> Result<(String, String), crd_conv::ConvertError> {
        crd_conv::Converter::upgrade(&HostPort, address)
    }

    /// The constant converter, in the other direction.
    pub struct Number;

    impl crd_conv::Converter<i64, String> for Number {
        fn upgrade(&self, older: i64) -> Result<String, crd_conv::ConvertError> {
            crd_conv::Converter::<String, i64>::downgrade(&Constant, older)
        }

        fn downgrade(&self, newer: String) -> Result<i64, crd_conv::ConvertError> {
            crd_conv::Converter::<String, i64>::upgrade(&Constant, newer)
        }
    }
}

#[derive(Versioned)]
#[versioned(resource(group = "example.com", plural = "gadgets", scope = "Namespaced"))]
pub enum Gadget {
    V1alpha1 {
        spec: v1alpha1::GadgetSpec,
        extra: Option<String>,
    },
    V1beta1 {
        spec: v1beta1::GadgetSpec,
        extra: Option<String>,
        #[versioned(added)]
        status: Option<v1beta1::GadgetStatus>,
    },
    #[versioned(storage, removed(extra))]
    V1 {
        spec: v1::GadgetSpec,
        status: Option<v1::GadgetStatus>,
    },
}
