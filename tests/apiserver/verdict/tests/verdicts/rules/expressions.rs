//! Random expressions about the objects of [`super::schema`]. Nearly all of them have a type.

use crate::random::Random;

/// What an expression may name.
#[derive(Clone)]
pub(super) struct Names {
    /// Expressions for an object with the fields of `spec`.
    specs: Vec<String>,
    /// Expressions for an item of `items` or `things`.
    items: Vec<String>,
    ints: Vec<String>,
    texts: Vec<String>,
    variables: usize,
}

impl Names {
    pub(super) fn spec(with_old: bool) -> Self {
        let specs = ["self", "oldSelf"][..=usize::from(with_old)].iter().map(ToString::to_string);
        Self { specs: specs.collect(), items: vec![], ints: vec![], texts: vec![], variables: 0 }
    }

    pub(super) fn item(with_old: bool) -> Self {
        let Self { specs, .. } = Self::spec(with_old);
        Self { specs: vec![], items: specs, ints: vec![], texts: vec![], variables: 0 }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("x{}", self.variables)
    }
}

fn one(names: &[String], random: &mut Random) -> Option<String> {
    (!names.is_empty()).then(|| random.pick(names).clone())
}

fn of_spec(names: &Names, fields: &[&str], random: &mut Random) -> Option<String> {
    Some(format!("{}.{}", one(&names.specs, random)?, random.pick(fields)))
}

fn of_item(names: &Names, fields: &[&str], random: &mut Random) -> Option<String> {
    Some(format!("{}.{}", one(&names.items, random)?, random.pick(fields)))
}

fn int(names: &Names, depth: usize, random: &mut Random) -> String {
    let found = match random.below(if depth == 0 { 5 } else { 11 }) {
        0 => of_spec(names, &["n", "m", "obj.a", "maybe", "__namespace__"], random),
        1 => of_item(names, &["v"], random),
        2 => one(&names.ints, random),
        3 => of_spec(names, &["nums[0]", "nums[1]", "items[0].v", "things[1].v"], random),
        5 => Some(format!("size({})", text(names, depth - 1, random))),
        6 => Some(format!("{}.size()", list(names, depth - 1, random).0)),
        7 => Some(format!(
            "size({})",
            of_spec(names, &["labels", "limits", "items"], random)
                .unwrap_or_else(|| "[1]".to_owned())
        )),
        8 | 9 => {
            let sign = *random.pick(&["+", "-", "*", "/", "%"]);
            Some(format!(
                "({} {sign} {})",
                int(names, depth - 1, random),
                int(names, depth - 1, random)
            ))
        }
        10 => Some(format!(
            "({} ? {} : {})",
            condition(names, depth - 1, random),
            int(names, depth - 1, random),
            int(names, depth - 1, random)
        )),
        _ => None,
    };
    found
        .unwrap_or_else(|| (*random.pick(&["0", "1", "2", "-1", "9223372036854775807"])).to_owned())
}

fn double(names: &Names, depth: usize, random: &mut Random) -> String {
    let found = match random.below(if depth == 0 { 3 } else { 5 }) {
        0 | 1 => of_spec(names, &["d"], random),
        3 => {
            let sign = *random.pick(&["+", "-", "*", "/"]);
            Some(format!(
                "({} {sign} {})",
                double(names, depth - 1, random),
                double(names, depth - 1, random)
            ))
        }
        4 => Some(format!("-{}", double(names, 0, random))),
        _ => None,
    };
    found.unwrap_or_else(|| (*random.pick(&["0.0", "1.0", "1.5", "1e300"])).to_owned())
}

/// Calls with texts of their own, in a condition.
#[expect(clippy::too_many_lines, reason = "an arm for each call")]
fn special(names: &Names, depth: usize, random: &mut Random) -> String {
    let text = |pool: &[&str], random: &mut Random| match random.below(4) {
        0 => text(names, depth, random),
        _ => (*random.pick(pool)).to_owned(),
    };
    let quantities = [
        "'1'", "'1Gi'", "'500m'", "'0'", "'-1'", "'1e3'", "'1.5'", "'1024Mi'", "'0.1n'", "'1K'",
        "'.5'", "'1.'", "'1000k'",
    ];
    let names = ["'a.b'", "'a'", "'A'", "'a/b'", "'-a'", "'a_b'", "'a.b/C'", "'1a'", "'a..b'"];
    let urls = [
        "'http://a'",
        "'a'",
        "'/a'",
        "'HTTPS://a.b:1/c?d#e'",
        "'http://a b'",
        "'mailto:a@b'",
        "'http://%41'",
        "'a://'",
        "'http://[::1]:80'",
        "'//a'",
        "':'",
        "'1a:b'",
    ];
    let networks = [
        "'10.0.0.0/8'",
        "'::/0'",
        "'10.0.0.1/33'",
        "'1.2.3/8'",
        "'::1/128'",
        "'::1/129'",
        "'01.2.3.4/8'",
        "'1.2.3.4/08'",
        "'::ffff:1.2.3.4/96'",
        "'a/1'",
        "'1.2.3.4'",
        "'fe80::1%a/64'",
        "'1.2.3.4/+8'",
    ];
    let number = |random: &mut Random| *random.pick(&["0", "1", "2", "5", "-1"]);
    match random.below(14) {
        0 => format!(
            "quantity({}).isGreaterThan(quantity({}))",
            text(&quantities, random),
            text(&quantities, random)
        ),
        1 => format!(
            "quantity({}).isLessThan(quantity({}))",
            text(&quantities, random),
            text(&quantities, random)
        ),
        2 => format!(
            "quantity({}).compareTo(quantity({})) <= 0",
            text(&quantities, random),
            text(&quantities, random)
        ),
        3 | 4 => {
            let format = *random.pick(&[
                "dns1123Label",
                "dns1123Subdomain",
                "dns1035Label",
                "qualifiedName",
                "labelValue",
                "uuid",
            ]);
            format!("!format.{format}().validate({}).hasValue()", text(&names, random))
        }
        5 => format!("isURL({})", text(&urls, random)),
        6 => format!("url({}).getScheme() in ['http', 'https', '']", text(&urls, random)),
        7 => format!("isCIDR({})", text(&networks, random)),
        8 => format!(
            "{}.{}() == {}",
            text(&names, random),
            random.pick(&["lowerAscii", "upperAscii", "trim"]),
            text(&names, random)
        ),
        9 => format!(
            "{}.split({})[0].size() < {}",
            text(&names, random),
            text(&["'.'", "''", "'a'"], random),
            number(random)
        ),
        10 => format!(
            "{}.substring({}) != {}",
            text(&names, random),
            number(random),
            text(&names, random)
        ),
        11 => format!(
            "{}.substring({}, {}) != {}",
            text(&names, random),
            number(random),
            number(random),
            text(&names, random)
        ),
        12 => format!(
            "{}.{}({}) > {}",
            text(&names, random),
            random.pick(&["indexOf", "lastIndexOf"]),
            text(&["'.'", "''", "'a'"], random),
            number(random)
        ),
        _ => match random.below(3) {
            0 => format!(
                "{}.replace({}, 'x') != {}",
                text(&names, random),
                text(&["'.'", "''", "'a'"], random),
                text(&names, random)
            ),
            1 => format!(
                "[{}, 'b'].join({}) == {}",
                text(&names, random),
                text(&["'.'", "''"], random),
                text(&names, random)
            ),
            _ => format!("{}.charAt({}) == 'a'", text(&names, random), number(random)),
        },
    }
}

fn text(names: &Names, depth: usize, random: &mut Random) -> String {
    let found = match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => of_spec(names, &["s", "t", "obj.b", "foo__dash__bar"], random),
        1 => of_item(names, &["name"], random),
        2 => one(&names.texts, random),
        3 => of_spec(
            names,
            &["list[0]", "set[0]", "labels['a']", "labels.b", "items[0].name", "limits['b'].s"],
            random,
        ),
        7 => Some(format!(
            "({} + {})",
            text(names, depth - 1, random),
            text(names, depth - 1, random)
        )),
        8 => Some(format!(
            "({} ? {} : {})",
            condition(names, depth - 1, random),
            text(names, depth - 1, random),
            text(names, depth - 1, random)
        )),
        _ => None,
    };
    found.unwrap_or_else(|| {
        (*random.pick(&["''", "'a'", "'b'", "'ab'", "'\u{e4}'", "'A b'", "'1'"])).to_owned()
    })
}

/// A list, and whether its items are texts; otherwise they are integers.
fn list(names: &Names, depth: usize, random: &mut Random) -> (String, bool) {
    let found = match random.below(if depth == 0 { 3 } else { 6 }) {
        0 => of_spec(names, &["list", "set"], random).or_else(|| of_item(names, &["tags"], random)),
        1 => {
            return (
                of_spec(names, &["nums"], random).unwrap_or_else(|| "[0, 1]".to_owned()),
                false,
            );
        }
        3 => Some(format!(
            "[{}, {}]",
            text(names, depth - 1, random),
            text(names, depth - 1, random)
        )),
        4 => {
            let (of, is_text) = list(names, depth - 1, random);
            let mut inside = names.clone();
            let name = inside.variable();
            if is_text { &mut inside.texts } else { &mut inside.ints }.push(name.clone());
            return (
                format!("{of}.filter({name}, {})", condition(&inside, depth - 1, random)),
                is_text,
            );
        }
        5 => {
            let (of, is_text) = list(names, depth - 1, random);
            let mut inside = names.clone();
            let name = inside.variable();
            if is_text { &mut inside.texts } else { &mut inside.ints }.push(name.clone());
            let when = if random.once_in(3) {
                format!("{}, ", condition(&inside, depth - 1, random))
            } else {
                String::new()
            };
            return (format!("{of}.map({name}, {when}{})", int(&inside, depth - 1, random)), false);
        }
        _ => None,
    };
    (found.unwrap_or_else(|| "['a', 'b']".to_owned()), true)
}

fn some_loop(names: &Names, depth: usize, random: &mut Random) -> String {
    let mut inside = names.clone();
    let name = inside.variable();
    let of = match random.below(4) {
        0 => of_spec(names, &["items", "things"], random)
            .inspect(|_| inside.items.push(name.clone())),
        1 => of_spec(names, &["labels", "limits"], random)
            .inspect(|_| inside.texts.push(name.clone())),
        _ => None,
    };
    let of = of.unwrap_or_else(|| {
        let (of, is_text) = list(names, depth, random);
        if is_text { &mut inside.texts } else { &mut inside.ints }.push(name.clone());
        of
    });
    let which = *random.pick(&["all", "exists", "exists_one"]);
    format!("{of}.{which}({name}, {})", condition(&inside, depth, random))
}

/// An expression that is true or false.
#[expect(clippy::too_many_lines, reason = "an arm for each kind of condition")]
pub(super) fn condition(names: &Names, depth: usize, random: &mut Random) -> String {
    if depth == 0 {
        let has = match random.below(3) {
            0 => of_spec(
                names,
                &[
                    "n",
                    "m",
                    "s",
                    "t",
                    "d",
                    "list",
                    "set",
                    "items",
                    "labels",
                    "labels.a",
                    "obj",
                    "obj.c",
                    "maybe",
                    "port",
                    "__namespace__",
                    "dur",
                ],
                random,
            ),
            1 => of_item(names, &["v", "tags"], random),
            _ => None,
        };
        return match has {
            Some(has) => format!("has({has})"),
            None => of_spec(names, &["b"], random).unwrap_or_else(|| "true".to_owned()),
        };
    }
    let below = depth - 1;
    let compare = |random: &mut Random| *random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let equal = |random: &mut Random| *random.pick(&["==", "!="]);
    match random.below(23) {
        0 => condition(names, 0, random),
        20..=22 => special(names, below, random),
        1 | 2 => {
            format!("({} && {})", condition(names, below, random), condition(names, below, random))
        }
        3 | 4 => {
            format!("({} || {})", condition(names, below, random), condition(names, below, random))
        }
        5 => format!("!{}", condition(names, below, random)),
        6 => format!(
            "({} ? {} : {})",
            condition(names, below, random),
            condition(names, below, random),
            condition(names, below, random)
        ),
        7 | 8 => format!(
            "({} {} {})",
            int(names, below, random),
            compare(random),
            int(names, below, random)
        ),
        9 => format!(
            "({} {} {})",
            double(names, below, random),
            compare(random),
            double(names, below, random)
        ),
        10 => format!(
            "({} {} {})",
            text(names, below, random),
            compare(random),
            text(names, below, random)
        ),
        11 => format!(
            "{}.{}({})",
            text(names, below, random),
            random.pick(&["startsWith", "endsWith", "contains"]),
            text(names, below, random)
        ),
        12 => format!(
            "{}.matches({})",
            text(names, below, random),
            random.pick(&["'^[a-z]+$'", "'a|b'", "''", r"r'^\d{1,3}$'", "'(?i)AB'", "'^.$'"])
        ),
        13 => {
            let (of, is_text) = list(names, below, random);
            let item = if is_text { text(names, below, random) } else { int(names, below, random) };
            format!("({item} in {of})")
        }
        14 => match of_spec(
            names,
            &["list", "nums", "set", "items", "things", "labels", "limits", "obj", "port"],
            random,
        ) {
            Some(of) => {
                let field = of.split_once('.').map_or("", |(_, field)| field);
                let other = one(&names.specs, random).unwrap_or_default();
                format!("({of} {} {other}.{field})", equal(random))
            }
            None => "true".to_owned(),
        },
        15 => match of_spec(names, &["dur"], random) {
            Some(of) => format!(
                "({of} {} duration({}))",
                compare(random),
                random.pick(&["'1h'", "'90m'", "'1.5h'", "'-1s'"])
            ),
            None => format!(
                "(duration({}) {} duration('1s'))",
                text(names, below, random),
                compare(random)
            ),
        },
        16 => match of_spec(names, &["labels", "limits"], random) {
            Some(of) => format!("({} in {of})", text(names, below, random)),
            None => "true".to_owned(),
        },
        17 => match one(&names.items, random) {
            Some(item) => format!(
                "({item}.{} {} {})",
                random.pick(&["name", "name"]),
                equal(random),
                text(names, below, random)
            ),
            None => condition(names, below, random),
        },
        _ => some_loop(names, below, random),
    }
}
