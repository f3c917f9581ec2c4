//! Values that the next version has in another form: numbers and texts become values with something inside, and back.

use crate::draw::Draw;
use crate::model::{AMOUNT, Base, Field, KEY, Literal, Origin, Sort, Version, With, Wrap};
use crate::values;

/// What a field becomes, and how.
pub(crate) struct Form {
    base: Base,
    wrap: Wrap,
    converter: String,
    fallback: Option<&'static str>,
}

impl Form {
    fn new(base: Base, wrap: Wrap, converter: impl Into<String>) -> Self {
        Self { base, wrap, converter: converter.into(), fallback: None }
    }

    fn or(self, fallback: &'static str) -> Self {
        Self { fallback: Some(fallback), ..self }
    }
}

/// The converter between a number and a value that holds it.
#[derive(Clone, Copy)]
enum Amount {
    Kilos,
    /// Of the library; for a struct that can be made of nothing else.
    Wrapped,
}

impl Amount {
    const fn name(self) -> &'static str {
        match self {
            Self::Kilos => "Kilos",
            Self::Wrapped => r#"Wrapped("amount")"#,
        }
    }
}

impl Draw {
    /// Gives a field another form, if there is one. `may_require` says whether objects without it may be refused that
    /// weren't before.
    pub(crate) fn convert(&mut self, field: &mut Field, older: &Version, may_require: bool) {
        let Some(Form { base, wrap, converter, fallback }) = self.form(field, older) else {
            return;
        };
        let default = values::default_of(&self.version, &mut self.chance, &base);
        let required = field.is_required() || may_require;
        // A struct with a union that is always there can't be a default.
        if wrap == Wrap::Plain && !may_require && default.is_none() {
            return;
        }
        let some = match wrap {
            Wrap::Option => self.chance.percent(30),
            Wrap::Plain => !required || self.chance.percent(50),
            Wrap::List | Wrap::Keyed | Wrap::Map => false,
        };
        field.default = default.filter(|_| some);
        field.refuses_null =
            wrap == Wrap::Option && (self.chance.percent(30) || matches!(base, Base::Union(_)));
        field.skipped = self.chance.percent(40);
        field.filled = false;
        (field.base, field.wrap) = (base, wrap);
        let renamed = self.chance.percent(25).then(|| self.names.field());
        let renamed = renamed.map(|name| std::mem::replace(&mut field.name, name));
        field.origin = Origin::Converted(With { converter, fallback, renamed });
    }

    fn form(&mut self, field: &Field, older: &Version) -> Option<Form> {
        let sort = match &field.base {
            Base::Struct(name) | Base::Union(name) => older.sort(name),
            _ => Sort::Own,
        };
        let own = if sort == Sort::Own { 0 } else { 45 };
        Some(match (&field.base, field.wrap) {
            (Base::Int, Wrap::Option) if self.chance.percent(25) => {
                Form::new(Base::Digits, Wrap::Option, "IntText")
            }
            (Base::Digits, Wrap::Option) => {
                Form::new(Base::Int, Wrap::Option, "Inverse(IntText)").or("upgrade = _")
            }
            (Base::Int, Wrap::Option | Wrap::Plain) => self.whole_of_number(field.wrap),
            (Base::Int, Wrap::List) => {
                let (base, amount) = self.whole();
                Form::new(base, Wrap::List, format!("Each({})", amount.name()))
            }
            (Base::Json, Wrap::Option) => {
                let base = self.wrapping();
                Form::new(base, Wrap::Option, "JsonText").or("upgrade = _")
            }
            (Base::Bool, Wrap::Option | Wrap::Plain) => {
                let (base, _) = self.whole_struct();
                Form::new(base, Wrap::Option, "Presence")
            }
            (Base::Struct(_), Wrap::Keyed) => self.by_key(field, older)?,
            (Base::Struct(_), Wrap::Map) if self.chance.percent(30) => self.by_key(field, older)?,
            (Base::Struct(_), Wrap::List) if self.chance.percent(own) => {
                Form::new(field.base.clone(), Wrap::Option, "Inverse(First)")
            }
            (Base::Struct(_), Wrap::Option) if self.chance.percent(own) => {
                self.same_elsewhere(field, older)
            }
            (Base::Struct(_), Wrap::Plain) if self.chance.percent(own) => {
                self.note_older(&field.base);
                Form::new(field.base.clone(), Wrap::Option, "ZeroAsAbsent")
            }
            (Base::Struct(_) | Base::Union(_), _) => self.of_whole(field, sort),
            _ => return None,
        })
    }

    /// From an optional struct that both versions know.
    fn same_elsewhere(&mut self, field: &Field, older: &Version) -> Form {
        let base = field.base.clone();
        let text = !has_required(older, &base) && self.chance.percent(20);
        if text {
            return Form::new(Base::Json, Wrap::Option, "Inverse(JsonText)").or("downgrade = _");
        }
        let absent = values::default_of(older, &mut self.chance, &base).expect("it is a struct");
        if self.chance.percent(50) {
            return Form::new(base, Wrap::List, "First");
        }
        if self.chance.percent(50) {
            let by = self.chance.pick(["AbsentIs", "AbsentBecomes"]);
            return Form::new(base, Wrap::Plain, format!("{by}({absent})"));
        }
        self.note_older(&base);
        let wrap = self.chance.pick([Wrap::Option, Wrap::Plain]);
        Form::new(Base::Bool, wrap, "Inverse(Presence)")
    }

    /// From a number.
    fn whole_of_number(&mut self, was: Wrap) -> Form {
        let wrap = self.whole_wrap();
        let (base, amount) = self.whole();
        let converter = self.amounts(was, wrap, amount, &base.to_string());
        Form::new(base, wrap, converter)
    }

    /// To a number, or to another value that holds one.
    fn of_whole(&mut self, field: &Field, sort: Sort) -> Form {
        self.note_older(&field.base);
        let ty = match sort {
            Sort::Own => format!("super::v{}::{}", self.place, field.base),
            Sort::Shared | Sort::Foreign => field.base.to_string(),
        };
        if self.chance.percent(25) {
            let first = self.amounts(Wrap::Plain, field.wrap, Amount::Kilos, &ty);
            let Form { base, wrap, converter, .. } = self.whole_of_number(Wrap::Plain);
            let both = format!("Then::<_, _, i64>::new(Inverse({first}), {converter})");
            return Form::new(base, wrap, both);
        }
        let wrap = self.chance.weighted([(65, Wrap::Option), (35, Wrap::Plain)]);
        let back = self.amounts(wrap, field.wrap, Amount::Kilos, &ty);
        Form::new(Base::Int, wrap, format!("Inverse({back})"))
    }

    /// The converter between a number and a value that holds it, of a type.
    fn amounts(&mut self, number: Wrap, whole: Wrap, by: Amount, ty: &str) -> String {
        let one = by.name();
        let first = format!("Then::<_, _, Option<{ty}>>::new(Optional({one}), First)");
        let any = self.chance.percent(50);
        match (number, whole) {
            (Wrap::Plain, Wrap::List) if any => "Kilos".to_owned(),
            (Wrap::Plain, Wrap::List | Wrap::Keyed) => {
                format!("Then::<_, _, Option<i64>>::new(ZeroAsAbsent, {first})")
            }
            (_, Wrap::List | Wrap::Keyed) => first,
            (Wrap::Plain, Wrap::Map) => "Kilos".to_owned(),
            (_, Wrap::Map) => "Then::<_, _, i64>::new(AbsentIs(0), Kilos)".to_owned(),
            (Wrap::Plain, Wrap::Option) => {
                format!("Then::<_, _, Option<i64>>::new(ZeroAsAbsent, Optional({one}))")
            }
            (Wrap::Option, Wrap::Plain) => {
                format!("Then::<_, _, i64>::new(AbsentIs(3), {one})")
            }
            _ => one.to_owned(),
        }
    }

    /// How many there may be of what a number becomes.
    fn whole_wrap(&mut self) -> Wrap {
        self.chance.weighted([
            (45, Wrap::Option),
            (20, Wrap::Plain),
            (20, Wrap::List),
            (15, Wrap::Map),
        ])
    }

    /// A new type that holds a number, and the converter for it.
    fn whole(&mut self) -> (Base, Amount) {
        if self.chance.percent(70) {
            return self.whole_struct();
        }
        let union = self.of_any_sort(|draw| Base::Union(draw.union()));
        self.converted.push((self.place, union.clone()));
        (union, Amount::Kilos)
    }

    fn whole_struct(&mut self) -> (Base, Amount) {
        if self.chance.percent(35) {
            return (self.wrapping(), Amount::Wrapped);
        }
        (self.struct_around(1), Amount::Kilos)
    }

    /// A new struct that can be made of the number alone.
    fn wrapping(&mut self) -> Base {
        let base = self.struct_around(1);
        let Base::Struct(name) = &base else { return base };
        for field in &mut self.version.at(name).fields {
            if field.wrap == Wrap::Plain && !field.filled && field.name != AMOUNT {
                field.wrap = Wrap::Option;
            }
        }
        base
    }

    fn struct_around(&mut self, depth: usize) -> Base {
        let mut amount = Field::new(AMOUNT.to_owned(), Base::Int, Wrap::Plain);
        match self.chance.within(0..=9) {
            0 | 1 => amount.filled = true,
            2 => amount.wrap = Wrap::Option,
            3 => (amount.wrap, amount.default) = (Wrap::Option, Some(Literal::Int(3))),
            _ => {}
        }
        let base = self.of_any_sort(|draw| Base::Struct(draw.family(depth, vec![amount])));
        self.converted.push((self.place, base.clone()));
        base
    }

    fn note_older(&mut self, base: &Base) {
        self.converted.push((self.place - 1, base.clone()));
    }

    /// Between a list of structs with keys and a map of structs.
    fn by_key(&mut self, field: &Field, older: &Version) -> Option<Form> {
        let Base::Struct(name) = &field.base else { return None };
        let sort = older.sort(name);
        let kept = |field: &Field| field.name != KEY && (sort != Sort::Own || is_plain(field));
        let fields = older.fields(name);
        // One that stays away has to be one that may.
        let may_go = |field: &Field| field.wrap != Wrap::Plain || field.filled;
        if !fields.iter().all(|field| field.name == KEY || kept(field) || may_go(field)) {
            return None;
        }
        let fields = fields.iter().filter(|field| kept(field)).cloned();
        let mut fields: Vec<Field> =
            fields.map(|field| Field { origin: Origin::Unsaid, ..field }).collect();
        if sort != Sort::Foreign {
            for field in &mut fields {
                self.redeclare(field);
            }
        }
        let by_key = r#"KeyedBy("key")"#;
        let (wrap, converter) = match field.wrap {
            Wrap::Map if sort == Sort::Foreign => return None,
            Wrap::Map => {
                fields.insert(0, Field::new(KEY.to_owned(), Base::Text, Wrap::Plain));
                (Wrap::Keyed, format!("Inverse({by_key})"))
            }
            _ => (Wrap::Map, by_key.to_owned()),
        };
        Some(Form::new(Base::Struct(self.new_struct(fields, sort)), wrap, converter))
    }

    /// Two new fields that a number becomes, and what is said of the three.
    pub(crate) fn split(&mut self, number: &str) -> (Vec<Field>, String) {
        let two: Vec<Field> = (0..2).map(|_| self.part()).collect();
        let map = format!("map({number} <=> ({}, {}), with = Split)", two[0].name, two[1].name);
        (two, map)
    }

    fn part(&mut self) -> Field {
        let (base, _) = self.whole();
        let mut field = Field::new(self.names.field(), base, Wrap::Option);
        field.refuses_null = self.chance.percent(30) || matches!(field.base, Base::Union(_));
        if self.chance.percent(25) {
            field.default = values::default_of(&self.version, &mut self.chance, &field.base);
        }
        field
    }

    /// A new field that becomes of two, and what is said of the three.
    pub(crate) fn join(&mut self, two: [&Field; 2]) -> (Field, String) {
        for field in two {
            self.note_older(&field.base);
        }
        let mut number = Field::new(self.names.field(), Base::Int, Wrap::Option);
        self.redeclare(&mut number);
        let [a, b] = two.map(|field| &field.name);
        let map = format!("map(({a}, {b}) <=> {}, with = Inverse(Split))", number.name);
        (number, map)
    }
}

fn has_required(version: &Version, of: &Base) -> bool {
    let Base::Struct(name) = of else { return false };
    version.fields(name).iter().any(|field| field.wrap == Wrap::Plain && !field.filled)
}

/// Whether every version reads what another one writes of it.
fn is_plain(field: &Field) -> bool {
    matches!(field.base, Base::Int | Base::Text | Base::Digits | Base::Json | Base::Bool)
}

/// Whether two of such fields may become a number.
pub(crate) fn can_join(field: &Field) -> bool {
    field.wrap == Wrap::Option && matches!(field.base, Base::Struct(_) | Base::Union(_))
}
