//! A perfect player for a game of your own, whose rules are sent as data:
//! `cargo run --example own_game [URL]`.

use dicepoker_client::{
    Category, Client, Dice, Error, Move, Pattern, Points, Position, Rules, RulesetDefinition,
    SuggestQuery, Throw,
};

/// Plays a game at the service at `url` and returns its final score.
///
/// # Errors
/// If the service cannot be reached.
pub(crate) async fn run(url: &str) -> Result<i32, Error> {
    let game = RulesetDefinition::new(4, 6, 2)
        .category(Category::new("evens", Pattern::all_even(), Points::fixed(20)))
        .category(Category::new("two_pairs", Pattern::groups([2, 2]), Points::all()))
        .category(Category::new("chance", Pattern::any(), Points::all()));
    let rolls = game.rolls;
    let rules = Rules::defined(game);
    let client = Client::connect(url).await?;
    let mut position = Position::start(1, rolls);
    loop {
        let query = SuggestQuery::from(position.clone()).top(1);
        let chosen = Move::try_from(client.suggest(&rules, query).await?.r#move)?;
        let throw = match chosen {
            Move::Keep { .. } => Throw::Seed(42),
            _ => Throw::None,
        };
        println!("{chosen} on {}", Dice::from(&position.dice[..]));
        let applied = client.apply(&rules, position, chosen, throw).await?;
        if applied.game_ended {
            println!("{} points", applied.totals[0].grand_total);
            return Ok(applied.totals[0].grand_total);
        }
        position = applied.position.unwrap_or_default();
    }
}

#[allow(dead_code)]
#[tokio::main]
async fn main() -> Result<(), Error> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:50051".to_owned()))
        .await
        .map(drop)
}
