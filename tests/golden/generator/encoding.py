# SPDX-License-Identifier: Apache-2.0
"""How the golden format writes numbers."""
import json

import numpy as np
import torch


def bits(row):
    """Hex of float32 values, eight digits each."""
    return "".join("%08x" % b for b in np.asarray(row, np.float32).view(np.uint32))


def rounded(row, dtype):
    """Float32 values as they come out of an element type, and the hex of their bits in it."""
    if dtype == "f32":
        values = np.asarray(row, np.float32)
        return values, bits(values)
    kind = torch.float16 if dtype == "f16" else torch.bfloat16
    narrow = torch.tensor(np.asarray(row, np.float32)).to(kind)
    words = narrow.view(torch.int16).numpy().view(np.uint16)
    return narrow.to(torch.float32).numpy(), "".join("%04x" % w for w in words)


def mask(row):
    return "".join("0" if x == -np.inf else "1" for x in row)


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return "%016x" % value


def write_lines(path, cases):
    with open(path, "w") as out:
        for case in cases:
            out.write(json.dumps(case, separators=(",", ":")) + "\n")
