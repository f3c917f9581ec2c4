//! The laws for a resource with every kind of rule.

crd_conv::laws!(crd_conv_tests::gadget::Gadget);
