//! One module for each kind of rule. It decides what becomes of the members that the rule names,
//! and what is kept.

mod code;
mod convert;
mod fields;
mod moves;
mod unset;
mod variants;

use super::hop::{Failure, Hop};
use super::program::{Node, Step};

/// Applies all rules. Moves come first, since other rules depend on where values arrive.
pub(super) fn apply(hop: &mut Hop<'_>) -> Result<(), Failure> {
    moves::decide(hop)?;
    for instance in 0..hop.source.document.instances.len() {
        if hop.patch.is_done(instance) {
            continue;
        }
        match hop.source.node(instance) {
            Node::Object(object) => {
                moves::apply(hop, instance);
                for step in &object.steps {
                    apply_step(hop, instance, step)?;
                }
            }
            Node::Union(union) => variants::choose(hop, instance, union),
            Node::List { .. } | Node::Map { .. } => {}
        }
    }
    moves::prune(hop);
    hop.inbox.finish(hop.source, hop.patch, &mut hop.tally.unrestored);
    Ok(())
}

fn apply_step<'a>(hop: &mut Hop<'a>, instance: usize, step: &'a Step) -> Result<(), Failure> {
    match step {
        Step::Rename { member, to } => fields::rename(hop, instance, *member, to),
        Step::Retag { member, key, to } => variants::retag(hop, instance, *member, *key, to),
        Step::Add { to, fill } => fields::add(hop, instance, to, fill.as_deref()),
        Step::Remove { member, field, fill } => {
            fields::remove(hop, instance, (*member, field), fill.as_deref());
        }
        Step::Unset { member, slots, keeps, restores } => {
            unset::unset(hop, instance, *member, slots, [*keeps, *restores]);
        }
        // `moves` has decided on these, and the rules at both ends apply them.
        Step::Move(_) => {}
        Step::Convert(convert) => convert::convert(hop, instance, convert)?,
        Step::SetAside { member, name } => fields::set_aside(hop, instance, *member, name),
        Step::PutBack { name } => fields::put_back(hop, instance, name),
    }
    Ok(())
}
