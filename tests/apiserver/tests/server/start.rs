//! The guide's first page, taken at its word: a new crate outside the workspace, up to a webhook that the server calls.

use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crd_conv_apiserver::{ApiServer, path_with_kubectl};

const PAGE: &str = include_str!("../../../../crd-conv/guide/start.md");
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crd-conv");

/// The blocks of a kind, as a reader sees them: without the lines that documentation hides.
fn blocks(kind: &str) -> Vec<String> {
    let parts = PAGE.split("\n```").collect::<Vec<_>>();
    let inside = parts.iter().skip(1).step_by(2);
    let of_kind = inside.filter_map(|block| block.split_once('\n'));
    let of_kind = of_kind.filter(|(info, _)| info.split(',').next() == Some(kind));
    let shown = |text: &str| {
        let lines = text.lines().filter(|line| kind != "rust" || !is_hidden(line));
        lines.fold(String::new(), |text, line| text + line + "\n")
    };
    of_kind.map(|(_, text)| shown(text)).collect()
}

fn is_hidden(line: &str) -> bool {
    line == "#" || line.starts_with("# ")
}

/// What `src/main.rs` is in the end: `v1` below `v1alpha1`, the enum in place of that with one version, the laws at the end.
fn program() -> String {
    const ENUM: &str = "#[derive(Versioned)]\n#[versioned(resource(";
    let [first, second, laws] = &blocks("rust")[..] else { panic!("three blocks") };
    let (types, rest) = first.split_once(ENUM).expect("an enum");
    let main = &rest[rest.find("fn main()").expect("a function")..];
    let (v1, both) = second.split_once(ENUM).expect("an enum");
    format!("{types}{v1}{ENUM}{both}\n{main}\n{laws}")
}

struct Terminal<'a> {
    folder: &'a Path,
    kubeconfig: &'a Path,
}

impl Terminal<'_> {
    /// A line as a reader types it; but nothing comes from the network, and the port is a free one.
    fn command(&self, line: &str, port: u16) -> Command {
        let line = line.replace("127.0.0.1:8443", &format!("127.0.0.1:{port}"));
        let line = line
            .replace("cargo add ", "cargo add --offline ")
            .replace("crd-conv --features", &format!("--path {PACKAGE} crd-conv --features"))
            .replace("cargo run ", "cargo run --offline ")
            .replace("cargo test", "cargo test --offline");
        let mut command = Command::new("sh");
        // What the tests have built is built, as far as it is the same.
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
        command
            .args(["-ec", &line])
            .current_dir(self.folder)
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("PATH", path_with_kubectl())
            .env("KUBECONFIG", self.kubeconfig);
        command
    }

    fn run(&self, line: &str, port: u16) -> String {
        let output = self.command(line, port).output().expect("a shell");
        let [out, error] =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(output.status.success(), "{line}\n{out}{error}");
        out
    }
}

/// Ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_page_works_as_it_is_written() {
    let server = ApiServer::start("");
    let folder = tempfile::tempdir().expect("a folder");
    let terminal = Terminal { folder: folder.path(), kubeconfig: server.kubeconfig() };
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let consoles = blocks("console");
    let [new, crd, explain, test, check, serve, install, both] = &consoles[..] else {
        panic!("{} blocks of commands", consoles.len())
    };
    let mut lines = new.lines();
    assert_eq!((lines.next(), lines.next()), (Some("cargo new sites"), Some("cd sites")));
    terminal.run("cargo new -q sites", port);
    let folder = folder.path().join("sites");
    // The versions that are here.
    std::fs::copy(Path::new(PACKAGE).join("../Cargo.lock"), folder.join("Cargo.lock"))
        .expect("copied");
    let terminal = Terminal { folder: &folder, ..terminal };
    lines.for_each(|line| drop(terminal.run(line, port)));

    let first = &blocks("rust")[0];
    std::fs::write(folder.join("src/main.rs"), first).expect("written");
    assert!(terminal.run(crd, port).contains("name: sites.example.com"));

    std::fs::write(folder.join("src/main.rs"), program()).expect("written");
    let explained = terminal.run(explain, port);
    assert!(blocks("text").contains(&explained), "{explained}");
    let tested = terminal.run(test, port);
    assert!(tested.contains("16 passed") && PAGE.contains("Sixteen laws"), "{tested}");

    let [object, converted] = &blocks("yaml")[..] else { panic!("two objects") };
    std::fs::write(folder.join("site.yaml"), object).expect("written");
    let checked = terminal.run(check, port);
    assert!(checked.ends_with(converted.as_str()), "{checked}");

    // The program itself, and not cargo, is to end with the test.
    let line = format!(
        "exec {}",
        serve.trim().replace("cargo run -q --", "${CARGO_TARGET_DIR}/debug/sites")
    );
    let serving = terminal.command(&line, port).stderr(Stdio::null()).spawn().expect("a shell");
    let _serving = Running(serving);
    let printed = async {
        let file = folder.join("ca.pem");
        while !std::fs::read_to_string(&file).is_ok_and(|pem| pem.contains("END CERTIFICATE")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), printed).await.expect("it serves");
    let mut said = String::new();
    for line in install.lines().chain(both.lines()) {
        let _ = writeln!(said, "$ {line}\n{}", terminal.run(line, port));
    }
    for part in
        ["replicas: 3", "renewed: true", "size: 5", "owner: ada", "address: example.com:443"]
    {
        assert!(said.contains(part), "{part}\n{said}");
    }
}
