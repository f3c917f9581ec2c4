//! `convert --in-place` on random files: what isn't converted stays as it is written.

use std::fs;

use crd_conv::{
    ResourceType,
    cli::{Cli, Streams},
    testing::Tree,
    yaml,
};
use crd_conv_tests::{
    draw::{Stray, object},
    nest, rack,
};
use proptest::prelude::*;

/// Writes an object as a person might do, with comments at every place.
struct Hand<'c> {
    choices: std::iter::Cycle<std::slice::Iter<'c, u32>>,
    lines: Vec<Line>,
    comments: usize,
}

/// A line, and the way to the value that it shows.
struct Line {
    text: String,
    way: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Item(usize),
}

impl<'c> Hand<'c> {
    fn new(choices: &'c [u32]) -> Self {
        Self { choices: choices.iter().cycle(), lines: Vec::new(), comments: 0 }
    }

    /// Returns a number below a limit.
    fn below(&mut self, limit: usize) -> usize {
        self.choices.next().map_or(0, |choice| *choice as usize % limit)
    }

    fn rarely(&mut self) -> bool {
        self.below(6) == 1
    }

    fn spaces(&mut self) -> String {
        " ".repeat(if self.rarely() { 3 } else { 1 })
    }

    /// A comment that is there only once.
    fn comment(&mut self) -> String {
        self.comments += 1;
        format!("#{} comment {}: 'x' \"", " ".repeat(self.comments % 2), self.comments)
    }

    /// A comment at the end of a line, or nothing.
    fn trailing(&mut self) -> String {
        if self.rarely() { format!("{}{}", self.spaces(), self.comment()) } else { String::new() }
    }

    fn line(&mut self, text: String, way: &[Step]) {
        self.lines.push(Line { text, way: way.to_vec() });
    }

    /// What may be before a member or an item.
    fn above(&mut self, indent: usize) {
        if self.rarely() {
            self.line(String::new(), &[]);
        }
        if self.rarely() {
            let comment = self.comment();
            self.line(format!("{}{comment}", " ".repeat(indent)), &[]);
        }
    }

    /// Writes what comes after `before`, which has its end at the column `indent` if the value may
    /// begin there.
    fn value(&mut self, before: &str, indent: usize, is_item: bool, value: &Tree, way: &[Step]) {
        let is_flow = self.rarely();
        match value {
            Tree::Object(members) if !members.is_empty() && !is_flow => {
                let begins_here = is_item && !self.rarely();
                let inner = if begins_here { indent } else { self.inner(before) };
                if !begins_here {
                    let trailing = self.trailing();
                    self.line(format!("{}{trailing}", before.trim_end()), way);
                }
                let mut before = begins_here.then(|| before.to_owned());
                for (name, value) in members {
                    if before.is_none() {
                        self.above(inner);
                    }
                    let start = before.take().unwrap_or_else(|| " ".repeat(inner));
                    let way = [way, &[Step::Key(name.clone())]].concat();
                    let key = self.scalar(&Tree::Text(name.clone()));
                    let start = format!("{start}{key}:{}", self.spaces());
                    self.value(&start, inner, false, value, &way);
                }
            }
            Tree::List(items) if !items.is_empty() && !is_flow => {
                let begins_here = is_item && !self.rarely();
                let mut inner = if begins_here { indent } else { self.inner(before) };
                if !begins_here {
                    if !is_item && self.below(2) == 0 {
                        inner = indent;
                    }
                    let trailing = self.trailing();
                    self.line(format!("{}{trailing}", before.trim_end()), way);
                }
                let mut before = begins_here.then(|| before.to_owned());
                for (place, item) in items.iter().enumerate() {
                    if before.is_none() {
                        self.above(inner);
                    }
                    let start = before.take().unwrap_or_else(|| " ".repeat(inner));
                    let way = [way, &[Step::Item(place)]].concat();
                    let start = format!("{start}-{}", self.spaces());
                    let column = start.chars().count();
                    self.value(&start, column, true, item, &way);
                }
            }
            _ => {
                let (text, trailing) = (self.flow(value), self.trailing());
                self.line(format!("{before}{text}{trailing}"), way);
            }
        }
    }

    /// The column of what is inside of a line's value, on lines of its own.
    fn inner(&mut self, line: &str) -> usize {
        let start = line.chars().take_while(|char| matches!(char, ' ' | '-')).count();
        start + 1 + self.below(4)
    }

    /// A value on one line.
    fn flow(&mut self, value: &Tree) -> String {
        let space = if self.rarely() { " " } else { "" };
        let comma = format!(",{}", self.spaces());
        match value {
            Tree::Object(members) => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(name, value)| {
                        let name = serde_json::Value::from(&**name);
                        format!("{name}: {}", self.flow(value))
                    })
                    .collect();
                format!("{{{space}{}{space}}}", members.join(&comma))
            }
            Tree::List(items) => {
                let items: Vec<_> = items.iter().map(|item| self.flow(item)).collect();
                format!("[{space}{}{space}]", items.join(&comma))
            }
            _ => self.scalar(value),
        }
    }

    fn scalar(&mut self, value: &Tree) -> String {
        let Tree::Text(text) = value else { return value.write() };
        let is_simple = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        match self.below(3) {
            0 if is_simple => format!("'{}'", text.replace('\'', "''")),
            1 if text.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                yaml::to_string(text).unwrap().trim_end().to_owned()
            }
            _ => serde_json::Value::from(&**text).to_string(),
        }
    }
}

fn at<'t>(tree: &'t Tree, way: &[Step]) -> Option<&'t Tree> {
    way.iter().try_fold(tree, |tree, step| match (tree, step) {
        (Tree::Object(members), Step::Key(name)) => members.get(name),
        (Tree::List(items), Step::Item(place)) => items.get(*place),
        _ => None,
    })
}

/// Whether a value is at the same place in two trees, and no item around it may be another one.
fn stays(old: &Tree, new: &Tree, way: &[Step]) -> bool {
    (0..=way.len()).all(|length| match (at(old, &way[..length]), at(new, &way[..length])) {
        (Some(Tree::List(old)), Some(Tree::List(new))) => old.len() == new.len() && !old.is_empty(),
        (Some(Tree::Object(old)), Some(Tree::Object(new))) => !old.is_empty() && !new.is_empty(),
        (Some(old), Some(new)) => old == new,
        _ => false,
    })
}

/// Whether the value is written on one line.
fn is_whole(line: &Line, tree: &Tree) -> bool {
    let code = line.text.split('#').next().unwrap_or_default().trim_end();
    matches!(at(tree, &line.way), Some(Tree::Object(_) | Tree::List(_)))
        && !code.ends_with([':', '-'])
}

fn resources() -> [ResourceType; 2] {
    [ResourceType::of::<nest::Nest>(), ResourceType::of::<rack::Rack>()]
}

fn run(args: &[&str], stdin: &str) -> (u8, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut streams =
        Streams { stdin: &mut stdin.as_bytes(), stdout: &mut stdout, stderr: &mut stderr };
    let code =
        Cli::new(resources()).run_with(["operator", "convert"].iter().chain(args), &mut streams);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (code, text(stdout), text(stderr))
}

/// An unoptimized build takes half a second for each.
const CASES: u32 = 40;

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4_000, failure_persistence: None, ..ProptestConfig::with_cases(CASES) })]

    #[test]
    fn only_the_lines_of_what_changes_do(
        subject in prop::sample::select(vec![&nest::SUBJECT, &rack::SUBJECT]),
        (from, to) in (0..4_usize, 0..4_usize),
        drawn in prop::collection::vec(any::<u32>(), 0..80),
        choices in prop::collection::vec(any::<u32>(), 1..200),
        (is_dos, is_cut) in any::<(bool, bool)>(),
    ) {
        let object = object(subject, from, Stray::Harmless, &drawn);
        // Half a surrogate pair has no YAML.
        prop_assume!(yaml::from_json(&object).is_ok());
        let tree = Tree::read(&object);
        let mut hand = Hand::new(&choices);
        let Tree::Object(members) = &tree else { unreachable!("an object") };
        for (name, value) in members {
            hand.above(0);
            let way = [Step::Key(name.clone())];
            let key = hand.scalar(&Tree::Text(name.clone()));
            let start = format!("{key}:{}", hand.spaces());
            hand.value(&start, 0, false, value, &way);
        }
        let lines: Vec<_> = hand.lines.iter().map(|line| &*line.text).collect();
        let end = if is_dos { "\r\n" } else { "\n" };
        let other = ["---", "kind:   ConfigMap # other", "apiVersion: v1", "data: {a: 'b'}"];
        let mut text = ["# first", "---"].iter().chain(&lines).chain(&other).copied().collect::<Vec<_>>().join(end);
        if !is_cut {
            text += end;
        }
        let json = yaml::to_json(&text).unwrap_or_else(|error| panic!("invalid test case: {error}\n{text}"));
        prop_assert_eq!(Tree::read(&json[0]), tree.clone(), "invalid test case: {}", text);

        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.yaml");
        fs::write(&file, &text).unwrap();
        let version = nest::VERSIONS[to];
        let (code, stdout, stderr) =
            run(&["--to", version, "--in-place", file.to_str().unwrap()], "");
        let new = fs::read_to_string(&file).unwrap();
        prop_assert_eq!(&stdout, "");
        if code != 0 {
            prop_assert_eq!(&new, &text);
            for line in stderr.lines().filter(|line| line.starts_with("error: ")) {
                let is_loss = line.contains("the comment `#") && line.ends_with("` would be lost");
                prop_assert!(is_loss || line.starts_with("error: nothing is written"), "{line}\n{text}");
            }
            return Ok(());
        }
        let (_, expected, _) = run(&["--to", version, "--format", "json"], &text);
        let converted = expected.lines().map(Tree::read).collect::<Vec<_>>();
        let found = yaml::to_json(&new).unwrap().iter().map(|json| Tree::read(json)).collect::<Vec<_>>();
        prop_assert_eq!(&found, &converted, "{}\nbecame\n{}", text, new);

        let has_new_end = new.ends_with(end);
        prop_assert_eq!(has_new_end, !is_cut, "{}\nbecame\n{}", text, new);
        prop_assert!(!is_dos || new.matches('\n').count() == new.matches("\r\n").count(), "{new:?}");
        let same = |line: &&Line| {
            let is_comment = line.way.is_empty() && !line.text.is_empty();
            let is_same_value = !line.way.is_empty() && stays(&tree, &converted[0], &line.way)
                && (!is_whole(line, &tree) || at(&tree, &line.way) == at(&converted[0], &line.way));
            is_comment || is_same_value
        };
        let kept = hand.lines.iter().filter(same).map(|line| &*line.text);
        let mut rest = new.lines();
        for line in ["# first", "---"].into_iter().chain(kept).chain(other) {
            prop_assert!(rest.any(|other| other == line), "`{line}` is gone:\n{text}\nbecame\n{new}");
        }
    }
}
