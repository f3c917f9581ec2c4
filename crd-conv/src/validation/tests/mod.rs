//! What the conformance tests against the server's code seldom reach, and what they say of it.

mod pattern;
