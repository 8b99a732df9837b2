#!/usr/bin/env python3
"""Writes a Go module into a folder in the layout of a module proxy.

  proxy.py MODULE_FOLDER VERSION PROXY_FOLDER
"""

import json
import pathlib
import sys
import zipfile

LEFT_OUT = {"buf.gen.yaml", "proxy.py"}


def main():
    source, version, proxy = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    module = (source / "go.mod").read_text().split()[1]
    folder = proxy / module / "@v"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "list").write_text(f"{version}\n")
    (folder / f"{version}.info").write_text(json.dumps({"Version": version}))
    (folder / f"{version}.mod").write_bytes((source / "go.mod").read_bytes())
    files = sorted(file for file in source.rglob("*") if file.is_file() and file.name not in LEFT_OUT)
    with zipfile.ZipFile(folder / f"{version}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            # A fixed time, so that the same sources give the same bytes.
            entry = zipfile.ZipInfo(f"{module}@{version}/{file.relative_to(source)}", (1980, 1, 1, 0, 0, 0))
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
