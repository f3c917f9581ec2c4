//! Nothing that users write into a crontab is lost, whatever version they write it in.

crd_conv::laws!(crontab::CronTab);
