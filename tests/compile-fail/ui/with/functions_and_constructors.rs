use crd_conv::{ConvertError, Converter, Versioned, with::{Each, Inverse}};

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        pub constructor: String,
        pub method: String,
        pub pointer: String,
        pub each: Vec<String>,
        pub inverse: String,
        pub turbofish: String,
        pub generic: String,
        pub host: String,
        pub port: String,
    }
}

mod upper {
    pub fn upgrade(text: String) -> String {
        text
    }
    pub fn joined(text: String, _: String) -> String {
        text
    }
}

pub struct Prefixed(pub &'static str);

impl Converter<String, String> for Prefixed {
    fn upgrade(&self, text: String) -> Result<String, ConvertError> {
        Ok(text)
    }
    fn downgrade(&self, text: String) -> Result<String, ConvertError> {
        Ok(text)
    }
}

const POINTER: fn(String) -> String = upper::upgrade;

fn same<T>(value: T) -> T {
    value
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, map((host, port) <=> address, with = upper::joined))]
pub struct CronTabSpec {
    #[versioned(with = Prefixed)]
    pub constructor: String,
    #[versioned(with = str::to_owned)]
    pub method: String,
    #[versioned(with = POINTER)]
    pub pointer: String,
    #[versioned(with = Each(upper::upgrade))]
    pub each: Vec<String>,
    #[versioned(with = Inverse(upper::upgrade))]
    pub inverse: String,
    #[versioned(with = same::<String>)]
    pub turbofish: String,
    #[versioned(with = same)]
    pub generic: String,
    pub address: String,
}

fn main() {}
