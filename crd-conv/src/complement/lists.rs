//! The part of an annotation about the lists without map keys that contain its entries.

use super::digest::ListDigest;
use super::locator::{Locator, read_locators, write_at};
use crate::json::{Scanner, SyntaxError, quote};

/// Appends the lists, each with its locators, as a member of an annotation. Appends nothing if
/// there are no lists.
pub(crate) fn write_lists<'a>(
    lists: impl Iterator<Item = (&'a [Locator], &'a ListDigest)>,
    out: &mut String,
) {
    let mut open = false;
    for (at, digest) in lists {
        out.push_str(if open { ",{" } else { ",\"lists\":[{" });
        open = true;
        write_at(at, out);
        out.push_str(",\"items\":");
        let mut items = String::new();
        digest.write(&mut items);
        quote(&items, out);
        out.push('}');
    }
    if open {
        out.push(']');
    }
}

/// Reads the lists from an annotation's member. Leaves out a list that no release writes. The
/// effect is the same as for a list that isn't recorded.
pub(crate) fn read_lists(text: &str) -> Vec<(Vec<Locator>, ListDigest)> {
    let mut lists = Vec::new();
    // The lists before a mistake count.
    let _ = read_all(&mut Scanner::new(text), &mut lists);
    lists
}

fn read_all(
    scanner: &mut Scanner<'_>,
    lists: &mut Vec<(Vec<Locator>, ListDigest)>,
) -> Result<(), SyntaxError> {
    scanner.enter_array()?;
    let mut first = true;
    while scanner.next_element(std::mem::take(&mut first))? {
        let (mut at, mut digest) = (Vec::new(), None);
        scanner.enter_object()?;
        let mut first = true;
        while let Some(key) = scanner.next_member(std::mem::take(&mut first))? {
            match key.raw(scanner.text()) {
                "at" => at = read_locators(scanner)?,
                "items" if scanner.peek() == b'"' => {
                    let items = scanner.string()?;
                    digest = ListDigest::read(&items.decoded(scanner.text()));
                }
                _ => scanner.skip_value()?,
            }
        }
        lists.extend(digest.map(|digest| (at, digest)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_back() {
        let at = [Locator::Key("a".to_owned()), Locator::Keys(r#"["x"]"#.to_owned())];
        let [one, two] =
            ["AAAA", "BBBBccc.ddd CCCC"].map(|text| ListDigest::read(text).expect("a list"));
        let mut out = String::new();
        write_lists([(&at[..], &one), (&[][..], &two)].into_iter(), &mut out);
        let text = r#"[{"at":["a",["x"]],"items":"AAAA"},{"at":[],"items":"BBBBccc.ddd CCCC"}]"#;
        assert_eq!(out, format!(",\"lists\":{text}"));
        assert_eq!(read_lists(text), [(at.to_vec(), one), (Vec::new(), two)]);

        let mut out = String::new();
        write_lists(std::iter::empty(), &mut out);
        assert_eq!(out, "");
    }

    #[test]
    fn what_no_release_writes_is_left_out() {
        for text in [
            "null",
            "{}",
            "[null]",
            "[{}]",
            r#"[{"at":7,"items":"AAAA"}]"#,
            r#"[{"at":[],"items":["AAAA"]}]"#,
            r#"[{"at":[],"items":"A"}]"#,
        ] {
            assert_eq!(read_lists(text), [], "{text}");
        }
        assert_eq!(read_lists(r#"[{"more":{},"items":"AAAA"},7]"#).len(), 1);
    }
}
