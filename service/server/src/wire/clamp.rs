//! Numbers too great for the engine's types become the greatest one, which is beyond every limit, so that
//! the engine's check reports them.

/// A number of dice, faces or throws.
pub(crate) fn clamp_u8(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// A sum.
pub(crate) fn clamp_u16(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

/// Points that may be negative.
pub(crate) fn clamp_i16(number: i32) -> i16 {
    number.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Points that may not: negative ones are beyond every limit too.
pub(crate) fn clamp_points(number: i32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
