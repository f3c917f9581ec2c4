//! Values that are computed once per process for a plan.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::Nested;

/// A value for each plan that was needed so far. Plans live as long as the process, so these values
/// do, too.
#[derive(Debug)]
pub(crate) struct OncePerPlan<T: 'static>(RwLock<Option<HashMap<Identity, &'static T>>>);

/// What tells a plan from others: the lists and maps around it, and its address. A plan may have
/// several addresses, but two plans never share one.
type Identity = (Vec<Around>, usize);

#[derive(Debug, PartialEq, Eq, Hash)]
enum Around {
    List,
    Map,
}

impl<T> OncePerPlan<T> {
    /// Creates it without any values.
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }

    /// Returns the plan's value. If there is none yet, `make` makes it.
    pub(crate) fn get(&self, plan: Nested, make: impl FnOnce() -> T) -> &'static T {
        let identity = identity(plan);
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.as_ref().and_then(|all| all.get(&identity)) {
            return known;
        }
        drop(known);
        // The lock isn't held here, because the author's code may ask for another plan. If two
        // threads come here at once, one value is made in vain.
        let new = Box::leak(Box::new(make()));
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.get_or_insert_default().entry(identity).or_insert(new)
    }
}

fn identity(mut plan: Nested) -> Identity {
    let mut around = Vec::new();
    loop {
        plan = match plan {
            Nested::Struct(plan) => return (around, std::ptr::from_ref(plan).addr()),
            Nested::Enum(plan) => return (around, std::ptr::from_ref(plan).addr()),
            Nested::List(inner) => {
                around.push(Around::List);
                inner()
            }
            Nested::Map(inner) => {
                around.push(Around::Map);
                inner()
            }
        };
    }
}
