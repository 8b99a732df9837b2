//! How well rules are served, as ValidateRuleset reports it.

use dicepoker_proto::v1 as pb;

/// A feature that is exact.
pub(crate) fn exact(feature: pb::SupportedFeature) -> pb::Support {
    support(feature, pb::SupportQuality::Exact, String::new())
}

/// A feature that has estimates, and the reason.
pub(crate) fn estimated(feature: pb::SupportedFeature, why: impl Into<String>) -> pb::Support {
    support(feature, pb::SupportQuality::Estimated, why.into())
}

/// A feature that the rules do not have, and the reason.
pub(crate) fn none(feature: pb::SupportedFeature, why: impl Into<String>) -> pb::Support {
    support(feature, pb::SupportQuality::None, why.into())
}

fn support(
    feature: pb::SupportedFeature,
    quality: pb::SupportQuality,
    limitation: String,
) -> pb::Support {
    pb::Support { feature: feature.into(), quality: quality.into(), limitation }
}
