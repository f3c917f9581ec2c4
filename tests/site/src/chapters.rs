//! The pages of the book, in the order in which they are read.

/// A page.
#[derive(Debug)]
pub struct Page {
    /// Its title in the book.
    pub title: &'static str,
    /// Its file in the repository.
    pub file: &'static str,
    /// Its name in Rust's documentation, without `crate::`. Empty if it isn't there.
    pub path: &'static str,
    /// Its file in the book, without the ending.
    pub name: &'static str,
}

/// Pages that a reader needs at the same time.
#[derive(Debug)]
pub struct Part {
    /// Its title. The first part has none.
    pub title: Option<&'static str>,
    /// Its pages.
    pub pages: &'static [Page],
}

/// A page of the guide, with the names of its file and of its module.
macro_rules! guide {
    ($title:literal, $name:literal) => {
        Page {
            title: $title,
            file: concat!("crd-conv/guide/", $name, ".md"),
            path: concat!("guide::", $name),
            name: $name,
        }
    };
}

const fn other(
    title: &'static str,
    file: &'static str,
    path: &'static str,
    name: &'static str,
) -> Page {
    Page { title, file, path, name }
}

/// The book.
pub const PARTS: &[Part] = &[
    Part { title: None, pages: &[other("crd-conv", "README.md", "", "introduction")] },
    Part {
        title: Some("Learn"),
        pages: &[
            guide!("Your first two versions", "start"),
            other("Playground", "tests/playground/page.md", "", "playground"),
            other("An operator, complete", "examples/operator/README.md", "", "operator"),
        ],
    },
    Part {
        title: Some("Do"),
        pages: &[
            guide!("From an existing CRD", "import"),
            guide!("Move an existing API to crd-conv", "coming"),
            other("Map fields that change", "crd-conv/guide/mappings.md", "with", "mappings"),
            guide!("Generate CRD YAML at build time", "generate"),
            guide!("Test a mapping", "testing"),
            guide!("Serve the webhook", "serve"),
            guide!("Ship a Helm chart", "helm"),
            guide!("Requests and limits", "capacity"),
            guide!("Add, migrate and remove versions", "migrate"),
            guide!("Use the versions in a controller", "operators"),
        ],
    },
    Part {
        title: Some("Look up"),
        pages: &[
            other("Attributes", "crd-conv-derive/attributes.md", "Versioned", "attributes"),
            other("Compiler messages", "crd-conv-derive/messages.md", "", "messages"),
            guide!("Schemas", "schema"),
            guide!("Check a CRD", "verify"),
            guide!("Compare two CRDs", "diff"),
            guide!("Kinds of change", "changes"),
            guide!("Check an object", "validation"),
            guide!("Questions", "questions"),
            guide!("Troubleshooting", "troubleshooting"),
            guide!("Glossary", "glossary"),
            guide!("Supported versions", "versions"),
        ],
    },
    Part {
        title: Some("Understand"),
        pages: &[
            guide!("Kept values", "carrier"),
            guide!("The life of an object", "life"),
            guide!("Design", "design"),
            guide!("Limitations", "limits"),
            guide!("Alternatives", "alternatives"),
            guide!("Five case studies", "cases"),
            guide!("Security", "security"),
        ],
    },
    Part {
        title: Some("Contribute"),
        pages: &[
            other("Contributing", "CONTRIBUTING.md", "", "contributing"),
            other("Architecture", "ARCHITECTURE.md", "", "architecture"),
            other("Changes", "CHANGELOG.md", "", "changelog"),
            other("Report a vulnerability", "SECURITY.md", "", "vulnerabilities"),
        ],
    },
];

/// All pages.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    PARTS.iter().flat_map(|part| part.pages)
}
