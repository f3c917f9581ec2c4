//! Links and headings of a page.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

/// A link or an image.
#[derive(Debug)]
pub struct Link {
    /// The target, as the page writes it.
    pub to: String,
    /// The bytes of the whole link.
    pub range: Range<usize>,
    /// Whether the link has no target, so that rustdoc reads the text in brackets as a path.
    pub is_path: bool,
    kind: LinkType,
}

impl Link {
    /// Returns the change that makes the link lead elsewhere.
    pub fn redirected(&self, text: &str, to: &str) -> Edit {
        let Range { start, end } = self.range.clone();
        let whole = &text[start..end];
        let at = match self.kind {
            LinkType::Inline => {
                let at = start + whole.rfind(&self.to).unwrap_or(whole.len());
                return (at..at + self.to.len(), to.to_owned());
            }
            LinkType::Autolink | LinkType::Email => {
                return (start..end, format!("[{}]({to})", self.to));
            }
            LinkType::Reference | LinkType::ReferenceUnknown => {
                start + whole.rfind('[').unwrap_or(whole.len())
            }
            // The brackets without a text may be outside of the range.
            LinkType::Collapsed | LinkType::CollapsedUnknown if !whole.ends_with("[]") => {
                return (end..end + "[]".len(), format!("({to})"));
            }
            LinkType::Collapsed | LinkType::CollapsedUnknown => end - "[]".len(),
            LinkType::Shortcut | LinkType::ShortcutUnknown | LinkType::WikiLink { .. } => end,
        };
        (at..end, format!("({to})"))
    }
}

/// The title of such a link, which isn't shown.
const PATH: &str = "a path of Rust";

/// Returns the links of a page. A text in brackets alone is a link if rustdoc would read it as a
/// path: a word in backquotes.
pub fn links(text: &str) -> Vec<Link> {
    let shortcut = |link: BrokenLink<'_>| {
        let path = link.reference.strip_prefix('`')?.strip_suffix('`')?;
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '!' | '@');
        let path = path.chars().all(is_path).then(|| path.to_owned())?;
        Some((CowStr::from(path), CowStr::from(PATH)))
    };
    let parser = Parser::new_with_broken_link_callback(
        text,
        pulldown_cmark::Options::empty(),
        Some(shortcut),
    );
    parser
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(
                Tag::Link { link_type: kind, dest_url, title, .. }
                | Tag::Image { link_type: kind, dest_url, title, .. },
            ) => Some(Link { to: dest_url.into_string(), range, is_path: &*title == PATH, kind }),
            _ => None,
        })
        .collect()
}

/// Returns the anchors of a page's headings, as GitHub, rustdoc and mdBook make them from the
/// texts.
fn anchors(text: &str) -> Vec<String> {
    let (mut anchors, mut heading) = (Vec::new(), None);
    for event in Parser::new(text) {
        match (event, &mut heading) {
            (Event::Start(Tag::Heading { .. }), _) => heading = Some(String::new()),
            (Event::End(TagEnd::Heading(_)), _) => anchors.extend(heading.take()),
            (Event::Text(part) | Event::Code(part), Some(text)) => text.push_str(&part),
            _ => {}
        }
    }
    let anchor = |text: String| -> String {
        let text = text.to_lowercase();
        let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    anchors.into_iter().map(anchor).collect()
}

/// Checks whether a page has a heading.
///
/// # Errors
///
/// Returns the headings that it has.
pub fn has_anchor(text: &str, anchor: Option<&str>) -> Result<(), String> {
    let known = anchors(text);
    match anchor {
        Some(anchor) if known.iter().all(|known| known != anchor) => {
            Err(format!("its headings are {known:?}"))
        }
        _ => Ok(()),
    }
}

/// A change of a text.
pub type Edit = (Range<usize>, String);

/// Applies changes that don't overlap.
pub fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let (mut edited, mut done) = (String::new(), 0);
    for (range, new) in edits {
        edited.push_str(&text[done..range.start]);
        edited.push_str(&new);
        done = range.end;
    }
    edited + &text[done..]
}

/// Makes each heading one level deeper, below the page's title.
pub fn deeper(text: &str) -> Vec<Edit> {
    Parser::new(text)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::Heading { .. }) => Some((range.start..range.start, "#".to_owned())),
            _ => None,
        })
        .collect()
}

/// Names the language of each code block that is Rust only because rustdoc reads it as Rust.
pub fn rust(text: &str) -> Vec<Edit> {
    const RUSTDOC: [&str; 4] = ["ignore", "no_run", "compile_fail", "should_panic"];
    Parser::new(text)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info)))
                if info.is_empty() || RUSTDOC.iter().any(|word| info.starts_with(word)) =>
            {
                let fence = range.start + text[range].find(|c| c != '`' && c != '~')?;
                let comma = if info.is_empty() { "" } else { "," };
                Some((fence..fence, format!("rust{comma}")))
            }
            _ => None,
        })
        .collect()
}
