//! The functions that are fuzzed, with those of the tests' resources that they need. All resources
//! would take far longer to build with coverage.

#[path = "../../src/draw.rs"]
pub mod draw;
#[path = "../../src/flat.rs"]
pub mod flat;
#[path = "../../src/fuzz.rs"]
pub mod fuzz;
#[path = "../../src/gadget.rs"]
pub mod gadget;
#[path = "../../src/nest.rs"]
pub mod nest;
#[path = "../../src/rack.rs"]
pub mod rack;
#[path = "../../src/union.rs"]
pub mod union;
