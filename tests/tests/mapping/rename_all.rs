//! Names in JSON are serde's, for every rule of `rename_all`.

use crd_conv::{__private::Shape, Versioned};
use serde::{Deserialize, Serialize};

/// One struct for each rule, with fields whose names are hard to rename.
macro_rules! rules {
    ($($test:ident $rule:literal)*) => {$(
        #[test]
        fn $test() {
            #[derive(Versioned, Serialize, Deserialize, Default)]
            #[serde(rename_all = $rule)]
            #[expect(non_snake_case, reason = "names that serde must rename all the same")]
            struct Spec {
                plain: i32,
                two_words: i32,
                r#type: i32,
                _leading: i32,
                trailing_: i32,
                two__underscores: i32,
                number_2_in: i32,
                v2: i32,
                camelCase: i32,
                URL: i32,
                x: i32,
                größe: i32,
                #[serde(rename = "Another-Name")]
                renamed: i32,
                #[serde(rename(serialize = "both", deserialize = "both"))]
                renamed_twice: i32,
                #[serde(skip)]
                #[expect(dead_code, reason = "shows that it isn't part of the shape")]
                skipped: i32,
            }
            let ours: Vec<_> = Spec::FIELDS.iter().map(|facts| facts.field.wire).collect();
            let json = serde_json::to_string(&Spec::default()).expect("a struct of numbers");
            let theirs: Vec<_> = json
                .trim_matches(['{', '}'])
                .split(',')
                .map(|member| member.trim_end_matches(":0").trim_matches('"'))
                .collect();
            assert_eq!(theirs.len(), 14, "invalid test case: {json}");
            assert_eq!(ours, theirs);
        }
    )*};
}

rules! {
    lower "lowercase"
    upper "UPPERCASE"
    pascal "PascalCase"
    camel "camelCase"
    snake "snake_case"
    screaming_snake "SCREAMING_SNAKE_CASE"
    kebab "kebab-case"
    screaming_kebab "SCREAMING-KEBAB-CASE"
}
