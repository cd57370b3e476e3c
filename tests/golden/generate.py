#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the recorded cases in tests/golden/data: what Hugging Face Transformers gives on seeded inputs.

usage: generate.py [OUTDIR]        (default: the data folder beside this file)

Needs transformers==5.16.1 and torch==2.13.0; the files are the same at every run. Tests read the files and
need no Python."""
import pathlib
import sys

import torch
import transformers

from generator import categories, chains, stops, transforms
from generator.encoding import write_lines

PINNED = ("5.16.1", "2.13.0")


def main():
    found = (transformers.__version__, torch.__version__.split("+")[0])
    if found != PINNED:
        sys.exit(f"generate.py: transformers and torch are {found}, the recorded files are of {PINNED}")
    torch.set_num_threads(1)
    here = pathlib.Path(__file__).resolve().parent
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here / "data"
    out.mkdir(parents=True, exist_ok=True)
    write_lines(out / "transforms.jsonl", transforms.cases())
    write_lines(out / "chains.jsonl", chains.cases())
    write_lines(out / "categories.jsonl", categories.cases())
    write_lines(out / "stopping-simple.jsonl", stops.simple_cases())
    write_lines(out / "stopping-letters.jsonl", stops.string_cases())
    write_lines(out / "stop-tables-letters.jsonl", stops.table_cases())
    (out / "vocab-letters.hex").write_text("".join(p.hex() + "\n" for p in stops.PIECES))


if __name__ == "__main__":
    main()
