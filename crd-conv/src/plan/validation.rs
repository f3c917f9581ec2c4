//! Rules that the API server checks.

/// A rule that the API server checks: one of `x-kubernetes-validations`.
///
/// `#[versioned(validation(…))]` declares them. The schema has them in addition to those of the
/// type's own `JsonSchema`.
///
/// ```
/// #[derive(crd_conv::Versioned, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// #[versioned(validation("self.min <= self.max", message = "min is above max"))]
/// struct Range {
///     min: i32,
///     max: i32,
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidationRule {
    /// The expression that must hold. In it, `self` is the value.
    pub rule: &'static str,
    /// The API server's message if the expression doesn't hold.
    pub message: Option<&'static str>,
    /// An expression that returns the message.
    pub message_expression: Option<&'static str>,
    /// The reason in the API server's answer, such as `FieldValueInvalid`.
    pub reason: Option<&'static str>,
    /// The field that the API server names, relative to the value, such as `.min`.
    pub field_path: Option<&'static str>,
    /// Whether a rule with `oldSelf` is also evaluated if there was no value before. Then `oldSelf`
    /// is an optional.
    pub optional_old_self: bool,
}
