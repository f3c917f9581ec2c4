//! What the API server asks of a schema when it handles objects.
//!
//! Two types answer: [`Schema`](crate::schema::Schema), which is made of Rust types, and the verifier's, which is read from any document.

use std::collections::BTreeMap;

use crate::json::Json;

/// A structural schema.
pub(crate) trait Node: Sized {
    fn properties(&self) -> &BTreeMap<String, Self>;
    fn items(&self) -> Option<&Self>;
    fn additional(&self) -> Additional<'_, Self>;
    fn nullable(&self) -> bool;
    /// A default of `null` is none.
    fn default_value(&self) -> Option<&Json>;
    fn preserves(&self) -> bool;
    fn is_embedded(&self) -> bool;
    fn list_type(&self) -> Option<&str>;
    fn list_map_keys(&self) -> Vec<&str>;
    /// How many expressions of CEL stand here.
    fn rules(&self) -> usize;
    fn restrictions(&self) -> Restrictions<'_, Self>;

    /// The schema of a member; the inner `None` is anything. The outer one is a member that isn't declared.
    #[expect(
        clippy::option_option,
        reason = "`additionalProperties: true` declares without a schema"
    )]
    fn member(&self, name: &str) -> Option<Option<&Self>> {
        match (self.properties().get(name), self.additional()) {
            (Some(property), _) => Some(Some(property)),
            (None, Additional::Schema(schema)) => Some(Some(schema)),
            (None, Additional::Allowed(_)) => Some(None),
            (None, Additional::Undeclared) => None,
        }
    }

    /// The schema of a member, if it has one.
    fn declared(&self, name: &str) -> Option<&Self> {
        self.member(name).flatten()
    }
}

/// What may stand beside the properties.
#[derive(Clone, Copy)]
pub(crate) enum Additional<'s, S> {
    Undeclared,
    /// `true` or `false`.
    Allowed(bool),
    Schema(&'s S),
}

/// What restricts a value. What Go can't tell from nothing is nothing here.
pub(crate) struct Restrictions<'s, S> {
    pub(crate) ty: &'s str,
    pub(crate) int_or_string: bool,
    pub(crate) format: &'s str,
    pub(crate) values: &'s [Json],
    pub(crate) maximum: Option<f64>,
    pub(crate) exclusive_maximum: bool,
    pub(crate) minimum: Option<f64>,
    pub(crate) exclusive_minimum: bool,
    pub(crate) multiple_of: Option<f64>,
    pub(crate) max_length: Option<i64>,
    pub(crate) min_length: Option<i64>,
    pub(crate) pattern: &'s str,
    pub(crate) max_items: Option<i64>,
    pub(crate) min_items: Option<i64>,
    pub(crate) max_properties: Option<i64>,
    pub(crate) min_properties: Option<i64>,
    pub(crate) required: &'s [String],
    pub(crate) all_of: &'s [S],
    pub(crate) any_of: &'s [S],
    pub(crate) one_of: &'s [S],
    pub(crate) not: Option<&'s S>,
}
