//! Tables of text, for a terminal.

/// Rows of cells. The first row has the titles.
#[derive(Default)]
pub(crate) struct Table(Vec<Vec<String>>);

impl Table {
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.0.push(row.into_iter().map(Into::into).collect());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let width = |text: &str| text.chars().count();
        let columns = self.0.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns)
            .map(|column| self.0.iter().map(|row| width(&row[column])).max().unwrap_or_default())
            .collect();
        let line = |row: &[String]| {
            let mut line = String::new();
            for (text, wanted) in row.iter().zip(&widths) {
                line += "  ";
                line += text;
                line.extend(std::iter::repeat_n(' ', wanted - width(text)));
            }
            line.truncate(line.trim_end().len());
            line
        };
        let mut lines: Vec<_> = self.0.iter().map(|row| line(row)).collect();
        let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        lines.insert(1, line(&rule));
        lines
    }
}
