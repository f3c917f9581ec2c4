//! The laws for a resource in which rules of every kind meet, in lists, maps and enums.

crd_conv::laws!(crd_conv_tests::atlas::Atlas);
