//! One program, so that all tests share one server and run beside each other.

mod apply;
mod apply_exceptions;
mod budget;
mod carrier;
mod certificate;
mod examples;
mod failures;
mod features;
mod inside;
mod install;
mod kubectl;
mod lifecycle;
mod migrate;
mod operator;
mod reviews;
mod rollout;
mod sets;
mod start;
mod status;
mod store;
mod writes;
