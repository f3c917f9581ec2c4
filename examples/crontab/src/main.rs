//! The CronTab of the Kubernetes documentation.

fn main() {}
