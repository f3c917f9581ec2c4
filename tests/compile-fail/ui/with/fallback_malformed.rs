use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        a: String,
        b: String,
        c: String,
        d: String,
        e: String,
        f: String,
        g: String,
    }
}

#[derive(Versioned)]
#[versioned(from = v1beta1::CronTabSpec, map(g <=> (h, i), fallback(upgrade = (0, 0))))]
pub struct CronTabSpec {
    #[versioned(with = Number, fallback)]
    pub a: i32,
    #[versioned(with = Number, fallback())]
    pub b: i32,
    #[versioned(with = Number, fallback(up = 0))]
    pub c: i32,
    #[versioned(with = Number, fallback(upgrade = 0, upgrade = 0))]
    pub d: i32,
    #[versioned(with = Number, fallback(upgrade))]
    pub e: i32,
    #[versioned(with = Number, fallback(upgrade = compute()))]
    pub f: i32,
    pub h: i32,
    pub i: i32,
}

fn main() {}
