//! What the tokens of a type say of it.

use syn::{GenericArgument, PathArguments, Type};

/// The type inside of what is written as an `Option`.
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
