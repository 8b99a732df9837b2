//! Which calls share rules, and the memory of the cache.

use futures_util::FutureExt as _;

use super::ids::built_in_ids;
use super::*;

fn rulesets(cache_bytes: u64) -> Rulesets {
    let long_work = LongWork::new(1, 64).expect("threads");
    Rulesets::new(cache_bytes, Duration::from_secs(60), Budget::BUILT_IN, long_work)
}

#[tokio::test]
async fn the_ids_known_without_rules_are_those_of_the_built_in_rules() {
    let mut known = built_in_ids();
    let mut ids = rulesets(0).ids().to_vec();
    known.sort_unstable();
    ids.sort_unstable();
    assert_eq!(known, ids);
}

/// Yacht with another bonus.
fn definition(rulesets: &Rulesets, points: i32) -> pb::RulesetDefinition {
    let yacht = &rulesets.built_in("yacht").expect("built in").rules;
    let mut definition = yacht.describe().definition.expect("a definition");
    definition.upper_bonuses[0].points = points;
    definition
}

async fn find(rulesets: &Rulesets, definition: &pb::RulesetDefinition) -> Arc<dyn Rules> {
    rulesets.find("", None, Some(definition), &Extensions::new()).await.expect("sound")
}

async fn solve(rules: &Arc<dyn Rules>) -> f64 {
    Arc::clone(rules).solve().await.expect("solved");
    rules.describe().expected_score.expect("solved")
}

fn same(one: &Arc<dyn Rules>, other: &Arc<dyn Rules>) -> bool {
    std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
}

#[tokio::test]
async fn definitions_with_equal_content_share_their_rules() {
    let rulesets = rulesets(256 << 20);
    let mut renamed = definition(&rulesets, 36);
    renamed.categories[0].title = "Aces".to_owned();
    let definition = definition(&rulesets, 36);
    let (one, other) = tokio::join!(find(&rulesets, &definition), find(&rulesets, &renamed));
    assert!(same(&one, &other));
    let (first, second) = tokio::join!(solve(&one), solve(&other));
    assert_eq!(first.to_bits(), second.to_bits());
}

#[tokio::test]
async fn rules_dropped_from_the_cache_serve_the_calls_that_use_them() {
    // Too small for even one.
    let rulesets = rulesets(1 << 10);
    let held = find(&rulesets, &definition(&rulesets, 36)).await;
    let before = solve(&held).await;
    for points in 37..45 {
        find(&rulesets, &definition(&rulesets, points)).await;
    }
    rulesets.context.cache.settle().await;
    assert_eq!(rulesets.cached(), 0);
    assert_eq!(before.to_bits(), solve(&held).await.to_bits());
    // Another call makes them again.
    assert!(!same(&held, &find(&rulesets, &definition(&rulesets, 36)).await));
}

/// Bytes of the cache after its pending evictions.
async fn settled_bytes(rulesets: &Rulesets) -> u64 {
    rulesets.context.cache.settle().await;
    rulesets.cached_bytes()
}

#[tokio::test]
async fn rules_weigh_all_their_tables() {
    let rulesets = rulesets(256 << 20);
    let definition = definition(&rulesets, 36);
    let table_bytes = rulesets.validate("", None, Some(&definition)).expect("sound").table_bytes;
    let rules = find(&rulesets, &definition).await;
    let read = settled_bytes(&rulesets).await;
    assert_eq!(read, u64::from(rules.kibibytes()) << 10);
    // The waiting caller cancels before they are solved.
    assert!(solve(&rules).now_or_never().is_none());
    assert_eq!(settled_bytes(&rulesets).await, read, "nothing was solved");
    solve(&rules).await;
    let solved = settled_bytes(&rulesets).await;
    assert!(solved - read >= table_bytes / 2, "{read}, then {solved}");
    // Tables of objectives are weighed when they are made, though no caller waits for them.
    let to_reach = pb::SuggestRequest {
        position: Some(pb::Position { rolls_left: 3, ..Default::default() }),
        objective: pb::Objective::ReachTarget.into(),
        target: 200,
        ..Default::default()
    };
    for _ in 0..3 {
        let first = Arc::clone(&rules).suggest(to_reach.clone());
        let first = first.now_or_never().expect("waits for no table").expect("advice");
        assert!(!first.exact && first.alternatives[0].target_probability.is_some());
    }
    while u64::from(rules.kibibytes()) << 10 == solved || rulesets.context.long_work.running() > 0 {
        tokio::task::yield_now().await;
    }
    assert_eq!(settled_bytes(&rulesets).await, u64::from(rules.kibibytes()) << 10);
    assert!(settled_bytes(&rulesets).await > solved);
    assert_eq!(rulesets.cached(), 1);
}

#[tokio::test]
async fn unsolved_rules_leave_room_for_a_solved_one() {
    let unlimited = rulesets(0);
    let cost = unlimited.validate("yacht", None, None).expect("built in");
    // By their cost of solving, three would fit.
    let rulesets = rulesets(3 * (cost.table_bytes + cost.working_bytes));
    let solved = find(&rulesets, &definition(&rulesets, 1)).await;
    solve(&solved).await;
    for points in 2..20 {
        let unsolved = find(&rulesets, &definition(&rulesets, points)).await;
        let abandoned = points % 2 == 0;
        assert!(!abandoned || solve(&unsolved).now_or_never().is_none());
        rulesets.context.cache.settle().await;
    }
    assert_eq!(rulesets.cached(), 19);
    assert!(same(&solved, &find(&rulesets, &definition(&rulesets, 1)).await));
}

#[tokio::test]
async fn a_definition_equal_to_a_built_in_ruleset_is_that_ruleset() {
    let rulesets = rulesets(256 << 20);
    let yacht = rulesets.find("yacht", None, None, &Extensions::new()).await;
    let yacht = yacht.expect("built in");
    assert!(same(&yacht, &find(&rulesets, &definition(&rulesets, 35)).await));
}

#[test]
fn first_rulesets_are_listed_first_and_every_id_once() {
    let rulesets = rulesets(0);
    assert_eq!(rulesets.ids()[..3], FIRST);
    assert_eq!(rulesets.ids().len(), rulesets.built_in.len());
}
