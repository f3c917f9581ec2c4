//! What several of the test files share.
