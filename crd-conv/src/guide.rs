//! The pages of the guide.
//!
//! # Learn
//!
//! | page | you can then |
//! |---|---|
//! | [`start`] | go from one version to two, and to a webhook in a cluster, in ten minutes |
//! | [`questions`] | find answers to common questions |
//!
//! # Do
//!
//! | page | you can then |
//! |---|---|
//! | [`import`] | make Rust types of a CustomResourceDefinition that exists |
//! | [`coming`] | migrate from an operator with `kube`, a hand-written webhook, or kubebuilder |
//! | [`mappings`](crate::with) | choose a converter for a change of form |
//! | [`operators`] | use versions in an operator's own code |
//! | [`generate`] | generate the YAML of a CustomResourceDefinition when you build |
//! | [`testing`] | test your conversions against the laws, and reproduce a broken one |
//! | [`serve`] | deploy the webhook, and monitor it |
//! | [`helm`] | ship it as a Helm chart, with OLM, or in several installations |
//! | [`capacity`] | know what it costs, and set requests and limits |
//! | [`migrate`] | add a version, roll it out, migrate to it, remove one, and roll back |
//! | [`verify`] | check a CustomResourceDefinition before the API server refuses it |
//! | [`diff`] | see what a change means for users of the previous release |
//! | [`validation`] | see what the API server does to an object, and why it refuses one |
//!
//! # Look up
//!
//! | page | you can then |
//! |---|---|
//! | [attributes](derive@crate::Versioned) | look up an attribute |
//! | [`schema`] | see which schema a Rust type has, and which types have none |
//! | [`changes`] | look up a kind of change that `diff` reports: its levels, the reason and the remedy |
//! | [`glossary`] | look up a term of this guide |
//! | [`troubleshooting`] | find an error by its text: API server, webhook, operator, compiler |
//! | [`versions`] | see the supported versions of Kubernetes, Rust and other crates, and what a release promises |
//!
//! # Understand
//!
//! | page | you can then |
//! |---|---|
//! | [`carrier`] | understand the annotations that conversions write |
//! | [`life`] | see which requests the API server sends to the webhook, and when |
//! | [`security`] | see who must be trusted with what |
//! | [`limits`] | decide whether crd-conv is for you: what it can't do, and what it costs |
//! | [`alternatives`] | compare crd-conv with other ways to convert a resource |
//! | [`design`] | see why conversions work as they do, and what that costs |
//! | [`cases`] | see five published APIs with their mapping, compared with their Go code |

#[cfg(feature = "serve")]
#[doc = include_str!("../guide/start.md")]
pub mod start {}

#[doc = include_str!("../guide/import.md")]
pub mod import {}

#[doc = include_str!("../guide/coming.md")]
pub mod coming {}

#[doc = include_str!("../guide/questions.md")]
pub mod questions {}

#[doc = include_str!("../guide/carrier.md")]
pub mod carrier {}

#[doc = include_str!("../guide/life.md")]
pub mod life {}

#[doc = include_str!("../guide/serve.md")]
pub mod serve {}

#[doc = include_str!("../guide/helm.md")]
pub mod helm {}

#[doc = include_str!("../guide/capacity.md")]
pub mod capacity {}

#[doc = include_str!("../guide/migrate.md")]
pub mod migrate {}

#[doc = include_str!("../guide/operators.md")]
pub mod operators {}

#[doc = include_str!("../guide/generate.md")]
pub mod generate {}

#[doc = include_str!("../guide/testing.md")]
pub mod testing {}

#[doc = include_str!("../guide/schema.md")]
pub mod schema {}

#[doc = include_str!("../guide/verify.md")]
pub mod verify {}

#[doc = include_str!("../guide/diff.md")]
pub mod diff {}

#[doc = include_str!("../guide/changes.md")]
pub mod changes {}

#[doc = include_str!("../guide/validation.md")]
pub mod validation {}

#[doc = include_str!("../guide/security.md")]
pub mod security {}

#[doc = include_str!("../guide/glossary.md")]
pub mod glossary {}

#[doc = include_str!("../guide/limits.md")]
pub mod limits {}

#[doc = include_str!("../guide/troubleshooting.md")]
pub mod troubleshooting {}

#[doc = include_str!("../guide/versions.md")]
pub mod versions {}

#[doc = include_str!("../guide/alternatives.md")]
pub mod alternatives {}

#[doc = include_str!("../guide/design.md")]
pub mod design {}

#[doc = include_str!("../guide/cases.md")]
pub mod cases {}
