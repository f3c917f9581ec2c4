//! One program, so that all tests are linked once and run beside each other.

mod command;
mod drain;
mod limits;
mod metrics;
mod reload;
mod service;
mod statuses;
mod traces;
