//! Lists whose keys only another version declares.

use crate::schema::Schema;

/// Lets the items of such a list have distinct keys in every version. The API server accepts
/// duplicates in the version without keys, and then refuses the object in the other version.
pub(super) fn share_keys(schemas: &mut [Schema]) {
    let declared = schemas.to_vec();
    for schema in schemas {
        for other in &declared {
            take_keys(schema, other);
        }
    }
}

fn take_keys(schema: &mut Schema, other: &Schema) {
    if let (Some(items), Some(other_items)) = (&mut schema.items, &other.items) {
        take_keys(items, other_items);
        let keys = &other.extensions.list_map_keys;
        let own = &mut schema.extensions;
        let is_plain = own.list_type.as_deref().is_none_or(|ty| ty == "atomic");
        if is_plain && !keys.is_empty() && keys.iter().all(|key| items.properties.contains_key(key))
        {
            own.list_type.clone_from(&other.extensions.list_type);
            own.list_map_keys.clone_from(keys);
        }
    }
    if let (Some(values), Some(other)) =
        (&mut schema.additional_properties, &other.additional_properties)
    {
        take_keys(values, other);
    }
    for (name, property) in &mut schema.properties {
        if let Some(other) = other.properties.get(name) {
            take_keys(property, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share_keys;
    use crate::schema::{Schema, SchemaType};

    fn list(keys: &[&str]) -> Schema {
        let text = Schema { ty: Some(SchemaType::Text), ..Schema::default() };
        let mut items = Schema::object();
        items.properties.insert("name".to_owned(), text);
        let mut list = Schema { ty: Some(SchemaType::Array), ..Schema::default() };
        list.items = Some(Box::new(items));
        list.extensions.list_map_keys = keys.iter().map(|key| (*key).to_owned()).collect();
        list.extensions.list_type = (!keys.is_empty()).then(|| "map".to_owned());
        let mut root = Schema::object();
        root.properties.insert("list".to_owned(), list);
        root
    }

    #[test]
    fn a_version_takes_the_keys_that_its_items_have() {
        let mut schemas = [list(&[]), list(&["name"]), list(&["other"])];
        share_keys(&mut schemas);
        assert_eq!(schemas[0], schemas[1]);
        assert_eq!(schemas[2], list(&["other"]));
    }
}
