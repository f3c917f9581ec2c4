//! Nothing that users write into a fleet is lost, whatever version they write it in.

crd_conv::laws!(fleet::Fleet);
