//! The ends at which an operator meets conversions: reviews that the API server sends, and commands that people run.

mod check;
mod cli;
mod explain;
mod hints;
mod in_place;
mod next_version;
mod odd_names;
mod reports;
mod review;
mod troubleshooting;
mod warnings;
