//! Matrix games: two players choose at once, and the best play of each is a probability for each
//! choice.
//!
//! Choices that another one dominates are left out first, which leaves few of most games; the rest
//! is solved by a dense simplex. It uses only sums, products and quotients, so the answer is the
//! same on every platform.

/// The best play of both players of a game.
#[derive(Clone, Debug)]
pub(super) struct Equilibrium {
    /// The probability of each row.
    pub(super) rows: Vec<f64>,
    /// The probability of each column.
    pub(super) columns: Vec<f64>,
}

/// Differences below this are rounding errors.
const NOISE: f64 = 1e-13;

/// Solves the game that pays `payoff[row][column]`, from 0 to 1, to the player of the rows.
pub(super) fn solve(payoff: &[Vec<f64>]) -> Equilibrium {
    let (rows, columns) = (payoff.len(), payoff.first().map_or(0, Vec::len));
    if let Some(pure) = saddle(payoff) {
        return pure;
    }
    let (kept_rows, kept_columns) = undominated(payoff);
    if kept_rows.len() < rows || kept_columns.len() < columns {
        let of = |&row: &usize| kept_columns.iter().map(|&column| payoff[row][column]).collect();
        let play = solve(&kept_rows.iter().map(of).collect::<Vec<_>>());
        return Equilibrium {
            rows: spread(rows, &kept_rows, &play.rows),
            columns: spread(columns, &kept_columns, &play.columns),
        };
    }
    // Largest sum of y with (payoff + 1) y <= 1: the columns' play is y over its sum, and the dual
    // values are the rows'. y = 0 is feasible, and the simplex starts there.
    let width = columns + rows + 1;
    let mut table: Vec<Vec<f64>> = (0..rows)
        .map(|row| {
            let mut line = vec![0.0; width];
            line[..columns].iter_mut().zip(&payoff[row]).for_each(|(cell, pay)| *cell = pay + 1.0);
            line[columns + row] = 1.0;
            line[width - 1] = 1.0;
            line
        })
        .collect();
    let mut goal = vec![0.0; width];
    goal[..columns].fill(-1.0);
    let mut basis: Vec<usize> = (columns..columns + rows).collect();
    for pivots in 0.. {
        let candidates = (0..width - 1).filter(|&column| goal[column] < -NOISE);
        // The steepest column is fast; the first one cannot cycle.
        let entering = if pivots < 8 * (rows + columns) {
            candidates.min_by(|&a, &b| goal[a].total_cmp(&goal[b]))
        } else {
            candidates.min()
        };
        let Some(entering) = entering else { break };
        let leaving = (0..rows).filter(|&row| table[row][entering] > NOISE).min_by(|&a, &b| {
            let ratio = |row: usize| table[row][width - 1] / table[row][entering];
            ratio(a).total_cmp(&ratio(b)).then(basis[a].cmp(&basis[b]))
        });
        let Some(leaving) = leaving else { break };
        let pivot = table[leaving][entering];
        table[leaving].iter_mut().for_each(|cell| *cell /= pivot);
        let line = table[leaving].clone();
        let reduce = |row: &mut [f64]| {
            let factor = row[entering];
            if factor != 0.0 {
                row.iter_mut().zip(&line).for_each(|(cell, pivot)| *cell -= factor * pivot);
            }
        };
        table
            .iter_mut()
            .enumerate()
            .filter(|(row, _)| *row != leaving)
            .for_each(|(_, r)| reduce(r));
        reduce(&mut goal);
        basis[leaving] = entering;
    }
    let mut play = vec![0.0; columns];
    for (row, &column) in basis.iter().enumerate() {
        if column < columns {
            play[column] = table[row][width - 1];
        }
    }
    Equilibrium { rows: shares(&goal[columns..columns + rows]), columns: shares(&play) }
}

/// A row and a column that are best against each other.
fn saddle(payoff: &[Vec<f64>]) -> Option<Equilibrium> {
    let columns = payoff.first().map_or(0, Vec::len);
    let least = |row: &Vec<f64>| row.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |column: usize| payoff.iter().map(|row| row[column]).fold(0.0, f64::max);
    let floor: Vec<f64> = payoff.iter().map(least).collect();
    let ceiling: Vec<f64> = (0..columns).map(most).collect();
    let best = floor.iter().copied().fold(0.0, f64::max);
    let row = floor.iter().position(|&value| value >= best)?;
    let column = ceiling.iter().position(|&value| value <= best + NOISE)?;
    let pure = |at: usize, of: usize| (0..of).map(|i| f64::from(i == at)).collect();
    Some(Equilibrium { rows: pure(row, payoff.len()), columns: pure(column, columns) })
}

/// The rows and columns that no other one of them is at least as good as in every case; of equal
/// ones the first.
fn undominated(payoff: &[Vec<f64>]) -> (Vec<usize>, Vec<usize>) {
    let mut rows: Vec<usize> = (0..payoff.len()).collect();
    let mut columns: Vec<usize> = (0..payoff.first().map_or(0, Vec::len)).collect();
    loop {
        let left = rows.len() + columns.len();
        let against = columns.clone();
        drop_dominated(&mut rows, |one, other| {
            against.iter().all(|&column| payoff[one][column] >= payoff[other][column])
        });
        drop_dominated(&mut columns, |one, other| {
            rows.iter().all(|&row| payoff[row][one] <= payoff[row][other])
        });
        if rows.len() + columns.len() == left {
            return (rows, columns);
        }
    }
}

/// Drops every choice that another one of those left is at least as good as.
fn drop_dominated(choices: &mut Vec<usize>, as_good: impl Fn(usize, usize) -> bool) {
    let mut at = choices.len();
    while at > 0 {
        at -= 1;
        let own = choices[at];
        if choices.iter().any(|&other| other != own && as_good(other, own)) {
            choices.remove(at);
        }
    }
}

/// The probabilities of all choices, given those of the choices `kept`.
fn spread(all: usize, kept: &[usize], play: &[f64]) -> Vec<f64> {
    let mut spread = vec![0.0; all];
    kept.iter().zip(play).for_each(|(&at, &share)| spread[at] = share);
    spread
}

fn shares(weights: &[f64]) -> Vec<f64> {
    let weights = weights.iter().map(|weight| weight.max(0.0));
    let sum: f64 = weights.clone().sum();
    weights.map(|weight| weight / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least that `rows` gets, and the most that `columns` allows.
    fn bounds(payoff: &[Vec<f64>], play: &Equilibrium) -> (f64, f64) {
        let columns = payoff[0].len();
        let against = |j: usize| payoff.iter().zip(&play.rows).map(|(row, x)| row[j] * x).sum();
        let low = (0..columns).map(against).fold(f64::INFINITY, f64::min);
        let gets = |row: &Vec<f64>| row.iter().zip(&play.columns).map(|(m, y)| m * y).sum();
        (low, payoff.iter().map(gets).fold(0.0, f64::max))
    }

    #[test]
    fn neither_player_can_do_better() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as f64 / (1u64 << 31) as f64
        };
        for size in 1..40 {
            for coarse in [false, true] {
                let mut cell = || if coarse { (random() * 3.0).floor() / 3.0 } else { random() };
                let payoff: Vec<Vec<f64>> =
                    (0..size).map(|_| (0..41 - size).map(|_| cell()).collect()).collect();
                let (low, high) = bounds(&payoff, &solve(&payoff));
                assert!((low - high).abs() < 1e-12, "{size}: {low} {high}");
            }
        }
    }

    #[test]
    fn matching_pennies_are_played_half_and_half() {
        let play = solve(&[vec![1.0, 0.0], vec![0.0, 1.0]]);
        assert!(play.rows.iter().chain(&play.columns).all(|share| (share - 0.5).abs() < 1e-12));
    }
}
