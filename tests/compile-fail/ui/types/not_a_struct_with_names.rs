use crd_conv::Versioned;

#[derive(Versioned)]
pub struct Pair(String, String);

#[derive(Versioned)]
pub struct Nothing;

#[derive(Versioned)]
pub union Bits {
    a: u32,
    b: f32,
}

#[derive(Versioned)]
pub struct Generic<T> {
    pub value: T,
}

#[derive(Versioned)]
pub struct Borrowed<'a> {
    pub value: &'a str,
}

fn main() {}
