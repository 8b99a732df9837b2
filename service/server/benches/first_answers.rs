//! The first answers of a fresh server about each built-in score sheet that it solves at start, over a
//! socket: to win, to reach a target, with an explanation. Each is asked in the middle of a game, as the
//! first question of its kind, and the tables are made behind it.
//!
//! ```text
//! cargo bench -p dicepoker-server --bench first_answers
//! ```

use std::time::Instant;

use dicepoker_engine::ruleset::{Ruleset, SolveWhen};
use dicepoker_proto::v1 as pb;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(ask());
}

async fn ask() {
    println!("milliseconds of the first answer, over a socket");
    println!("{:>22} {:>8} {:>8} {:>8}", "", "to win", "target", "explain");
    let all = Ruleset::built_in().into_iter().filter(|r| r.solve == SolveWhen::AtStart);
    let ids: Vec<String> = all.map(|ruleset| ruleset.id).collect();
    let mut times = vec![Vec::new(); ids.len()];
    for question in 0..3 {
        let server = dicepoker_testkit::Server::start(env!("CARGO_BIN_EXE_dicepoker-server"), &[]);
        let mut client = server.client().await;
        for (id, times) in ids.iter().zip(&mut times) {
            let get = pb::GetRulesetRequest { ruleset: id.clone(), ..Default::default() };
            let found = client.get_ruleset(get).await.expect("built in").into_inner();
            let ruleset = found.ruleset.expect("one");
            let empty = vec![pb::Scorecard::default(); 2];
            let mut position = pb::Position { scorecards: empty, ..Default::default() };
            let mut points = 0;
            for _ in 0..ruleset.categories().len() {
                let turn = pb::PlayTurnRequest {
                    ruleset: id.clone(),
                    position: Some(position),
                    seed: Some(1),
                    ..Default::default()
                };
                let played = client.play_turn(turn).await.expect("a turn").into_inner();
                points = played.totals[0].grand_total;
                position = played.position.expect("the next one");
            }
            let mut request = pb::SuggestRequest {
                ruleset: id.clone(),
                position: Some(position),
                ..Default::default()
            };
            match question {
                0 => request.objective = pb::Objective::Win.into(),
                1 => {
                    request.objective = pb::Objective::ReachTarget.into();
                    // Half of the game is played.
                    request.target = 2 * points;
                }
                _ => request.explain = Some(pb::Explain::default()),
            }
            let asked = Instant::now();
            client.suggest(request).await.expect("advice");
            times.push(asked.elapsed().as_secs_f64() * 1e3);
        }
    }
    for (id, times) in ids.iter().zip(&times) {
        println!("{id:>22} {:>8.1} {:>8.1} {:>8.1}", times[0], times[1], times[2]);
    }
    let most = times.iter().flatten().copied().fold(0.0, f64::max);
    println!("at most {most:.1} ms");
}
