//! How multisets of dice are numbered: by size and, within a size, in the order of their sorted
//! faces.

use super::{DiceSpace, MAX_DICE, MAX_FACES, MAX_KEEPS, NONE};

impl DiceSpace {
    /// Numbers the multisets of up to `dice` dice with `faces` faces.
    ///
    /// # Panics
    /// If [`DiceSpace::fits`] says that they cannot be numbered.
    #[must_use]
    pub fn new(dice: usize, faces: usize) -> Self {
        assert!(Self::fits(dice, faces), "{dice} dice of {faces} faces cannot be numbered");
        let mut level = vec![0];
        let mut counts: Vec<u8> = Vec::new();
        for size in 0..=dice {
            push_multisets(&mut vec![0; faces], 0, size, &mut counts);
            level.push(counts.len() / faces);
        }
        let keeps = counts.len() / faces;
        let number = |wanted: &[u8]| {
            let size: usize = wanted.iter().map(|&c| usize::from(c)).sum();
            let rows = &counts[level[size] * faces..level[size + 1] * faces];
            // Rows are in descending order of their counts, see `push_multisets`.
            let mut low = 0;
            let mut high = rows.len() / faces;
            while low < high {
                let middle = usize::midpoint(low, high);
                if &rows[middle * faces..(middle + 1) * faces] > wanted {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            u16::try_from(level[size] + low).expect("at most MAX_KEEPS keeps")
        };
        let mut add = vec![NONE; keeps * faces];
        let mut remove = vec![NONE; keeps * faces];
        for keep in 0..level[dice] {
            let mut more = counts[keep * faces..(keep + 1) * faces].to_vec();
            for face in 0..faces {
                more[face] += 1;
                let to = number(&more);
                more[face] -= 1;
                add[keep * faces + face] = to;
                remove[usize::from(to) * faces + face] =
                    u16::try_from(keep).expect("at most MAX_KEEPS keeps");
            }
        }
        let throws = (faces as f64).powi(dice as i32);
        let probability = counts[level[dice] * faces..]
            .chunks_exact(faces)
            .map(|row| row.iter().fold(factorial(dice), |ways, &c| ways / factorial(c.into())))
            .map(|ways| ways / throws)
            .collect();
        Self { dice, faces, level, counts, add, remove, probability }
    }

    /// Whether `dice` dice of `faces` faces are within [`MAX_DICE`], [`MAX_FACES`] and
    /// [`MAX_KEEPS`].
    #[must_use]
    pub fn fits(dice: usize, faces: usize) -> bool {
        (1..=MAX_DICE).contains(&dice)
            && (2..=MAX_FACES).contains(&faces)
            && Self::count_keeps(dice, faces) <= MAX_KEEPS
    }

    /// How many multisets of at most `dice` dice there are: `C(dice + faces, dice)`.
    #[must_use]
    pub fn count_keeps(dice: usize, faces: usize) -> usize {
        (1..=dice).fold(1usize, |ways, i| ways.saturating_mul(faces + i) / i)
    }

    /// How many rolls of `dice` dice there are: `C(dice + faces - 1, dice)`.
    #[must_use]
    pub fn count_rolls(dice: usize, faces: usize) -> usize {
        Self::count_keeps(dice, faces - 1)
    }
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|i| i as f64).product()
}

/// Appends the count rows of all multisets of `left` dice among the faces from `face` on, those
/// with more low faces first.
fn push_multisets(row: &mut [u8], face: usize, left: usize, out: &mut Vec<u8>) {
    if face + 1 == row.len() {
        row[face] = left as u8;
        out.extend_from_slice(row);
        return;
    }
    for count in (0..=left).rev() {
        row[face] = count as u8;
        push_multisets(row, face + 1, left - count, out);
    }
    row[face] = 0;
}
