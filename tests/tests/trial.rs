//! The laws for resources with every kind of rule.

mod gadget {
    crd_conv::laws!(crd_conv_tests::gadget::Gadget);
}

mod flat {
    crd_conv::laws!(crd_conv_tests::flat::Flat);
}

mod rack {
    crd_conv::laws!(crd_conv_tests::rack::Rack);
}

mod hotel {
    crd_conv::laws!(crd_conv_tests::hotel::Hotel);
}

mod atlas {
    crd_conv::laws!(crd_conv_tests::atlas::Atlas);
}

mod pipe {
    crd_conv::laws!(crd_conv_tests::pipe::Pipe);
}
