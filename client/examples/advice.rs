//! What a roll is worth and what to do with it: `cargo run --example advice [URL]`.

use dicepoker_client::{Client, Error, Move, Position, Scorecard, SuggestQuery};

/// Calls the service at `url`.
///
/// # Errors
/// If the service cannot be reached.
pub(crate) async fn run(url: &str) -> Result<(), Error> {
    let client = Client::connect(url).await?;
    let rules = "dice-poker-13";

    println!("1-3-2-4-4 on an empty card:");
    let scores = client.score(rules, [1, 3, 2, 4, 4]).await?;
    for score in scores.scores.iter().filter(|score| score.points > 0) {
        println!("  {} in {}", score.points, score.category);
    }

    let card = Scorecard::new().with("small_straight", 30).with("chance", 22);
    let position = Position::new([1, 3, 2, 4, 4], 2).with_card(card);
    let advice = client.suggest(rules, SuggestQuery::from(position).top(3)).await?;
    println!("with small straight and chance filled and two throws left:");
    for other in advice.alternatives {
        let chosen = Move::try_from(other.r#move)?;
        println!("  {chosen}: {:.2} points in the end", other.expected_value);
    }
    Ok(())
}

#[allow(dead_code)]
#[tokio::main]
async fn main() -> Result<(), Error> {
    run(&std::env::args().nth(1).unwrap_or_else(|| "http://127.0.0.1:50051".to_owned())).await
}
