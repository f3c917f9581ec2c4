//! Packs long annotations.

use std::io::{Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};

/// How many times longer than its packed form a text may be. So all annotations of an object
/// together unpack to at most this many times the API server's limit, whoever wrote them.
const MAX_RATIO: usize = 32;

/// A limit below the longest comment in a gzip header that the decoder reads.
const MAX_COMMENT: usize = 48 << 10;

/// Packs a text, given in two pieces, with gzip and base64, so that people can unpack it with
/// common tools. Returns `None` if it couldn't be unpacked.
pub(super) fn pack(text: [&str; 2]) -> Option<String> {
    let packed = gzip(text, 0)?;
    let least = text.map(str::len).iter().sum::<usize>().div_ceil(MAX_RATIO);
    if packed.len() >= least {
        return Some(packed);
    }
    // Base64 has four letters for three bytes. A comment fills up the missing length.
    let missing = (least - packed.len()).div_ceil(4) * 3;
    (missing <= MAX_COMMENT).then(|| gzip(text, missing))?
}

fn gzip(text: [&str; 2], comment: usize) -> Option<String> {
    let builder = GzBuilder::new();
    let builder = if comment > 0 { builder.comment(vec![b' '; comment]) } else { builder };
    let mut encoder = builder.write(Vec::new(), Compression::default());
    // Writing to memory can't fail.
    text.iter().try_for_each(|piece| encoder.write_all(piece.as_bytes())).ok()?;
    Some(STANDARD.encode(encoder.finish().ok()?))
}

/// Unpacks a text. Returns `None` if the text isn't packed.
pub(crate) fn unpack(packed: &str) -> Option<String> {
    let compressed = STANDARD.decode(packed).ok()?;
    let mut rest = &compressed[..];
    let most = packed.len() * MAX_RATIO;
    let mut text = String::new();
    // One more byte shows that the text is too long. At the end, the decoder compares the checksum.
    GzDecoder::new(&mut rest).take(most as u64 + 1).read_to_string(&mut text).ok()?;
    (text.len() <= most && rest.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that packs about as well as typical entries.
    fn text(items: usize) -> String {
        let item =
            |at: usize| format!("{{\"at\":[[\"port-{at}\"]],\"keep\":{{\"weight\":{}}}}}", at % 7);
        (0..items).map(item).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn what_is_packed_comes_back() {
        for items in [200, 2_000, 20_000] {
            let text = text(items);
            let packed = pack(["", &text]).expect("shorter");
            assert!(packed.len() < text.len() / 4, "{} of {}", packed.len(), text.len());
            assert_eq!(unpack(&packed).as_deref(), Some(&*text));
        }
    }

    /// Golden value: every later release must read this text, which another gzip wrote.
    #[test]
    fn what_other_tools_packed_is_unpacked() {
        let packed = "H4sIAAAAAAAC/6tWyk5NLVCyqlbKyy9JLVayUkpUKEhMT1XIT1MAi+goEBJQqq0FAFvNpxBGAAAA";
        let expected = r#"{"keep":{"notes":"a page of notes, a page of notes, a page of notes"}}"#;
        assert_eq!(unpack(packed).as_deref(), Some(expected));
    }

    /// Replicas with different releases should write the same bytes. This test shows if another
    /// release of the compressor doesn't.
    #[test]
    fn the_same_text_is_packed_into_the_same_bytes() {
        let packed = pack(["", &text(1_000)]).unwrap();
        assert_eq!(
            (packed.len(), super::super::hash(packed.as_bytes())),
            (3848, 16_970_010_415_328_712_850)
        );
    }

    #[test]
    fn what_packs_too_well_is_made_longer() {
        for length in [200, 10_000, 300_000, 1_000_000, 1_500_000] {
            let text = "x".repeat(length);
            let packed = pack(["", &text]).expect("packed");
            assert!(
                packed.len() <= length.div_ceil(MAX_RATIO) + 50,
                "{} of {length}",
                packed.len()
            );
            assert_eq!(unpack(&packed).as_deref(), Some(&*text));
        }
        assert_eq!(pack(["", &"x".repeat(10_000_000)]), None);
    }

    #[test]
    fn bombs_and_nonsense_are_not_unpacked() {
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::best());
        encoder.write_all(&vec![b' '; 100 << 20]).unwrap();
        let bomb = encoder.finish().unwrap();
        assert_eq!(unpack(&STANDARD.encode(&bomb)), None);

        let packed = pack(["", &text(100)]).unwrap();
        let bytes = STANDARD.decode(&packed).unwrap();
        for cut in [0, 1, 10, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(unpack(&STANDARD.encode(&bytes[..cut])), None, "{cut}");
        }
        for at in [0, 20, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(unpack(&STANDARD.encode(&damaged)), None, "{at}");
        }
        let twice = [&bytes[..], &bytes].concat();
        assert_eq!(unpack(&STANDARD.encode(twice)), None);
        for text in ["", "=", "%", "AAAA", packed.trim_end_matches('=').get(1..).unwrap()] {
            assert_eq!(unpack(text), None, "{text}");
        }
    }
}
