//! Tests of the engine through its public interface, in one program: linking one is faster than linking many.

mod best_play;
mod brute_force;
mod definitions;
mod explanations;
mod golden;
mod objectives;
mod opponent_levels;
mod opponent_play;
mod opponent_race;
mod opponent_showdown;
mod plans;
mod properties;
mod race_advice;
mod race_properties;
mod race_rules;
mod rules;
mod sheets;
mod showdown_at_once;
mod showdown_estimate;
mod showdown_exact;
mod showdown_golden;
mod showdown_page;
mod showdown_random;
mod solve_random;
mod solve_reference;
