use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        pub cron_spec: String,
        pub owner: Option<String>,
        pub form: Option<String>,
    }

    #[derive(crd_conv::Versioned)]
    pub enum Phase {
        Old,
    }
}

#[derive(Versioned)]
#[versioned(form = v1beta1::CronTabSpec, remvoed(owner))]
pub struct Transposed {
    #[versioned(renamed_form = cron_spec)]
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, remove(owner), mapped(owner <=> a), move(a => b.c))]
pub struct OtherWords {
    #[versioned(rename = cron_spec)]
    pub schedule: String,
    #[versioned(nw)]
    pub a: Option<String>,
    #[versioned(add)]
    pub b: Option<String>,
    #[versioned(added(valeu = 3))]
    pub c: i64,
    #[versioned(wiht = Upper)]
    pub d: i64,
    #[versioned(with(upgrad = up, downgrade = down))]
    pub e: i64,
    #[versioned(with = Upper, fallback(upgarde = 3))]
    pub f: i64,
    #[versioned(preserve_unknown)]
    pub g: i64,
    #[versioned(list_map_key(name))]
    pub h: i64,
    #[versioned(x_kubernetes_int_or_string)]
    pub i: i64,
    #[versioned(skip)]
    pub j: i64,
    #[versioned(group = "example.com")]
    pub k: i64,
    #[versioned(validations("self > 0"))]
    pub l: i64,
    #[versioned(validation("self > 0", mesage = "a"))]
    pub m: i64,
}

#[derive(Versioned)]
#[versioned(form = v1beta1::Phase, remvoed(Old = New), storage, group = "example.com")]
pub enum Phase {
    #[versioned(renamed = Old)]
    New,
    #[versioned(aded(shown_as = Old))]
    A,
    #[versioned(added(show_as = Old))]
    B,
    #[versioned(removed(a))]
    C,
}

#[derive(Versioned)]
#[versioned(group = "example.com", storage)]
pub struct Misplaced {
    pub a: String,
}

fn main() {}
