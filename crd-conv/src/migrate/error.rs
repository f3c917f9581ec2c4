//! The reasons why a migration isn't complete.

use std::fmt;

use super::{Cause, MigrationReport};
use crate::cluster::{requests::is_unreachable, said};

/// The remedy for a webhook that doesn't convert.
const WEBHOOK: &str =
    "make sure that the conversion webhook answers, in a release that knows every version";

/// The reason why a migration isn't complete.
///
/// `status.storedVersions` is unchanged in each case.
#[derive(Debug)]
#[non_exhaustive]
pub enum MigrationError {
    /// The cluster has no such CustomResourceDefinition.
    NotInstalled {
        /// The name of the CustomResourceDefinition.
        name: String,
    },
    /// The CustomResourceDefinition serves no version, so no object can be read or written.
    NotServed {
        /// The name of the CustomResourceDefinition.
        name: String,
    },
    /// Some objects couldn't be rewritten.
    Objects {
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The objects, and the reasons.
        report: Box<MigrationReport>,
    },
    /// The CustomResourceDefinition changed in the meantime, so that objects may have been written
    /// in another version.
    Changed {
        /// The name of the CustomResourceDefinition.
        name: String,
    },
    /// A request failed.
    Client {
        /// The kind of request, such as `list`.
        doing: &'static str,
        /// The name of the CustomResourceDefinition.
        name: String,
        /// The reason why it failed.
        error: kube::Error,
    },
}

impl MigrationError {
    pub(crate) fn listing(name: &str, error: kube::Error) -> Self {
        Self::Client { doing: "list the objects of", name: name.to_owned(), error }
    }
}

impl fmt::Display for MigrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled { name } => {
                write!(f, "the cluster has no CustomResourceDefinition {name}; install it first")
            }
            Self::NotServed { name } => {
                write!(f, "{name} serves no version, so no object can be read; serve one")
            }
            Self::Objects { name, report } => {
                let [objects, failed] = [report.objects, report.failed];
                write!(f, "{failed} of {objects} objects of {name} can't be rewritten")?;
                if let Some(first) = report.failures.first() {
                    write!(f, ", the first of them {}: {}", first.object, first.reason)?;
                }
                for (cause, count) in &report.causes {
                    let which = match report.causes.len() {
                        1 => "them".to_owned(),
                        _ => format!("{count} of them"),
                    };
                    match cause {
                        Cause::Object => write!(f, "; fix or delete {which}")?,
                        Cause::Webhook => write!(f, "; {WEBHOOK}: nothing is wrong with {which}")?,
                        Cause::Other => write!(f, "; find the reason for {which}")?,
                    }
                }
                f.write_str(", and run this again")
            }
            Self::Changed { name } => write!(
                f,
                "somebody changed {name} in the meantime, so objects may be stored in another version; run this again"
            ),
            Self::Client { doing, name, error } => {
                write!(f, "can't {doing} {name}: {}", said(error))?;
                if is_unreachable(error) {
                    write!(f, "; {WEBHOOK}, and run this again")?;
                } else if is_of_no_version(error) {
                    write!(
                        f,
                        "; objects are stored in a version that {name} doesn't have any more: reinstall the last release that has it, the binary \
                         first, and run its `migrate`"
                    )?;
                }
                Ok(())
            }
        }
    }
}

/// Whether an object can't be read because it is stored in a version that no longer exists.
///
/// Source: `crConverter.Convert` in `k8s.io/apiextensions-apiserver/pkg/apiserver/conversion/converter.go`.
fn is_of_no_version(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if status.message.contains("from an invalid group/version"))
}

impl std::error::Error for MigrationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client { error, .. } => Some(error),
            _ => None,
        }
    }
}
