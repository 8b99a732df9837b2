//! Compiles the contract with protox, a compiler written in Rust, so that no protoc is needed.

use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

const PACKAGE: &str = "dicepoker/v1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed={PACKAGE}");
    println!("cargo::rerun-if-changed=google/api/field_behavior.proto");
    let mut files = Vec::new();
    for entry in fs::read_dir(PACKAGE)? {
        files.push(Path::new(PACKAGE).join(entry?.file_name()));
    }
    files.sort();
    let descriptors = protox::compile(files, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("dicepoker.binpb"), descriptors.encode_to_vec())?;
    let mut config = prost_build::Config::new();
    // The type names, by which `Json` finds a message's descriptor.
    config.enable_type_names();
    tonic_prost_build::configure().compile_fds_with_config(descriptors, config)?;
    Ok(())
}
