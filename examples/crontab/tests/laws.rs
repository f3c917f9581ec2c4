//! Nothing that users write into a crontab is lost, whatever version they write it in.

mod versioning {
    crd_conv::laws!(crontab::CronTab);
}

mod stable {
    crd_conv::laws!(crontab::stable::CronTab);
}
