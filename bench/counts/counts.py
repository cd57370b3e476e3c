#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what was counted of the marked steps, prints it, and holds it to limits and to a record."""
import argparse
import json
import sys

# What a step may cost at most, per case or for all. `None`: no limit.
LIMITS = {
    "launches": 1,
    "copies": 0,
    "synchronisations": 0,
    "allocations": 0,
    "spills": 0,
    "compile_cpu_s": 15.0,
}
# Logits are read once, whatever the chain; a step reads little else.
READ_OF_ROW = 1.05


def sections(path):
    """The events between each pair of marks."""
    found, inside = [], None
    with open(path) as lines:
        for line in lines:
            event = json.loads(line)
            if event.get("event") == "profiler":
                if event["what"] == "start":
                    inside = []
                else:
                    found.append(inside)
                    inside = None
            elif inside is not None:
                inside.append(event)
    return found


def counted(case, events, build):
    kernels = [event for event in events if "kernel" in event]
    of_kind = lambda kind: sum(event.get("event") == kind for event in events)
    logits = case["items"] * case["vocab"]
    element = 4 if case["type"] == "f32" else 2
    total = lambda key: sum(kernel[key] for kernel in kernels)
    return {
        **case,
        "launches": len(kernels),
        "copies": of_kind("memcpy") + of_kind("memset"),
        "synchronisations": of_kind("sync"),
        "allocations": of_kind("alloc"),
        "blocks_per_item": kernels[0]["grid"][0] // case["items"],
        "read_bytes_per_logit": round(total("global_read_bytes") / logits, 3),
        "distinct_read_bytes_per_logit": round(total("distinct_read_bytes") / logits, 3),
        "written_bytes_per_logit": round(total("global_write_bytes") / logits, 3),
        "distinct_read_of_row": round(total("distinct_read_bytes") / logits / element, 3),
        "instructions_per_logit": round(
            sum(kernel["instructions"]["total"] for kernel in kernels) / logits, 1
        ),
        "barriers_per_block": round(max(kernel["barriers_per_cta"] for kernel in kernels)),
        **build,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stats", action="append", required=True)
    parser.add_argument("--cases", action="append", required=True)
    parser.add_argument("--build", action="append", required=True)
    parser.add_argument("--json")
    parser.add_argument("--record", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()

    rows = []
    for stats, cases, build in zip(options.stats, options.cases, options.build):
        with open(cases) as lines:
            named = [json.loads(line) for line in lines if line.startswith("{")]
        with open(build) as text:
            how = json.load(text)
        marked = sections(stats)
        if len(marked) != len(named):
            sys.exit(f"counts: {stats} has {len(marked)} marked steps and {cases} names {len(named)}")
        rows += [counted(case, events, how) for case, events in zip(named, marked)]

    columns = [
        ("chain", "chain"), ("type", "type"), ("items", "items"), ("vocab", "vocab"),
        ("launches", "launches"), ("copies", "copies"), ("synchronisations", "syncs"),
        ("allocations", "allocs"), ("blocks_per_item", "blocks"),
        ("read_bytes_per_logit", "read B"), ("distinct_read_bytes_per_logit", "distinct B"),
        ("written_bytes_per_logit", "written B"), ("instructions_per_logit", "instr"),
        ("barriers_per_block", "barriers"), ("registers", "regs"), ("spills", "spills"),
        ("compile_cpu_s", "compile s"),
    ]
    print("| " + " | ".join(title for _, title in columns) + " |")
    print("| " + " | ".join("---" for _ in columns) + " |")
    for row in rows:
        print("| " + " | ".join(str(row[key]) for key, _ in columns) + " |")

    faults = []
    for row in rows:
        name = f"{row['chain']} {row['type']} x {row['items']} of {row['vocab']}"
        for key, most in LIMITS.items():
            if row[key] > most:
                faults.append(f"{name}: {key} is {row[key]}, at most {most} is allowed")
        if row["distinct_read_of_row"] > READ_OF_ROW + 0.1:
            faults.append(f"{name}: {row['distinct_read_of_row']} rows are read for one")
        if row["items"] == 1 and row["vocab"] > 100_000 and row["blocks_per_item"] < 8:
            faults.append(f"{name}: one row has {row['blocks_per_item']} blocks")

    # Compile times and registers are the machine's and the compiler's; the rest is exact.
    exact = [
        {key: value for key, value in row.items() if key not in ("compile_cpu_s", "registers")}
        for row in rows
    ]
    if options.update:
        with open(options.record, "w") as record:
            record.write("[\n" + ",\n".join(json.dumps(row) for row in exact) + "\n]\n")
    else:
        with open(options.record) as record:
            before = json.load(record)
        for old, new in zip(before, exact):
            if old != new:
                faults.append(f"recorded {json.dumps(old)}\n   counted {json.dumps(new)}")
        if len(before) != len(exact):
            faults.append(f"{len(before)} cases are recorded and {len(exact)} were counted")
    if options.json:
        with open(options.json, "w") as out:
            json.dump(rows, out, indent=1)
    for fault in faults:
        print("counts: " + fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
