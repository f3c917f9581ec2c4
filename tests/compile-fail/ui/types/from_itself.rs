use crd_conv::Versioned;

#[derive(Versioned)]
#[versioned(from = Self)]
pub struct CronTabSpec {
    pub schedule: String,
}

#[derive(Versioned)]
#[versioned(from = BackupSpec)]
pub struct BackupSpec {
    pub schedule: String,
    #[versioned(added)]
    pub suspend: Option<bool>,
}

mod api {
    #[derive(crd_conv::Versioned)]
    #[versioned(from = self::RestoreSpec)]
    pub struct RestoreSpec {
        pub schedule: String,
    }
}

#[derive(Versioned)]
#[versioned(from = Self)]
pub enum Phase {
    Running,
}

#[derive(Versioned)]
#[versioned(from = State, removed(Old = Running))]
pub enum State {
    Running,
}

fn main() {}
