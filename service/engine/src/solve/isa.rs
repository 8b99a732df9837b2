//! The vector instructions that solving uses, chosen at run time: a binary built for a family of
//! processors uses the best that its processor has. All choices give bit-identical values, as they
//! do the same operations in the same order on each lane.

use pulp::WithSimd;

/// A family of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// Only what the compiler may assume; 16 lanes in an array.
    Portable,
    /// AVX2 on x86-64: 8 lanes.
    Avx2,
    /// AVX-512 on x86-64: 16 lanes.
    Avx512,
    /// NEON on 64-bit ARM: 4 lanes.
    Neon,
}

impl Isa {
    /// All that this processor has, the best last.
    pub fn available() -> impl Iterator<Item = Self> {
        [Self::Portable, Self::Neon, Self::Avx2, Self::Avx512]
            .into_iter()
            .filter(|isa| isa.is_here())
    }

    /// The best this processor has.
    #[must_use]
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The one with the shortest vectors that is more than portable, for work on few lanes.
    #[must_use]
    pub fn narrow() -> Self {
        Self::available().nth(1).unwrap_or(Self::Portable)
    }

    /// Whether this processor has it.
    #[must_use]
    pub fn is_here(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => pulp::aarch64::Neon::try_new().is_some(),
            _ => false,
        }
    }

    /// Runs `work` with these instructions; with portable ones if this processor lacks them.
    pub(crate) fn run<W: WithSimd>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                if let Some(simd) = pulp::x86::V3::try_new() {
                    return pulp::Simd::vectorize(simd, work);
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                if let Some(simd) = pulp::x86::V4::try_new() {
                    return pulp::Simd::vectorize(simd, work);
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => {
                if let Some(simd) = pulp::aarch64::Neon::try_new() {
                    return pulp::Simd::vectorize(simd, work);
                }
            }
            _ => {}
        }
        pulp::Simd::vectorize(pulp::Scalar512b, work)
    }
}
