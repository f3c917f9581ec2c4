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
#[non_exhaustive]
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

impl ValidationRule {
    /// Returns a rule with this expression.
    pub const fn new(rule: &'static str) -> Self {
        Self {
            rule,
            message: None,
            message_expression: None,
            reason: None,
            field_path: None,
            optional_old_self: false,
        }
    }

    /// Sets the API server's message.
    #[must_use]
    pub const fn message(mut self, message: &'static str) -> Self {
        self.message = Some(message);
        self
    }

    /// Sets the expression that returns the message.
    #[must_use]
    pub const fn message_expression(mut self, expression: &'static str) -> Self {
        self.message_expression = Some(expression);
        self
    }

    /// Sets the reason in the API server's answer.
    #[must_use]
    pub const fn reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Sets the field that the API server names.
    #[must_use]
    pub const fn field_path(mut self, path: &'static str) -> Self {
        self.field_path = Some(path);
        self
    }

    /// Sets whether a rule with `oldSelf` is also evaluated if there was no value before.
    #[must_use]
    pub const fn optional_old_self(mut self, optional: bool) -> Self {
        self.optional_old_self = optional;
        self
    }
}
