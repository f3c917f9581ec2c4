//! What the derive must not refuse. Each file is compiled, by which most of it is tested.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "types are written as in a library, and most have no value"
)]

mod crontab;
mod inside_macro;
mod library;
mod moved;
mod no_prelude;
mod option_lifted;
mod option_on_one_side;
mod other_path;
mod raw_and_private;
mod resources;
mod shadowed_names;
mod unions;
