//! What Helm makes of charts, and Prometheus of alerts.

mod alerts;
mod operator;
mod template;
