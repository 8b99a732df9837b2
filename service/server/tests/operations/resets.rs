//! Calls that are reset as soon as they are made: by clients with short deadlines, and in floods.

use tokio::time::timeout;

use crate::raw::{
    END_HEADERS, END_STREAM, GOAWAY, HEADERS, RST_STREAM, Raw, SCORE, SETTINGS, call, frame,
};
use crate::server::{PATIENCE, Server, score, start};

const CANCEL: [u8; 4] = 8_u32.to_be_bytes();
const ENHANCE_YOUR_CALM: [u8; 4] = 11_u32.to_be_bytes();

/// Whether a connection stays open on which so many calls are made and reset at once, repeatedly.
async fn stays(server: &Server, at_once: u32) -> bool {
    const ROUNDS: u32 = 10;
    let mut raw = Raw::hello(server.address).await;
    raw.wait_for(SETTINGS, PATIENCE).await.expect("greeted");
    let block = call("/there.is/None", &[]);
    for round in 0..ROUNDS {
        let first = 2 * round * (at_once + 1) + 1;
        let last = first + 2 * at_once;
        let resets = (first..last).step_by(2).flat_map(|stream| {
            let head = frame(HEADERS, END_HEADERS, stream, &block);
            [head, frame(RST_STREAM, 0, stream, &CANCEL)].concat()
        });
        // When it is answered, all calls before it have been accepted.
        let kept = frame(HEADERS, END_HEADERS | END_STREAM, last, &block);
        // The connection may close before all is sent.
        let _ = raw.send(&resets.chain(kept).collect::<Vec<_>>()).await;
        loop {
            match timeout(PATIENCE, raw.next()).await.expect("in time") {
                Some(answer) if answer.kind == HEADERS => break,
                Some(answer) if answer.kind == GOAWAY => {
                    assert_eq!(answer.payload[4..8], ENHANCE_YOUR_CALM);
                    return false;
                }
                Some(_) => {}
                None => return false,
            }
        }
    }
    true
}

#[tokio::test]
async fn as_many_calls_may_be_reset_at_once_as_the_setting_allows() {
    for (most, at_once, may) in
        [(None, 40, true), (None, 80, false), (Some("20"), 40, false), (Some("100"), 80, true)]
    {
        let flags = most.map(|most| ["--max-pending-resets", most]);
        let server = start(flags.as_ref().map_or(&[], |flags| &flags[..]));
        assert_eq!(stays(&server, at_once).await, may, "{most:?}: {at_once}");
        server.client().await.score(score()).await.expect("others are served");
    }
}

#[tokio::test]
async fn a_flood_of_resets_ends_its_connection() {
    let server = start(&[]);
    let mut client = server.client().await;
    let mut raw = Raw::hello(server.address).await;
    let block = call(SCORE, &[]);
    let mut flood = Vec::new();
    for stream in (1..4001).step_by(2) {
        flood.extend(frame(HEADERS, END_HEADERS, stream, &block));
        flood.extend(frame(RST_STREAM, 0, stream, &CANCEL));
    }
    // The connection may close before all is sent.
    let _ = raw.send(&flood).await;
    let goaway = raw.wait_for(GOAWAY, PATIENCE).await;
    if let Some(goaway) = goaway {
        assert_eq!(goaway.payload[4..8], ENHANCE_YOUR_CALM);
    }
    assert!(raw.is_closed_within(PATIENCE / 2).await);
    client.score(score()).await.expect("others are served");
}
