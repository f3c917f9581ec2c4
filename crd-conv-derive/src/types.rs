//! Reads facts about a type from its tokens.

use syn::{GenericArgument, Path, PathArguments, Type};

/// The type inside an `Option`, if the tokens name one.
pub(crate) fn inside_option(ty: &Type) -> Option<&Type> {
    let ty = match ty {
        Type::Group(group) => &*group.elem,
        ty => ty,
    };
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inside) if last.ident == "Option" && arguments.args.len() == 1 => {
            Some(inside)
        }
        _ => None,
    }
}

/// The type inside an `Option`, a list or a map, if the tokens name one.
pub(crate) fn inside_holder(path: &Path) -> Option<&Type> {
    const HOLDERS: [&str; 6] = ["Option", "Box", "Vec", "BTreeMap", "HashMap", "IndexMap"];
    let last = path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let holds = HOLDERS.iter().any(|holder| last.ident == holder);
    arguments.args.iter().rev().filter(|_| holds).find_map(|argument| match argument {
        GenericArgument::Type(inside) => Some(inside),
        _ => None,
    })
}
