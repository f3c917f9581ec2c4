//! The command `monitoring`.

use super::{
    args::{Monitoring, MonitoringArgs},
    files::{check, write},
    output::Output,
};
use crate::{server, yaml};

pub(super) fn run(args: &MonitoringArgs) -> Result<Output, String> {
    let text = match args.what {
        Monitoring::Alerts => {
            yaml::from_json(&server::alerts()).map_err(|error| error.to_string())?
        }
        Monitoring::Dashboard => server::dashboard(),
    };
    match (&args.check, &args.write) {
        (Some(file), _) => check(file, &text, |_| None, |_| String::new()),
        (None, Some(file)) => write(file, &text),
        (None, None) => Ok(Output::from(text)),
    }
}
