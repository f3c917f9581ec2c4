use crd_conv::{ConvertError, Converter, Versioned, with::{Each, First, Then}};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Rule {
    text: String,
}

pub struct Parsed;

impl Converter<String, Rule> for Parsed {
    fn upgrade(&self, text: String) -> Result<Rule, ConvertError> {
        Ok(Rule { text })
    }
    fn downgrade(&self, rule: Rule) -> Result<String, ConvertError> {
        Ok(rule.text)
    }
}

mod v1 {
    #[derive(crd_conv::Versioned)]
    pub struct PolicySpec {
        pub each: Vec<String>,
        pub first: String,
        pub inner: Vec<Vec<String>>,
    }
}

#[derive(Versioned)]
#[versioned(from = v1::PolicySpec)]
pub struct PolicySpec {
    #[versioned(with = Each(Parsed))]
    pub each: Vec<Rule>,
    #[versioned(with = Then::<_, _, Rule>::new(Parsed, First))]
    pub first: Vec<Rule>,
    #[versioned(with = Each(Each(Parsed)))]
    pub inner: Vec<Vec<Rule>>,
}

fn main() {}
