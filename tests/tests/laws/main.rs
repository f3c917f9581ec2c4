//! The laws of conversion, on the resources in which a great many cases found what few didn't: `.ci/run` gives these
//! thousands. The other programs try laws, too, with as many cases as everybody has without the environment variables
//! `CRD_CONV_CASES` and `PROPTEST_CASES`.

mod atlas;
mod filled_holders;
mod gadget;
mod renames;
mod served_items;
mod shared_holders;
mod shipment;
mod unset;
