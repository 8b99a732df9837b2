//! The JSON form of this crate's types is that of the contract, so that files serve every tool.

use dicepoker_client::{
    Client, Definition, Dice, Family, Move, OptionValue, Position, Rules, Ruleset,
};
use dicepoker_client_testkit::Server;
use serde_json::{Value, from_value, json, to_value};

#[test]
fn the_examples_of_the_contract_are_read() {
    let definition: Definition = from_value(json!({
        "dice": 3, "faces": 6, "rolls": 2, "categories": [
            {"id": "sixes", "section": "SECTION_UPPER", "pattern": {"face": 6},
             "points": {"sum": "DICE_SUM_MATCHING"}},
            {"id": "chance", "section": "SECTION_LOWER", "pattern": {"any": {}},
             "points": {"sum": "DICE_SUM_ALL"}},
        ]
    }))
    .expect("a definition");
    assert_eq!(definition.categories.len(), 2);
    let position: Position =
        from_value(json!({"dice": [1, 1, 3, 4, 6], "rolls_left": 1})).expect("a position");
    assert_eq!(position, Position::new([1, 1, 3, 4, 6], 1));
    for (text, expected) in [
        (json!({"keep": {"dice": [6, 6, 6]}}), Move::keep([6, 6, 6])),
        (json!({"record": {"category": "sixes"}}), Move::record("sixes")),
        (json!({"stop": {}}), Move::Stop {}),
    ] {
        assert_eq!(to_value(&expected).expect("JSON"), text);
        assert_eq!(from_value::<Move>(text).expect("a move"), expected);
    }
}

#[test]
fn what_is_no_field_is_told() {
    let typo = json!({"dice": [1], "rols_left": 1});
    let error = from_value::<Position>(typo).expect_err("a typo").to_string();
    assert!(error.contains("rols_left") && error.contains("rolls_left"), "{error}");
}

#[tokio::test]
async fn rulesets_survive_json_and_can_be_sent_back_as_data() {
    let server = Server::start();
    let client = Client::connect(server.url()).await.expect("connects");
    for ruleset in client.rulesets().await.expect("lists") {
        let value: Value = to_value(&ruleset).expect("JSON");
        assert_eq!(from_value::<Ruleset>(value).expect("a ruleset"), ruleset);
        // Only score sheets can be sent as data.
        if ruleset.family != Family::ScoreSheet {
            continue;
        }
        let roll: Dice = (0..ruleset.definition.dice).map(|die| 2 + die % 2).collect();
        let named = client.score(ruleset.id.as_str(), roll.clone()).await.expect("scores");
        let rules = Rules::defined(ruleset.definition);
        assert_eq!(client.score(rules, roll).await.expect("scores"), named);
    }
}

#[tokio::test]
async fn options_of_every_kind_are_sent() {
    let server = Server::start();
    let client = Client::connect(server.url()).await.expect("connects");
    let house = Rules::named("dice-poker-15")
        .option("upper_bonus_threshold", 63)
        .option("joker_fills", ["full_house"]);
    let ruleset = client.ruleset(house).await.expect("a ruleset");
    assert_eq!(ruleset.definition.upper_bonuses[0].threshold, 63);
    assert_eq!(ruleset.definition.joker.expect("a joker").fills, ["full_house"]);
    let default = ruleset.options[0].default_value.as_ref();
    assert_eq!(default, Some(&OptionValue::Integer(64)));
}
