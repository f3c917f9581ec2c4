//! What Go's decoders make of the text of an object, and of the fields that the API server reads into types of its own.

pub(crate) mod duration;
pub(crate) mod metadata;
#[cfg_attr(not(feature = "schema"), expect(unreachable_pub, reason = "`validation` exports it"))]
pub(crate) mod refusal;
pub(crate) mod text;
pub(crate) mod time;
