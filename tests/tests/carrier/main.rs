//! The annotations that carry what other versions know: their size, their age, and what nobody honest writes into them.

mod adversary;
mod budget;
mod fuzzed;
mod null_object;
mod own_status;
mod releases;
