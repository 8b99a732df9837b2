//! The difference of two analyses, for every figure that both have.

use std::collections::BTreeMap;

use dicepoker_proto::v1 as pb;

/// `one` minus `other`.
pub(super) fn difference(one: &pb::Analysis, other: &pb::Analysis) -> pb::Analysis {
    pb::Analysis {
        expected_score: less(&one.expected_score, &other.expected_score),
        standard_deviation: less(&one.standard_deviation, &other.standard_deviation),
        final_scores: by_number(
            one.final_scores.iter().map(|of| (of.score, &of.chance)),
            other.final_scores.iter().map(|of| (of.score, &of.chance)),
        )
        .map(|(score, chance)| pb::ScoreChance { score, chance })
        .collect(),
        targets: paired(&one.targets, &other.targets, |of| of.target)
            .map(|(one, other)| pb::TargetChance {
                chance: less(&one.chance, &other.chance),
                ..*one
            })
            .collect(),
        rows: paired(&one.rows, &other.rows, |of| (&of.category, &of.column, of.entry))
            .map(|(one, other)| rows(one, other))
            .collect(),
        bonuses: paired(&one.bonuses, &other.bonuses, |of| (&of.field, &of.column))
            .map(|(one, other)| pb::BonusAnalysis {
                chance: less(&one.chance, &other.chance),
                mean_points: less(&one.mean_points, &other.mean_points),
                ..one.clone()
            })
            .collect(),
        // Both are in the order of the request.
        opponents: one
            .opponents
            .iter()
            .zip(&other.opponents)
            .map(|(one, other)| pb::OpponentAnalysis {
                opponent: one.opponent.clone(),
                mean_score: less(&one.mean_score, &other.mean_score),
                standard_deviation: less(&one.standard_deviation, &other.standard_deviation),
                win_share: less(&one.win_share, &other.win_share),
            })
            .collect(),
        throws: paired(&one.throws, &other.throws, |of| of.throws)
            .map(|(one, other)| pb::ThrowsAnalysis {
                worth: less(&one.worth, &other.worth),
                ..*one
            })
            .collect(),
        seats: all_less(&one.seats, &other.seats),
        lengths: by_number(
            one.lengths.iter().map(|of| (of.count, &of.chance)),
            other.lengths.iter().map(|of| (of.count, &of.chance)),
        )
        .map(|(count, chance)| pb::LengthChance { count, chance })
        .collect(),
        hands: paired(&one.hands, &other.hands, |of| &of.hand)
            .map(|(one, other)| pb::HandAnalysis {
                hand: one.hand.clone(),
                first_chance: less(&one.first_chance, &other.first_chance),
                final_chance: less(&one.final_chance, &other.final_chance),
                worth: less(&one.worth, &other.worth),
            })
            .collect(),
    }
}

fn rows(one: &pb::RowAnalysis, other: &pb::RowAnalysis) -> pb::RowAnalysis {
    pb::RowAnalysis {
        mean_points: less(&one.mean_points, &other.mean_points),
        zero_chance: less(&one.zero_chance, &other.zero_chance),
        filled_in_turn: all_less(&one.filled_in_turn, &other.filled_in_turn),
        worth: less(&one.worth, &other.worth),
        closed_chance: less(&one.closed_chance, &other.closed_chance),
        ends_game_chance: less(&one.ends_game_chance, &other.ends_game_chance),
        ..one.clone()
    }
}

/// The difference of two figures, if both are known. Errors add up like those of independent
/// samples.
fn less(one: &Option<pb::Figure>, other: &Option<pb::Figure>) -> Option<pb::Figure> {
    let (one, other) = (one.as_ref()?, other.as_ref()?);
    let standard_error = match (one.standard_error, other.standard_error) {
        (Some(one), Some(other)) => Some(one.hypot(other)),
        (one, other) => one.or(other),
    };
    Some(pb::Figure { value: one.value - other.value, standard_error })
}

fn all_less(one: &[pb::Figure], other: &[pb::Figure]) -> Vec<pb::Figure> {
    let pairs = one.iter().zip(other);
    pairs.filter_map(|(one, other)| less(&Some(*one), &Some(*other))).collect()
}

/// Pairs of elements of `one` and `other` with the same key, in the order of `one`.
fn paired<'a, T, K: Ord>(
    one: &'a [T],
    other: &'a [T],
    key: impl Fn(&'a T) -> K,
) -> impl Iterator<Item = (&'a T, &'a T)> {
    let others: BTreeMap<K, &T> = other.iter().map(|of| (key(of), of)).collect();
    one.iter().filter_map(move |of| Some((of, *others.get(&key(of))?)))
}

/// Chances by number, ascending; a number that one side lacks has chance 0 there.
fn by_number<'a, N: Ord + Copy + 'a>(
    one: impl Iterator<Item = (N, &'a Option<pb::Figure>)>,
    other: impl Iterator<Item = (N, &'a Option<pb::Figure>)>,
) -> impl Iterator<Item = (N, Option<pb::Figure>)> {
    const NONE: Option<pb::Figure> = Some(pb::Figure { value: 0.0, standard_error: None });
    let mut chances: BTreeMap<N, [&Option<pb::Figure>; 2]> = BTreeMap::new();
    one.for_each(|(number, chance)| chances.entry(number).or_insert([&NONE; 2])[0] = chance);
    other.for_each(|(number, chance)| chances.entry(number).or_insert([&NONE; 2])[1] = chance);
    chances.into_iter().map(|(number, [one, other])| (number, less(one, other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sampled(value: f64, error: f64) -> Option<pb::Figure> {
        Some(pb::Figure { value, standard_error: Some(error) })
    }

    #[test]
    fn figures_are_subtracted_where_both_are_known() {
        let row = |category: &str, points| pb::RowAnalysis {
            category: category.to_owned(),
            mean_points: sampled(points, 0.3),
            ..pb::RowAnalysis::default()
        };
        let score = |score, chance| pb::ScoreChance { score, chance: sampled(chance, 0.0) };
        let one = pb::Analysis {
            expected_score: sampled(10.0, 3.0),
            rows: vec![row("ones", 2.0), row("twos", 5.0)],
            final_scores: vec![score(9, 0.5), score(11, 0.5)],
            ..pb::Analysis::default()
        };
        let other = pb::Analysis {
            expected_score: sampled(8.0, 4.0),
            rows: vec![row("twos", 4.0), row("threes", 7.0)],
            final_scores: vec![score(7, 0.25), score(9, 0.75)],
            ..pb::Analysis::default()
        };
        let found = difference(&one, &other);
        assert_eq!(found.expected_score, sampled(2.0, 5.0));
        assert_eq!(found.standard_deviation, None);
        let [twos] = &found.rows[..] else { panic!("{:?}", found.rows) };
        assert_eq!(twos.category, "twos");
        assert_eq!(twos.mean_points.expect("both have it").value, 1.0);
        let scores: Vec<(i32, f64)> = found
            .final_scores
            .iter()
            .map(|of| (of.score, of.chance.expect("known").value))
            .collect();
        assert_eq!(scores, [(7, -0.25), (9, -0.25), (11, 0.5)]);
    }
}
