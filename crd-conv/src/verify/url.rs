//! URLs, as Go's `net/url` parses them.

/// What the server asks about.
pub(super) struct Url<'a> {
    pub(super) scheme: String,
    pub(super) host: &'a str,
    pub(super) user: Option<&'a str>,
    pub(super) query: &'a str,
    pub(super) fragment: &'a str,
}

/// Parses a URL, or says why it isn't one.
pub(super) fn parse(text: &str) -> Result<Url<'_>, String> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    if let Some(c) = text.chars().find(char::is_ascii_control) {
        return Err(format!("it has the control character {c:?}"));
    }
    let (scheme, rest) = scheme(text)?;
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut url =
        Url { scheme: scheme.to_ascii_lowercase(), host: "", user: None, query, fragment };
    escapes(fragment)?;
    if !rest.starts_with('/') {
        if url.scheme.is_empty() && rest.split('/').next().is_some_and(|part| part.contains(':')) {
            return Err("its first segment has a `:`".to_owned());
        }
        if url.scheme.is_empty() {
            escapes(rest)?;
        }
        return Ok(url);
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) if !url.scheme.is_empty() || !rest.starts_with('/') => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (authority, path) = rest.split_at(end);
            let (user, host) = match authority.rsplit_once('@') {
                Some((user, host)) => (Some(user), host),
                None => (None, authority),
            };
            check_host(host)?;
            (url.user, url.host) = (user, host);
            path
        }
        _ => rest,
    };
    escapes(path)?;
    Ok(url)
}

/// Whether a text is a URL with a scheme and a host.
pub(super) fn names_host(text: &str) -> bool {
    // Go parses this one as the first line of a request, which has no fragment.
    !text.contains('#')
        && parse(text).is_ok_and(|url| !url.scheme.is_empty() && !url.host.is_empty())
}

fn scheme(text: &str) -> Result<(&str, &str), String> {
    for (i, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if i > 0 => {}
            ':' if i == 0 => return Err("it has no scheme before the `:`".to_owned()),
            ':' => return Ok((&text[..i], &text[i + 1..])),
            _ => break,
        }
    }
    Ok(("", text))
}

fn check_host(host: &str) -> Result<(), String> {
    let port = if let Some(inner) = host.strip_prefix('[') {
        let (address, port) =
            inner.rsplit_once(']').ok_or_else(|| "its host has a `[` without `]`".to_owned())?;
        let address = address.split_once("%25").map_or(address, |(address, _)| address);
        if address.parse::<std::net::Ipv6Addr>().is_err() {
            return Err(format!("its host `{address}` isn't an IPv6 address"));
        }
        port
    } else {
        let at = host.find(':').unwrap_or(host.len());
        let allowed = |c: char| {
            !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:<>\"".contains(c)
        };
        if let Some(c) = host.chars().find(|c| !allowed(*c)) {
            return Err(format!("its host has the character {c:?}"));
        }
        &host[at..]
    };
    match port.strip_prefix(':') {
        Some(port) if !port.bytes().all(|b| b.is_ascii_digit()) => {
            Err(format!("its port `{port}` isn't a number"))
        }
        None if !port.is_empty() => Err(format!("`{port}` stands behind its host")),
        _ => Ok(()),
    }
}

/// Each `%` stands before two hexadecimal digits.
fn escapes(text: &str) -> Result<(), String> {
    for rest in text.split('%').skip(1) {
        if rest.len() < 2 || !rest.bytes().take(2).all(|b| b.is_ascii_hexdigit()) {
            return Err("it has a `%` without two hexadecimal digits".to_owned());
        }
    }
    Ok(())
}
