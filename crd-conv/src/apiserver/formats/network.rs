//! Addresses.

use std::net::Ipv6Addr;

use crate::apiserver::url;

/// Perhaps with zeros in front, and perhaps behind an address of IPv6.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.contains('.')
        && match text.find(['.', ':']) {
            Some(i) if text[i..].starts_with('.') => is_old_ipv4(text),
            _ => is_old_ipv6(text),
        }
}

pub(super) fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, mask)) = text.split_once('/') else { return false };
    let most = match (is_old_ipv4(address), is_old_ipv6(address)) {
        (true, _) => 32,
        (_, true) => 128,
        _ => return false,
    };
    decimal(mask).is_some_and(|mask| mask <= most)
}

/// As Go once read them, with zeros in front.
fn is_old_ipv4(text: &str) -> bool {
    let mut count = 0;
    text.split('.').all(|part| {
        count += 1;
        decimal(part).is_some_and(|part| part <= 255)
    }) && count == 4
}

fn decimal(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && *number < 0xff_ffff)
}

fn is_old_ipv6(text: &str) -> bool {
    let (head, tail) = match text.split_once("::") {
        Some((head, tail)) => (head, Some(tail)),
        None => (text, None),
    };
    // How many groups there are; an address of IPv4 at the end is two.
    let count = |part: &str, is_last: bool| -> Option<usize> {
        if part.is_empty() {
            return Some(0);
        }
        let groups: Vec<_> = part.split(':').collect();
        let (last, others) = groups.split_last()?;
        let is_group = |group: &&str| {
            let digits = group.trim_start_matches('0');
            !group.is_empty() && digits.len() <= 4 && group.bytes().all(|b| b.is_ascii_hexdigit())
        };
        let of_last = if is_last && is_old_ipv4(last) { 2 } else { usize::from(is_group(last)) };
        (others.iter().all(is_group) && of_last > 0).then_some(others.len() + of_last)
    };
    match (count(head, tail.is_none()), tail) {
        (Some(head), None) => head == 8,
        (Some(head), Some(tail)) => count(tail, true).is_some_and(|tail| head + tail < 8),
        (None, _) => false,
    }
}

/// In pairs with `:` or `-`, in fours with `.`, or at one.
pub(super) fn is_mac(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 12 {
        return false;
    }
    let (separator, size) = match (bytes[2], bytes[4]) {
        (separator @ (b':' | b'-'), _) => (Some(separator), 2),
        (_, b'.') => (Some(b'.'), 4),
        _ => (None, bytes.len()),
    };
    let groups: Vec<_> = match separator {
        Some(separator) => bytes.split(|b| *b == separator).collect(),
        None => vec![bytes],
    };
    let is_group = |group: &&[u8]| group.len() == size && group.iter().all(u8::is_ascii_hexdigit);
    groups.iter().all(is_group) && [12, 16, 40].contains(&(groups.len() * size))
}

/// An absolute URI or path, as in the first line of a request.
pub(super) fn is_request_uri(text: &str) -> bool {
    url::is_request_uri(text)
}
