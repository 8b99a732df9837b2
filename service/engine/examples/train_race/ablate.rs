//! Ablation: short trainings on equal terms, each without one of the ideas.

use std::time::Instant;

use dicepoker_engine::race::training::{Goal, Knowledge, Net, choose};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::learner::newborn;
use crate::recipe::Step;
use crate::train::{Training, measure, train};

/// An idea, and the change that removes it.
type Idea = (&'static str, fn(&mut Step, &mut Training));

const IDEAS: [Idea; 12] = [
    ("nothing", |_, _| {}),
    ("luck subtracted from returns", |_, t| t.subtract_luck = false),
    ("cells of the others", |_, t| t.limits.without.push(Knowledge::Others)),
    ("playing for the win: for the margin", |_, t| t.goal = Goal::Margin),
    ("games against turn-greedy", |step, _| step.greedy = 0),
    ("points that would double", |_, t| t.limits.without.push(Knowledge::Stakes)),
    ("records that would end it", |_, t| t.limits.without.push(Knowledge::Closings)),
    ("curious turns", |_, t| t.curious = false),
    ("cells left until the end", |_, t| t.limits.without.push(Knowledge::Lefts)),
    ("stages of the game", |_, t| t.limits.without.push(Knowledge::Stages)),
    ("half of the hidden units", |_, t| t.limits.idle_units = 32),
    ("drawing samples again", |step, _| step.reuse = 1),
];

/// Prints the table of all ideas, each row as soon as it is known.
pub(crate) fn ablate(step: &Step, training: &Training) {
    println!("| without | against turn-greedy | against all of it | s |\n|---|---|---|---|");
    let mut whole: Option<Net> = None;
    for (name, take_away) in IDEAS {
        let (mut step, mut training) = (step.clone(), training.clone());
        take_away(&mut step, &mut training);
        let began = Instant::now();
        let mut rng = ChaCha8Rng::seed_from_u64(training.seed);
        let net = newborn(&mut rng, &training.limits);
        let mut last = None;
        let net = train(net, None, &step, &training, |_, point| last = Some(point));
        let Some(point) = last else { continue };
        let percent =
            |(share, deviation)| format!("{:.2} ± {:.2}", 100.0 * share, 100.0 * deviation);
        let against = whole
            .as_ref()
            .map(|whole| percent(measure(&net, &|position| choose(whole, position), 2, &training)));
        println!(
            "| {name} | {} | {} | {:.0} |",
            percent((point.share, point.deviation)),
            against.unwrap_or_default(),
            began.elapsed().as_secs_f64()
        );
        whole.get_or_insert(net);
    }
}
