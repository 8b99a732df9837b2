//! The service with an interceptor that rejects every n-th call, to test the retries of clients. It
//! stops when its standard input ends.

#![forbid(unsafe_code)]

use std::io::Read;
use std::net::SocketAddr;

use dicepoker_testkit::InProcess;
use tonic::Status;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, every] = arguments.as_slice() else {
        eprintln!("usage: flaky-server ADDRESS EVERY\n10 rejects every tenth call, 0 none");
        std::process::exit(2);
    };
    let address: SocketAddr = address.parse().expect("ADDRESS is like 127.0.0.1:50051");
    let every: u64 = every.parse().expect("EVERY is a number");
    let mut calls = 0u64;
    let server = InProcess::with()
        .at(address)
        .intercept(move |_| {
            calls += 1;
            if every > 0 && calls.is_multiple_of(every) {
                return Err(Status::unavailable("rejected by the test"));
            }
            Ok(())
        })
        .start();
    println!("serving at {}", server.url());
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
