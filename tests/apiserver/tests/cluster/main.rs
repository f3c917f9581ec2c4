//! A whole control plane as the judge. One program, so that all tests share one and run beside each other.

mod helm;
mod many;
mod namespaces;
mod operator;
mod outage;
mod permissions;
mod policies;
mod references;
mod servers;
mod storage_migration;
