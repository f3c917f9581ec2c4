//! What is generated sees its own variables, also where a user's macro writes the types.

use crd_conv::Versioned;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

struct Number;

impl crd_conv::Converter<String, i64> for Number {
    fn upgrade(&self, older: String) -> Result<i64, crd_conv::ConvertError> {
        Ok(older.parse()?)
    }

    fn downgrade(&self, newer: i64) -> Result<String, crd_conv::ConvertError> {
        Ok(newer.to_string())
    }
}

fn longer(older: i32) -> i64 {
    older.into()
}

fn shorter(newer: i64) -> Result<i32, std::num::TryFromIntError> {
    newer.try_into()
}

macro_rules! versions {
    ($older:ident, $newer:ident, $with:expr) => {
        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        struct $older {
            size: String,
            limit: i32,
            pair: String,
            owner: String,
        }

        #[derive(Versioned, Serialize, Deserialize, JsonSchema)]
        #[versioned(
                    from = $older,
                    removed(owner = "nobody"),
                    map(pair <=> twice, with = Number, fallback(upgrade = 7, downgrade = "7")),
                )]
        struct $newer {
            #[versioned(with = $with, fallback(upgrade = 0))]
            size: i64,
            #[versioned(with(upgrade = longer, downgrade = shorter))]
            limit: i64,
            twice: i64,
            #[versioned(added(value = 3))]
            history: i32,
        }
    };
}

versions!(Older, Newer, Number);
