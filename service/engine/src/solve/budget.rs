//! The most that solving a ruleset may take.

/// The most that solving a ruleset may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes, of the solution and while solving.
    pub bytes: u64,
    /// Steps of work, see [`Estimate::work`](super::Estimate::work).
    pub work: u64,
}

impl Budget {
    /// What any ruleset of this engine's own needs: maxi-yatzy, the largest, takes half of it.
    pub const BUILT_IN: Self = Self { bytes: 256 << 20, work: 100_000_000_000 };

    /// The steps of work that one core with wide vectors does in this time, roughly.
    #[must_use]
    pub fn work_of(time: std::time::Duration) -> u64 {
        (time.as_secs_f64() * WORK_A_SECOND) as u64
    }
}

/// Steps of work a second on one core with AVX-512, as measured for the built-in rulesets; half
/// of it with AVX2.
const WORK_A_SECOND: f64 = 3e9;

pub(super) fn seconds(work: u64, threads: usize) -> f64 {
    work as f64 / WORK_A_SECOND / threads.max(1) as f64
}
