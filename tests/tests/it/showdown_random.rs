//! Random showdowns over the socket: rules are refused with fields, or a match is played to its end.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{Client, fields};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use tonic::Code;

use crate::random::showdown_definition;
use crate::server;

/// The number of random rules; `DICEPOKER_RANDOM_SHOWDOWNS` sets another one.
const RANDOM: u64 = 300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_rules_are_refused_with_fields_or_played_to_the_end() {
    let server = server();
    let mut client = server.client().await;
    let count = std::env::var("DICEPOKER_RANDOM_SHOWDOWNS").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(RANDOM);
    let (mut refused, mut played) = (0, 0);
    for seed in 0..count {
        let mut random = ChaCha12Rng::seed_from_u64(seed);
        let definition = showdown_definition(&mut random);
        let request = pb::ValidateRulesetRequest {
            definition: Some(definition.clone()),
            ..Default::default()
        };
        match client.validate_ruleset(request).await {
            Err(status) => {
                assert_eq!(status.code(), Code::InvalidArgument, "{seed}: {status:?}");
                assert!(!fields(&status).is_empty(), "{seed}: {status:?}");
                refused += 1;
            }
            Ok(_) => {
                one_match(&mut client, definition, seed).await;
                played += 1;
            }
        }
    }
    assert!(refused > count / 10 && played > count / 10, "{refused} refused, {played} played");
    assert!(server.runs());
}

/// Plays a match by legal moves, which need no values.
async fn one_match(client: &mut Client, definition: pb::RulesetDefinition, seed: u64) {
    let showdown = definition.showdown.clone().unwrap_or_default();
    let players = if showdown.payout { 1 } else { 2 };
    let mut position = pb::Position::start_showdown(players, showdown.rethrows + 1);
    for _ in 0..400 {
        let request = pb::LegalMovesRequest {
            definition: Some(definition.clone()),
            position: Some(position.clone()),
            ..Default::default()
        };
        let moves = client.legal_moves(request).await.expect("possible").into_inner().moves;
        let chosen = moves[seed as usize % moves.len()].clone();
        let request = pb::ApplyRequest {
            definition: Some(definition.clone()),
            position: Some(position),
            r#move: Some(chosen),
            seed: Some(seed),
            ..Default::default()
        };
        let applied = client.apply(request).await.expect("legal").into_inner();
        if applied.game_ended {
            return;
        }
        position = applied.position.expect("a position");
    }
    // Only ties that are thrown again may take long.
    assert_eq!(showdown.draws(), pb::ShowdownDraws::Again, "a match without end");
}
