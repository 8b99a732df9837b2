//! Tests of the client and the command line against a server, in one program: linking one is faster than linking eight.

mod balance;
mod calls;
mod cli;
mod cli_documents;
mod examples;
mod json;
mod opentelemetry;
mod play;
mod tls;
