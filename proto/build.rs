//! Compiles the contract without a protoc on the machine: protox is a compiler written in Rust.

use std::path::PathBuf;
use std::{env, fs};

use prost::Message;

const FILES: [&str; 3] = [
    "dicepoker/v1/dice_poker_service.proto",
    "dicepoker/v1/position.proto",
    "dicepoker/v1/ruleset.proto",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for file in FILES {
        println!("cargo::rerun-if-changed={file}");
    }
    println!("cargo::rerun-if-changed=google/api/field_behavior.proto");
    let descriptors = protox::compile(FILES, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("dicepoker.binpb"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
