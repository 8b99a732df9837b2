//! Patterns of rows and of hands.

use dicepoker_engine::definition::{Among, Best, Groups, Pattern};
use dicepoker_proto::v1 as pb;

use super::clamp::{clamp_u8, clamp_u16};

/// Reads a pattern.
pub(crate) fn read_pattern(pattern: Option<&pb::Pattern>) -> Option<Pattern> {
    use pb::pattern::Kind;
    Some(match pattern?.kind.as_ref()? {
        Kind::Face(face) => Pattern::Face(clamp_u8(*face)),
        Kind::Any(_) => Pattern::Any,
        Kind::Groups(groups) => Pattern::Groups(Groups {
            sizes: groups.sizes.iter().copied().map(clamp_u8).collect(),
            distinct: !groups.allow_same_face,
        }),
        Kind::Straight(length) => Pattern::Straight(clamp_u8(*length)),
        Kind::Run(run) => Pattern::Run(run.faces.iter().copied().map(clamp_u8).collect()),
        Kind::AllEven(_) => Pattern::AllEven,
        Kind::AllOdd(_) => Pattern::AllOdd,
        Kind::SumAtLeast(sum) => Pattern::SumAtLeast(clamp_u16(*sum)),
        Kind::SumAtMost(sum) => Pattern::SumAtMost(clamp_u16(*sum)),
        Kind::SumIs(sum) => Pattern::SumIs(clamp_u16(*sum)),
        Kind::Only(only) => Pattern::Only(only.faces.iter().copied().map(clamp_u8).collect()),
        Kind::Among(inner) => Pattern::Among(read_among(inner)?),
        Kind::Wild(inner) => Pattern::Wild(read_among(inner)?),
        Kind::Best(best) => Pattern::Best(Best {
            dice: clamp_u8(best.dice),
            lowest: best.lowest,
            pattern: Box::new(read_pattern(best.pattern.as_deref())?),
        }),
        Kind::AllOf(list) => Pattern::AllOf(read_patterns(list)?),
        Kind::AnyOf(list) => Pattern::AnyOf(read_patterns(list)?),
        Kind::Not(inner) => Pattern::Not(Box::new(read_pattern(Some(inner))?)),
    })
}

fn read_among(inner: &pb::FacesPattern) -> Option<Among> {
    Some(Among {
        faces: inner.faces.iter().copied().map(clamp_u8).collect(),
        pattern: Box::new(read_pattern(inner.pattern.as_deref())?),
    })
}

fn read_patterns(list: &pb::PatternList) -> Option<Vec<Pattern>> {
    list.patterns.iter().map(|pattern| read_pattern(Some(pattern))).collect()
}

/// Writes a pattern.
pub(crate) fn write_pattern(pattern: &Pattern) -> pb::Pattern {
    use pb::pattern::Kind;
    let wide = |faces: &[u8]| faces.iter().map(|&face| face.into()).collect();
    let among = |inner: &Among| pb::FacesPattern {
        faces: wide(&inner.faces),
        pattern: Some(Box::new(write_pattern(&inner.pattern))),
    };
    let list =
        |parts: &[Pattern]| pb::PatternList { patterns: parts.iter().map(write_pattern).collect() };
    let kind = match pattern {
        Pattern::Face(face) => Kind::Face((*face).into()),
        Pattern::Any => Kind::Any(pb::AnyDice {}),
        Pattern::Groups(groups) => Kind::Groups(pb::Groups {
            sizes: wide(&groups.sizes),
            allow_same_face: !groups.distinct,
        }),
        Pattern::Straight(length) => Kind::Straight((*length).into()),
        Pattern::Run(faces) => Kind::Run(pb::Run { faces: wide(faces) }),
        Pattern::AllEven => Kind::AllEven(pb::AllEven {}),
        Pattern::AllOdd => Kind::AllOdd(pb::AllOdd {}),
        Pattern::SumAtLeast(sum) => Kind::SumAtLeast((*sum).into()),
        Pattern::SumAtMost(sum) => Kind::SumAtMost((*sum).into()),
        Pattern::SumIs(sum) => Kind::SumIs((*sum).into()),
        Pattern::Only(faces) => Kind::Only(pb::FaceSet { faces: wide(faces) }),
        Pattern::Among(inner) => Kind::Among(Box::new(among(inner))),
        Pattern::Wild(inner) => Kind::Wild(Box::new(among(inner))),
        Pattern::Best(best) => Kind::Best(Box::new(pb::BestDice {
            dice: best.dice.into(),
            lowest: best.lowest,
            pattern: Some(Box::new(write_pattern(&best.pattern))),
        })),
        Pattern::AllOf(parts) => Kind::AllOf(list(parts)),
        Pattern::AnyOf(parts) => Kind::AnyOf(list(parts)),
        Pattern::Not(inner) => Kind::Not(Box::new(write_pattern(inner))),
    };
    pb::Pattern { kind: Some(kind) }
}
