//! Numbers and colours, written as text.

use crate::apiserver::pattern::matches;

const BASE64: &str =
    "^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=|[A-Za-z0-9+\\/]{4})$";
const CREDIT_CARD: &str = "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$";
const HEX_COLOR: &str = "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$";
const ISBN10: &str = "^(?:[0-9]{9}X|[0-9]{10})$";
const ISBN13: &str = "^(?:[0-9]{13})$";
const RGB_COLOR: &str = "^rgb\\(\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*\\)$";
const SSN: &str = "^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$";
const UUID: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
const UUID3: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
const UUID4: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$";
const UUID5: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$";

/// Not empty.
pub(super) fn is_base64(text: &str) -> bool {
    matches(BASE64, text)
}

/// With anything between the digits.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = digits
        .chars()
        .rev()
        .filter_map(|c| c.to_digit(10))
        .enumerate()
        .map(|(i, digit)| if i % 2 == 1 { doubled(digit) } else { digit })
        .sum();
    matches(CREDIT_CARD, &digits) && sum.is_multiple_of(10)
}

pub(super) fn is_hex_color(text: &str) -> bool {
    matches(HEX_COLOR, text)
}

pub(super) fn is_isbn10(text: &str) -> bool {
    let text = without_separators(text);
    let digit = |c: char| if c == 'X' { 10 } else { c.to_digit(10).unwrap_or_default() };
    matches(ISBN10, &text)
        && (1..).zip(text.chars().map(digit)).map(|(i, d)| i * d).sum::<u32>() % 11 == 0
}

pub(super) fn is_isbn13(text: &str) -> bool {
    let text = without_separators(text);
    let digits = text.chars().filter_map(|c| c.to_digit(10));
    let sum: u32 = digits.enumerate().map(|(i, d)| if i % 2 == 1 { 3 * d } else { d }).sum();
    matches(ISBN13, &text) && sum.is_multiple_of(10)
}

fn without_separators(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ' | '-')).collect()
}

pub(super) fn is_rgb_color(text: &str) -> bool {
    matches(RGB_COLOR, text)
}

/// The server counts to 11, so both separators have to be there.
pub(super) fn is_ssn(text: &str) -> bool {
    text.len() == 11 && matches(SSN, text)
}

/// Upper case or lower, with or without the dashes.
pub(super) fn is_uuid(text: &str, version: Option<char>) -> bool {
    let pattern = match version {
        Some('3') => UUID3,
        Some('4') => UUID4,
        Some('5') => UUID5,
        _ => UUID,
    };
    matches(pattern, text)
}
