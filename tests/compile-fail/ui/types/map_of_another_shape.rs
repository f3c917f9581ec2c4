use crd_conv::Versioned;

mod v1beta1 {
    #[derive(crd_conv::Versioned)]
    pub struct CronTabSpec {
        host: String,
        port: u16,
        limit: i32,
    }
}

#[derive(Versioned)]
#[versioned(
    from = v1beta1::CronTabSpec,
    map((host, port) <=> address, with(upgrade = join, downgrade = split)),
)]
pub struct CronTabSpec {
    pub address: String,
    #[versioned(with(upgrade = fallible, downgrade = missing))]
    pub limit: i64,
}

/// Two arguments where one tuple is given.
fn join(host: String, port: u16) -> String {
    format!("{host}:{port}")
}

fn split(address: String) -> Option<(String, u16)> {
    address.split_once(':').map(|(host, _)| (host.to_owned(), 80))
}

/// An error that isn't one.
fn fallible(limit: i32) -> Result<i64, u8> {
    Ok(limit.into())
}

fn main() {}
