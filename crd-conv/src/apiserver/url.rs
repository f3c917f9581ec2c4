//! URLs, as Go's `net/url` parses them.

/// What the server asks about.
pub(crate) struct Url<'a> {
    pub(crate) scheme: String,
    pub(crate) host: &'a str,
    pub(crate) user: Option<&'a str>,
    pub(crate) query: &'a str,
    pub(crate) fragment: &'a str,
}

/// Parses a URL, or says why it isn't one.
pub(crate) fn parse(text: &str) -> Result<Url<'_>, String> {
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
            check_host(&url.scheme, host)?;
            (url.user, url.host) = (user, host);
            path
        }
        _ => rest,
    };
    escapes(path)?;
    Ok(url)
}

/// Whether a text is a URL with a scheme and a host.
pub(crate) fn names_host(text: &str) -> bool {
    // Go parses this one as the first line of a request, which has no fragment.
    !text.contains('#')
        && parse(text).is_ok_and(|url| !url.scheme.is_empty() && !url.host.is_empty())
}

/// Whether a text is what stands in the first line of a request: an absolute URI or path. There is no fragment in it.
pub(crate) fn is_request_uri(text: &str) -> bool {
    if text.is_empty() || text.contains(|c: char| c.is_ascii_control()) {
        return false;
    }
    let Ok((scheme, rest)) = scheme(text) else { return false };
    let rest = rest.split_once('?').map_or(rest, |(rest, _)| rest);
    let path = match rest.strip_prefix("//") {
        _ if text == "*" || !scheme.is_empty() && !rest.starts_with('/') => return true,
        Some(rest) if !scheme.is_empty() => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
            let is_user = |c: char| c.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(c);
            let scheme = scheme.to_ascii_lowercase();
            if !user.chars().all(is_user)
                || escapes(user).is_err()
                || check_host(&scheme, host).is_err()
            {
                return false;
            }
            path
        }
        _ if rest.starts_with('/') => rest,
        _ => return false,
    };
    escapes(path).is_ok()
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

fn check_host(scheme: &str, host: &str) -> Result<(), String> {
    let port = if let Some(inner) = host.strip_prefix('[') {
        let (address, port) =
            inner.rsplit_once(']').ok_or_else(|| "its host has a `[` without `]`".to_owned())?;
        let address = match address.split_once("%25") {
            Some((address, zone)) if !zone.is_empty() => address,
            _ => address,
        };
        if address.parse::<std::net::Ipv6Addr>().is_err() {
            return Err(format!("its host `{address}` isn't an IPv6 address"));
        }
        port
    } else {
        // Lists of hosts with their ports are tolerated elsewhere.
        let strict = matches!(scheme, "http" | "https");
        let at = if strict { host.find(':') } else { host.rfind(':') };
        let allowed = |c: char| {
            !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:<>\"%]".contains(c)
        };
        if let Some(c) = host.chars().find(|c| !allowed(*c)) {
            return Err(format!("its host has the character {c:?}"));
        }
        escapes(host)?;
        for escape in host.split('%').skip(1) {
            if escape.starts_with(|c: char| ('0'..='7').contains(&c)) && !escape.starts_with("25") {
                return Err("its host has a `%` for a character of ASCII".to_owned());
            }
        }
        &host[at.unwrap_or(host.len())..]
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
