//! What is inside lists, maps and types that hold themselves: which item is which, and how deep and how many they may be.

mod alignment;
mod items;
mod large;
mod late_keys;
mod nest;
mod nest_edits;
mod plans;
mod recursion;
