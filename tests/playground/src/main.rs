//! Converts the object on standard input to the version in the first argument. Prints a
//! [`Conversion`](playground::Conversion) as JSON.

use std::process::ExitCode;
use std::{env, io};

fn main() -> ExitCode {
    let to = env::args().nth(1).unwrap_or_default();
    let object = io::read_to_string(io::stdin()).map_err(|error| error.to_string());
    let conversion = object.and_then(|object| playground::convert(&object, &to));
    let json = conversion.and_then(|conversion| {
        serde_json::to_string(&conversion).map_err(|error| error.to_string())
    });
    match json {
        Ok(json) => println!("{json}"),
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
