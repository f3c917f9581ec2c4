//! Resources that others designed: types and mappings from what their projects publish, and conversions beside those of the projects' own
//! converters.

mod alertmanager_config;
mod certificate;
mod cluster_queue;
mod machine;
mod node_pool;
mod releases;
