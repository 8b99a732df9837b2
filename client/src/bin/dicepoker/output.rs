//! Output: text for people or JSON for programs on standard output, failures on standard error.

use std::io::Write;
use std::process::ExitCode;

use comfy_table::{CellAlignment, Table};
use serde::Serialize;

use crate::failure::Failure;

/// The form of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether to print JSON.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Prints a response: `value` as JSON for programs, or its `text` for people.
    pub(crate) fn answer<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        let text = if self.json {
            serde_json::to_string_pretty(value).map_err(std::io::Error::from)?
        } else {
            text(value)
        };
        match writeln!(out, "{}", text.trim_end()) {
            // The reader closed the pipe, like `head`.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            written => Ok(written?),
        }
    }

    /// Prints a failure and returns the exit code.
    pub(crate) fn failure(self, failure: &Failure) -> ExitCode {
        if self.json {
            eprintln!("{:#}", failure.value());
        } else {
            eprintln!("error: {failure}");
        }
        ExitCode::from(failure.exit())
    }
}

/// A table without lines, its columns from `numbers` on right-aligned.
pub(crate) fn table(header: &[&str], numbers: usize, rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(header.to_vec());
    for row in rows {
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index >= numbers {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
