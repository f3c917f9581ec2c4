//! Turns the plans of enums into nodes.

use super::build::{Builder, names, node_of};
use super::names::{Names, Role};
use super::node::{Node, Object, Step};
use super::variants::{Becomes, Known, Target, Union, shown};
use crate::plan::{Branch, Tagging, Variant, VariantRule, Variants};

impl Builder {
    pub(super) fn union(&mut self, variants: Variants) -> Union {
        let upgrade = self.upgrade;
        let plan = variants.plan;
        let [tagging, target_tagging] = self.in_order(plan.older_tagging, plan.newer_tagging);
        let mut union = Union {
            tagging,
            variants: Vec::new(),
            names: Names::default(),
            target: Target { tagging: target_tagging, variants: Vec::new() },
        };
        if let Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } = tagging
            && !self.tags.contains(&tag)
        {
            self.tags.push(tag);
        }
        for (rule, inside) in variants.rules() {
            let (variant, shown_as, lost) = match rule {
                VariantRule::Kept { older, newer, .. } => {
                    let [source, target] = self.in_order(older, newer);
                    let node = self.variant([tagging, target_tagging], [source, target], inside);
                    let becomes = |name, node| Becomes::Kept { name, node };
                    union.variants.push(Known::new(source, becomes(target.wire, node)));
                    let back = Known::new(target, becomes(source.wire, None));
                    union.target.variants.push(back);
                    continue;
                }
                VariantRule::Removed { older, shown_as } => (older, shown_as, upgrade),
                VariantRule::Added { newer, shown_as } => (newer, shown_as, !upgrade),
            };
            if lost {
                let becomes = Becomes::Shown(shown(target_tagging, shown_as));
                union.variants.push(Known::new(variant, becomes));
            } else {
                let becomes = Becomes::Shown(shown(tagging, shown_as));
                union.target.variants.push(Known::new(variant, becomes));
            }
        }
        if tagging == Tagging::External {
            for Known { name, becomes, .. } in &union.variants {
                let (target, role) = match becomes {
                    Becomes::Kept { name, node: Some(node) } => (*name, Role::Child(*node)),
                    Becomes::Kept { name, node: None } => (*name, Role::Input),
                    Becomes::Shown(_) => (*name, Role::Input),
                };
                union.names.add(name, target, role);
            }
        }
        union
    }

    /// Returns the node of what happens in a variant that both versions have. It includes the
    /// change of the variant's name if the name is in an object with other fields.
    fn variant(
        &mut self,
        tagging: [Tagging; 2],
        [source, target]: [&Variant; 2],
        inside: Option<Branch>,
    ) -> Option<usize> {
        let mut object = Object::default();
        let (mut own, mut other) = (Vec::new(), Vec::new());
        match tagging {
            [Tagging::Internal { tag }, Tagging::Internal { tag: to }] => {
                tag_of(&mut object, [tag, to], [source.wire, target.wire]);
                own.push(tag);
                other.push(to);
                if let Some(fields) = inside.and_then(Branch::fields) {
                    self.fields(&mut object, fields);
                    let (older, newer) = names(fields);
                    let [inside, outside] = self.in_order(older, newer);
                    own.extend(inside);
                    other.extend(outside);
                }
            }
            [
                Tagging::Adjacent { tag, content },
                Tagging::Adjacent { tag: to, content: content_to },
            ] => {
                tag_of(&mut object, [tag, to], [source.wire, target.wire]);
                let child = inside.map(node_of);
                if child.is_some() || content != content_to {
                    let role = child.map_or(Role::Input, Role::Child);
                    let member = object.names.add(content, content_to, role);
                    if content != content_to {
                        object.steps.push(Step::Rename { member, to: content_to });
                    }
                }
                own.extend([tag, content]);
                other.extend([to, content_to]);
            }
            _ => return inside.map(node_of),
        }
        let [older, newer] = self.in_order(own, other);
        self.set_aside(&mut object, (older, newer));
        if object.names.members.is_empty() && object.steps.is_empty() {
            return None;
        }
        self.nodes.push(Node::Object(object));
        Some(self.nodes.len() - 1)
    }
}

/// Adds the field that contains the variant's name.
fn tag_of(object: &mut Object, [tag, to]: [&'static str; 2], [name, name_to]: [&'static str; 2]) {
    if name == name_to && tag == to {
        return;
    }
    let member = object.names.add(tag, to, Role::Input);
    object.steps.push(if name == name_to {
        Step::Rename { member, to }
    } else {
        Step::Retag { member, key: (tag != to).then_some(to), to: name_to }
    });
}
