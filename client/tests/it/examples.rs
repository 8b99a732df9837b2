//! The examples run, against a real service.

use dicepoker_testkit::InProcess;

#[path = "../../examples/advice.rs"]
mod advice;
#[path = "../../examples/own_game.rs"]
mod own_game;
#[path = "../../examples/replicas.rs"]
mod replicas;

#[tokio::test]
async fn examples_run() {
    let (first, second) = (InProcess::start(), InProcess::start());
    advice::run(&first.url()).await.expect("advice");
    let points = own_game::run(&first.url()).await.expect("own game");
    assert!(points > 0);
    replicas::run(&format!("{},{}", first.url(), second.url())).await.expect("replicas");
}
