//! Asks the API server's own code about schemas and objects: builds the Go program beside this and talks to it.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crd_conv::schema::Schema;
use serde::Deserialize;
use serde_json::Value;

/// One of the server's errors.
#[derive(Clone, Debug, Deserialize)]
pub struct Refusal {
    /// Where.
    pub path: String,
    /// The kind of error.
    #[serde(rename = "type")]
    pub ty: String,
    /// What is wrong.
    pub detail: String,
}

/// What the server says about a CustomResourceDefinition that is created.
#[derive(Clone, Debug, Deserialize)]
pub struct Created {
    /// Why it is refused. If there is nothing, the server takes it.
    pub refusals: Vec<Refusal>,
    /// What the server warns the client about, if it takes it.
    pub warnings: Vec<String>,
}

/// One reason why the server refuses an object.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    /// Where; `<nil>` where the server doesn't say.
    pub field: String,
    /// The kind of error.
    #[serde(rename = "type")]
    pub ty: String,
    /// What is wrong.
    pub message: String,
}

/// What becomes of an object that is created.
#[derive(Deserialize)]
struct Creation {
    object: Option<Value>,
    #[serde(default)]
    error: String,
}

/// The Go program, running.
#[derive(Debug)]
pub struct Verdict {
    program: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// What the server estimates for a rule.
#[derive(Clone, Debug, Deserialize)]
pub struct Estimate {
    /// Where it is in the schema.
    pub path: String,
    /// In the server's units, for the largest object.
    pub cost: u64,
    /// Why the rule can't be compiled, or empty.
    pub error: String,
}

impl Verdict {
    /// Builds the program into a directory, and gives where it is.
    ///
    /// # Errors
    ///
    /// If there is no Go, and if the program doesn't build.
    pub fn build(directory: &Path) -> io::Result<PathBuf> {
        let binary = directory.join("verdict");
        let built = Command::new("go")
            .args(["build", "-o"])
            .arg(&binary)
            .arg(".")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status()?;
        if !built.success() {
            return Err(io::Error::other("the program doesn't build"));
        }
        Ok(binary)
    }

    /// Starts the program.
    ///
    /// # Errors
    ///
    /// If it doesn't start.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut program =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = program.stdin.take().zip(program.stdout.take());
        let (questions, answers) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(Self { program, questions, answers: BufReader::new(answers) })
    }

    /// What the server makes of an object, as it writes it, or why it refuses.
    ///
    /// # Errors
    ///
    /// If the program has ended.
    pub fn ask(
        &mut self,
        op: &str,
        schema: &Schema,
        object: &str,
    ) -> io::Result<Result<String, String>> {
        self.question(op, &serde_json::to_string(schema)?, object)
    }

    /// What the server says about a CustomResourceDefinition, or why it can't read it.
    ///
    /// # Errors
    ///
    /// If the program has ended.
    pub fn definition(&mut self, document: &str) -> io::Result<Result<Created, String>> {
        self.question("definition", "null", document)?
            .map(|created| serde_json::from_str(&created))
            .map_or_else(|error| Ok(Err(error)), |created| Ok(Ok(created?)))
    }

    /// What the server refuses of an object, or why it can't read it.
    ///
    /// # Errors
    ///
    /// If the program has ended.
    pub fn causes(
        &mut self,
        op: &str,
        schema: &Schema,
        object: &str,
    ) -> io::Result<Result<Vec<Cause>, String>> {
        self.ask(op, schema, object)?
            .map(|causes| serde_json::from_str(&causes))
            .map_or_else(|error| Ok(Err(error)), |causes| Ok(Ok(causes?)))
    }

    /// The messages with which a `ValidatingAdmissionPolicy` refuses a request: `user`, `object` and `old`.
    ///
    /// # Errors
    ///
    /// If the program has ended, and if an expression of the policy can't be compiled or evaluated.
    pub fn admits(&mut self, policy: &Value, request: &Value) -> io::Result<Vec<String>> {
        let messages = self.question("admits", &policy.to_string(), &request.to_string())?;
        Ok(serde_json::from_str(&messages.map_err(io::Error::other)?)?)
    }

    /// What the server stores of each of some objects when it is created, or why it refuses it.
    ///
    /// # Errors
    ///
    /// If the program has ended, or can't read the schema.
    pub fn creates(
        &mut self,
        schema: &Schema,
        objects: &[Value],
    ) -> io::Result<Vec<Result<Value, String>>> {
        let objects = serde_json::to_string(objects)?;
        let created = self.question("creates", &serde_json::to_string(schema)?, &objects)?;
        let created: Vec<Creation> = serde_json::from_str(&created.map_err(io::Error::other)?)?;
        let outcome = |creation: Creation| creation.object.ok_or(creation.error);
        Ok(created.into_iter().map(outcome).collect())
    }

    /// What the server estimates for the rules of a schema.
    ///
    /// # Errors
    ///
    /// If the program has ended, or if the server gives no type to a value with a rule.
    pub fn costs(&mut self, schema: &Schema) -> io::Result<Vec<Estimate>> {
        let costs = self.ask("costs", schema, "null")?;
        Ok(serde_json::from_str(&costs.map_err(io::Error::other)?)?)
    }

    /// The JSON that kubectl makes of a text in YAML, or why it can't read it.
    ///
    /// # Errors
    ///
    /// If the program has ended.
    pub fn yaml(&mut self, text: &str) -> io::Result<Result<String, String>> {
        self.question("yaml", "null", &serde_json::to_string(text)?)
    }

    fn question(
        &mut self,
        op: &str,
        schema: &str,
        object: &str,
    ) -> io::Result<Result<String, String>> {
        // Only one line is a question.
        let object = object.replace('\n', " ");
        writeln!(self.questions, r#"{{"op":"{op}","schema":{schema},"object":{object}}}"#)?;
        self.questions.flush()?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let line = line.trim_end();
        let result = line.strip_prefix(r#"{"result":"#).and_then(|line| line.strip_suffix('}'));
        let error = line.strip_prefix(r#"{"error":"#).and_then(|line| line.strip_suffix('}'));
        match (result, error) {
            (Some(result), _) => Ok(Ok(result.to_owned())),
            (None, Some(error)) => Ok(Err(error.to_owned())),
            (None, None) => Err(io::Error::other(format!("no answer: {line:?}"))),
        }
    }
}

impl Drop for Verdict {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.program.kill());
        drop(self.program.wait());
    }
}
