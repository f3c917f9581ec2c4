//! What Helm makes of charts, and Prometheus of alerts.

mod alerts;
mod faults;
mod operator;
mod template;
