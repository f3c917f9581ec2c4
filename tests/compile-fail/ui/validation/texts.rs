use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    validation(""),
    validation("self.a > 0 ||\nself.b > 0"),
    validation("self.a > 0", message = " "),
    validation("self.a > 0", message = "a is\nat least 1"),
    validation("self.a > 0", message_expression = ""),
    validation("self.a > 0", reason = "FieldValueWrong"),
    validation("self.a > 0", reason = "FieldValueInvald"),
    validation("self.a > 0", reason = ""),
    validation("self.a > 0", optional_old_self),
)]
pub struct Spec {
    a: i64,
    b: i64,
}

fn main() {}
