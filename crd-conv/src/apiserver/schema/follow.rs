//! Paths to fields: `.a.b`, and `['a']` where the server accepts it.

use super::Schema;

/// Returns a path's names and the schema that it leads to, or the reason why it leads nowhere.
///
/// Source: `ValidFieldPath` of `pkg/apiserver/schema/cel/validation.go`.
pub(crate) fn follow<'a>(
    path: &str,
    schema: &'a Schema,
    brackets: bool,
) -> Result<(Vec<String>, &'a Schema), String> {
    let mut names = Vec::new();
    let mut schema = schema;
    let mut tokens = Tokens(path);
    while let Some(token) = tokens.next() {
        let name = match token {
            "." => tokens.next().ok_or("ends too early")?.to_owned(),
            "[" if brackets => {
                let quoted = tokens.next().ok_or("ends too early")?;
                let inner =
                    quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).ok_or_else(
                        || format!("has `{quoted}` where a name in single quotes belongs"),
                    )?;
                let name = unescape(inner)?;
                if tokens.next() != Some("]") {
                    return Err("has a `[` without `]`".to_owned());
                }
                name
            }
            "[" => return Err("has a `[`, which isn't allowed here".to_owned()),
            other => return Err(format!("has `{other}` where a `.` belongs")),
        };
        let next = if schema.properties.is_empty() {
            schema.additional_properties.as_deref()
        } else {
            schema.properties.get(&name)
        };
        schema =
            next.ok_or_else(|| format!("leads to `{name}`, which the schema doesn't declare"))?;
        names.push(name);
    }
    Ok((names, schema))
}

struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0;
        let bytes = text.as_bytes();
        let first = *bytes.first()?;
        let len = if first == b'\'' {
            (1..bytes.len())
                .find(|i| bytes[*i] == b'\'' && bytes[i - 1] != b'\\')
                .map_or(bytes.len(), |end| end + 1)
        } else if matches!(first, b'.' | b'[' | b']') {
            1
        } else {
            text.find(['.', '[', ']']).unwrap_or(text.len())
        };
        let (token, rest) = text.split_at(len);
        self.0 = rest;
        Some(token)
    }
}

fn unescape(text: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('v') => out.push('\u{b}'),
            Some(c @ ('\'' | '\\')) => out.push(c),
            Some('\n') => out.push_str("\\\n"),
            Some(c) => return Err(format!("has the unknown escape `\\{c}`")),
            None => out.push('\\'),
        }
    }
    Ok(out)
}
