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
#[versioned(from = v1beta1::CronTabSpec, map(g <=> (h, i), refuses(upgrade = "a reason")))]
pub struct CronTabSpec {
    #[versioned(with = Number, refuses)]
    pub a: i32,
    #[versioned(with = Number, refuses = "a reason")]
    pub b: i32,
    #[versioned(with = Number, refuses(up = "a reason"))]
    pub c: i32,
    #[versioned(with = Number, refuses(upgrade = "a reason", upgrade = "a reason"))]
    pub d: i32,
    #[versioned(with = Number, refuses(upgrade = 0))]
    pub e: i32,
    #[versioned(with = Number, refuses(upgrade = ""))]
    pub f: i32,
    pub h: i32,
    pub i: i32,
}

fn main() {}
