//! HTTP/2 by hand, for clients that violate what client libraries guarantee.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

pub(crate) const DATA: u8 = 0;
pub(crate) const HEADERS: u8 = 1;
pub(crate) const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;

pub(crate) const ACK: u8 = 1;
pub(crate) const END_STREAM: u8 = 1;
pub(crate) const END_HEADERS: u8 = 4;

pub(crate) const SCORE: &str = "/dicepoker.v1.DicePokerService/Score";

/// A received frame.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) payload: Vec<u8>,
}

/// A connection that sends arbitrary frames.
#[derive(Debug)]
pub(crate) struct Raw(pub(crate) TcpStream);

impl Raw {
    /// A connection after the preface and the settings.
    pub(crate) async fn hello(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("connects");
        stream.set_nodelay(true).expect("set");
        let mut raw = Self(stream);
        // The other end may refuse the connection already.
        let _ = raw.send(&[PREFACE, &frame(SETTINGS, 0, 0, &[])].concat()).await;
        raw
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes).await
    }

    /// The next frame; `None` when the connection is closed.
    pub(crate) async fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.0.read_exact(&mut head).await.ok()?;
        let [a, b, c, kind, flags, ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        self.0.read_exact(&mut payload).await.ok()?;
        Some(Frame { kind, flags, payload })
    }

    /// The first frame of this kind, if it comes within `bound`.
    pub(crate) async fn wait_for(&mut self, kind: u8, bound: Duration) -> Option<Frame> {
        let wait = async {
            loop {
                match self.next().await {
                    Some(frame) if frame.kind == kind => return Some(frame),
                    Some(_) => {}
                    None => return None,
                }
            }
        };
        timeout(bound, wait).await.ok().flatten()
    }

    /// Whether the other end closes the connection within `bound`, whatever it sends before.
    pub(crate) async fn is_closed_within(&mut self, bound: Duration) -> bool {
        timeout(bound, async { while self.next().await.is_some() {} }).await.is_ok()
    }
}

/// A frame to send.
pub(crate) fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let [_, length @ ..] = u32::try_from(payload.len()).expect("short").to_be_bytes();
    let mut frame = length.to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// The header block of a call, in the plainest of HPACK: no table, no Huffman.
pub(crate) fn call(path: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    let usual = [
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", "test"),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
    ];
    for (name, value) in usual.iter().chain(more) {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).ok().filter(|n| *n < 127).expect("short"));
            block.extend(text.as_bytes());
        }
    }
    block
}

/// The body of a call with this message.
pub(crate) fn message(message: &impl prost::Message) -> Vec<u8> {
    let message = message.encode_to_vec();
    let length = u32::try_from(message.len()).expect("short").to_be_bytes();
    [&[0][..], &length, &message].concat()
}
