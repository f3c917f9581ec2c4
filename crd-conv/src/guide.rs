//! Guides for users and operators of a converted resource.

#[cfg(feature = "serve")]
#[doc = include_str!("../guide/start.md")]
pub mod start {}

#[doc = include_str!("../guide/coming.md")]
pub mod coming {}

#[doc = include_str!("../guide/questions.md")]
pub mod questions {}

#[doc = include_str!("../guide/carrier.md")]
pub mod carrier {}

#[doc = include_str!("../guide/life.md")]
pub mod life {}

#[doc = include_str!("../guide/serve.md")]
pub mod serve {}

#[doc = include_str!("../guide/migrate.md")]
pub mod migrate {}

#[doc = include_str!("../guide/operators.md")]
pub mod operators {}

#[doc = include_str!("../guide/testing.md")]
pub mod testing {}

#[doc = include_str!("../guide/schema.md")]
pub mod schema {}

#[doc = include_str!("../guide/verify.md")]
pub mod verify {}

#[doc = include_str!("../guide/diff.md")]
pub mod diff {}

#[doc = include_str!("../guide/validation.md")]
pub mod validation {}

#[doc = include_str!("../guide/security.md")]
pub mod security {}
