//! Nothing that users write into a window is lost, whatever version they write it in.

crd_conv::laws!(operator::MaintenanceWindow);
