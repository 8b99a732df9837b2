//! Any bytes as the request of any method: a response, or a documented error. `just fuzz SECONDS`
//! runs it.

#![no_main]

use dicepoker_server_fuzz::Server;
use libfuzzer_sys::fuzz_target;

thread_local! {
    static SERVER: Server = Server::default();
}

fuzz_target!(|data: &[u8]| {
    let Some((&which, message)) = data.split_first() else { return };
    SERVER.with(|server| {
        let methods = server.methods();
        server.call(&methods[usize::from(which) % methods.len()], message);
    });
});
