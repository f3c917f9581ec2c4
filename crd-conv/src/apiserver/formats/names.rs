//! Names of hosts, objects and people.

use crate::apiserver::dns;
use crate::apiserver::pattern::matches;

const HOSTNAME: &str = r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$";

pub(super) fn is_hostname(text: &str) -> bool {
    text.len() <= 255 && text.split('.').all(|part| part.len() <= 63) && matches(HOSTNAME, text)
}

pub(super) fn is_short_name(text: &str) -> bool {
    dns::is_dns_label(text)
}

pub(super) fn is_long_name(text: &str) -> bool {
    dns::is_subdomain(text)
}

/// An address as in a mail, perhaps with a name. Only plain ones are known here.
pub(super) fn is_email(text: &str) -> Option<bool> {
    let is_atom = |text: &str| !text.is_empty() && text.chars().all(is_atom_character);
    let is_dotted = |text: &str| text.split('.').all(is_atom);
    if text.chars().all(|c| is_atom_character(c) || matches!(c, '.' | '@')) {
        return Some(
            text.split_once('@')
                .is_some_and(|(local, domain)| is_dotted(local) && is_dotted(domain)),
        );
    }
    (!text.contains('@')).then_some(false)
}

fn is_atom_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)
}
