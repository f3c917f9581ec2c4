//! Finds where strings, escapes and white space end.

use wide::u8x16;

/// The byte at a position, or 0 at the end. A 0 isn't valid JSON, so the two cases need no
/// distinction.
#[inline]
pub(super) fn byte_at(bytes: &[u8], pos: usize) -> u8 {
    bytes.get(pos).copied().unwrap_or(0)
}

/// The first position from `pos` on without white space.
#[inline]
pub(super) fn skip_space(bytes: &[u8], mut pos: usize) -> usize {
    while matches!(byte_at(bytes, pos), b' ' | b'\n' | b'\r' | b'\t') {
        pos += 1;
    }
    pos
}

/// The position after the closing quote of the string whose content starts at `pos`. `None` if the
/// string is broken.
#[inline]
pub(super) fn skip_string(bytes: &[u8], pos: usize) -> Option<usize> {
    let end = short_string_end(bytes, pos).or_else(|| string_end(bytes, pos).map(|(end, _)| end));
    Some(end? + 1)
}

/// The end of a string with less than 16 bytes and no escapes, as most strings are.
#[inline]
pub(super) fn short_string_end(bytes: &[u8], pos: usize) -> Option<usize> {
    let chunk = Chunk::new(*bytes.get(pos..)?.first_chunk::<16>()?);
    let quotes = chunk.quotes();
    let found = quotes | chunk.others();
    // Whether the first match is a quote.
    (quotes & found & found.wrapping_neg() != 0).then(|| pos + found.trailing_zeros() as usize)
}

/// The end of the string whose content starts at `pos`, and whether it has escapes. `None` if the
/// string is broken.
#[inline]
pub(super) fn string_end(bytes: &[u8], mut pos: usize) -> Option<(usize, bool)> {
    let mut escaped = false;
    loop {
        pos = plain_run(bytes, pos);
        match bytes.get(pos)? {
            b'"' => return Some((pos, escaped)),
            b'\\' => {
                escaped = true;
                pos = escape_end(bytes, pos)?;
            }
            _ => return None,
        }
    }
}

/// The end of the escape whose backslash is here. `None` if it isn't a valid escape.
pub(super) fn escape_end(bytes: &[u8], pos: usize) -> Option<usize> {
    match bytes.get(pos + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(pos + 2),
        b'u' => bytes.get(pos + 2..pos + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(pos + 6),
        _ => None,
    }
}

/// The first position from `pos` on that has a quote, a backslash or a control character, or is the
/// end.
#[inline]
pub(super) fn plain_run(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(chunk) = bytes.get(pos..).and_then(|rest| rest.first_chunk::<16>()) {
        let chunk = Chunk::new(*chunk);
        let found = chunk.quotes() | chunk.others();
        if found != 0 {
            return pos + found.trailing_zeros() as usize;
        }
        pos += 16;
    }
    while let Some(&byte) = bytes.get(pos) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            break;
        }
        pos += 1;
    }
    pos
}

/// 16 bytes of a string. In a result, each set bit represents a matching byte. The lowest bit is
/// the first byte.
#[derive(Clone, Copy)]
struct Chunk(u8x16);

impl Chunk {
    #[inline]
    fn new(bytes: [u8; 16]) -> Self {
        Self(u8x16::new(bytes))
    }

    #[inline]
    fn quotes(self) -> u32 {
        self.0.simd_eq(u8x16::splat(b'"')).to_bitmask()
    }

    /// The backslashes and control characters.
    #[inline]
    fn others(self) -> u32 {
        let control = self.0.min(u8x16::splat(0x1F)).simd_eq(self.0);
        (self.0.simd_eq(u8x16::splat(b'\\')) | control).to_bitmask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_byte_is_found_at_every_place() {
        for special in [b'"', b'\\', 0, 0x1F] {
            for place in 0..40 {
                let mut bytes = vec![b'x'; 40];
                bytes[place] = special;
                assert_eq!(plain_run(&bytes, 0), place);
            }
        }
        let plain: Vec<u8> = (0x20..=0xFF).filter(|byte| !b"\"\\".contains(byte)).collect();
        assert_eq!(plain_run(&plain, 0), plain.len());
    }
}
