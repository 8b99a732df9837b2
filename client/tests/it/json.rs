//! Rulesets in their JSON form, and options.

use dicepoker_client::proto::RulesetFamily;
use dicepoker_client::{Client, Dice, Json, Rules, Ruleset};
use dicepoker_testkit::InProcess;
use serde_json::{Value, from_value, to_value};

#[test]
fn unknown_fields_are_rejected_by_name() {
    let typo = serde_json::json!({"dice": [1], "rols_left": 1});
    let error = from_value::<Json<dicepoker_client::Position>>(typo).expect_err("a typo");
    assert!(error.to_string().contains("rols_left"), "{error}");
}

#[tokio::test]
async fn rulesets_survive_json_and_can_be_sent_back_as_data() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    for ruleset in client.rulesets().await.expect("lists") {
        let value: Value = to_value(Json(ruleset.clone())).expect("JSON");
        let Json(read) = from_value::<Json<Ruleset>>(value).expect("a ruleset");
        assert_eq!(read, ruleset);
        // Only score sheets can be sent as data.
        if ruleset.family() != RulesetFamily::ScoreSheet {
            continue;
        }
        let definition = ruleset.definition.expect("a definition");
        let roll: Dice = (0..definition.dice).map(|die| 2 + die % 2).collect();
        let named = client.score(ruleset.id, roll.clone()).await.expect("scores");
        let rules = Rules::defined(definition);
        assert_eq!(client.score(rules, roll).await.expect("scores"), named);
    }
}

#[tokio::test]
async fn options_of_every_kind_are_sent() {
    let server = InProcess::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let house = Rules::named("dice-poker-15")
        .option("upper_bonus_threshold", 63)
        .option_list("joker_fills", ["full_house"]);
    let ruleset = client.ruleset(house).await.expect("a ruleset");
    let definition = ruleset.definition.expect("a definition");
    assert_eq!(definition.upper_bonuses[0].threshold, 63);
    assert_eq!(definition.joker.expect("a joker").fills, ["full_house"]);
    assert_eq!(ruleset.options[0].default_value, Some(64.into()));
}
