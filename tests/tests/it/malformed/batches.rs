//! Batches of too few or too many requests, and batches with some invalid requests: those fail by
//! themselves, like the single call.

use dicepoker_proto::v1 as pb;
use dicepoker_tests::{fields, reason};
use pb::batch_score_response::item::Outcome as Scored;
use pb::batch_suggest_response::item::Outcome as Suggested;
use tonic::Status;

use super::positions::MOMENTS;
use super::{Call, expect, invalid, with_position_of};

#[tokio::test]
async fn batches_of_invalid_size_are_rejected() {
    let scores = |count| pb::BatchScoreRequest { requests: vec![Default::default(); count] };
    let advice = |count| pb::BatchSuggestRequest { requests: vec![Default::default(); count] };
    let cases = vec![
        invalid("no scores", scores(0), &["requests"]),
        invalid("257 scores", scores(257), &["requests"]),
        invalid("very many scores", scores(100_000), &["requests"]),
        invalid("no advice", advice(0), &["requests"]),
        invalid("257 times advice", advice(257), &["requests"]),
        invalid("very much advice", advice(100_000), &["requests"]),
    ];
    expect(6, cases).await;
}

#[tokio::test]
async fn errors_of_a_batch_equal_those_of_single_calls() {
    let server = crate::server();
    let mut client = server.client().await;
    let mut scores = Vec::new();
    let mut advice = Vec::new();
    for (_, change, _) in MOMENTS {
        for ruleset in ["dice-poker-13", "no-such-ruleset"] {
            for call in with_position_of(ruleset, change) {
                match call {
                    Call::Score(request) => scores.push(request),
                    Call::Suggest(request) => advice.push(request),
                    _ => {}
                }
            }
        }
    }
    // A valid one at the end of each.
    let good = with_position_of("dice-poker-13", |_| ());
    let [Call::Score(score), _, Call::Suggest(suggest), _] = good else { panic!("in this order") };
    scores.push(score.clone());
    advice.push(suggest.clone());

    let batch = pb::BatchScoreRequest { requests: scores.clone() };
    let mut results = client.batch_score(batch).await.expect("a batch").into_inner().results;
    let single = client.score(score).await.expect("a score").into_inner();
    assert_eq!(results.pop().and_then(|result| result.outcome), Some(Scored::Response(single)));
    assert_eq!(results.len() + 1, scores.len());
    for (request, result) in scores.into_iter().zip(results) {
        let single = client.score(request).await.expect_err("wrong");
        let Some(Scored::Error(error)) = result.outcome else { panic!("not refused: {result:?}") };
        assert_eq!(error, as_item(&single));
    }

    let batch = pb::BatchSuggestRequest { requests: advice.clone() };
    let mut results = client.batch_suggest(batch).await.expect("a batch").into_inner().results;
    let single = client.suggest(suggest).await.expect("advice").into_inner();
    assert_eq!(results.pop().and_then(|result| result.outcome), Some(Suggested::Response(single)));
    assert_eq!(results.len() + 1, advice.len());
    for (request, result) in advice.into_iter().zip(results) {
        let single = client.suggest(request).await.expect_err("wrong");
        let Some(Suggested::Error(error)) = result.outcome else {
            panic!("not refused: {result:?}")
        };
        assert_eq!(error, as_item(&single));
    }
}

/// The error of a single call as a batch has it.
fn as_item(status: &Status) -> pb::ItemError {
    use tonic_types::StatusExt;
    let found = status.get_details_bad_request();
    let violations = found.into_iter().flat_map(|found| found.field_violations);
    let field_violations = violations.map(|violation| pb::item_error::FieldViolation {
        field: violation.field,
        description: violation.description,
    });
    let item = pb::ItemError {
        code: status.code().into(),
        reason: reason(status).expect("a reason"),
        message: status.message().to_owned(),
        field_violations: field_violations.collect(),
    };
    assert_eq!(item.field_violations.len(), fields(status).len());
    item
}
