use crd_conv::Versioned;
use serde::{Deserialize, Serialize};

#[derive(Versioned, Serialize, Deserialize)]
#[versioned(
    validation("self.a > 0", field_path = "a"),
    validation("self.a > 0", field_path = ""),
    validation("self.a > 0", field_path = ".a."),
    validation("self.a > 0", field_path = ".a[0]"),
    validation("self.a > 0", field_path = ".a[*]"),
    validation("self.a > 0", field_path = ".a\n"),
    validation("self.a > 0", field_path = ".a['b-c'].d"),
)]
pub struct Spec {
    a: i64,
}

fn main() {}
