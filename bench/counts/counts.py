#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what was counted of the marked steps, prints it, and holds it to limits and to a record."""
import argparse
import json
import sys

from marks import sections

# What a step may cost at most, in every case.
LIMITS = {
    "launches": 1,
    "copies": 0,
    "synchronisations": 0,
    "allocations": 0,
    "spills": 0,
    "compile_cpu_s": 15.0,
}
# Logits are read once, whatever the chain; a step reads little else: history, tables, the record.
READ_OF_ROW = 1.05
READ_BESIDE = 0.1
# Rows that are streamed are read once, or twice where a stage needs a mass; beside them each block
# reads lists and records, some of them by every thread.
STREAMED_READS = {"greedy": 1.05, "long": 1.05, "temperature": 2.1, "top_p": 2.1}
STREAMED_BESIDE = 2.0
# A row alone that is held on chip is read by many blocks, each of which reads its own part.
BLOCKS_OF_A_ROW = 8
SHARE_OF_A_ROW = 1.3 / BLOCKS_OF_A_ROW
# Waits for other blocks of the cluster, in chains that end in a list of survivors.
CLUSTER_BARRIERS = {"resident": 4, "streaming": 5}
BOUNDED = ("greedy", "long")
# Thread instructions per logit of a long row alone, in either type, streamed by one block.
INSTRUCTIONS = {
    "resident": {"greedy": 27, "long": 42, "temperature": 110, "top_p": 245, "typical": 405},
    "streaming": {"greedy": 10.5, "long": 17.5, "temperature": 50, "top_p": 57},
}


def counted(case, events, build):
    kernels = [event for event in events if "kernel" in event]
    of_kind = lambda kind: sum(event.get("event") == kind for event in events)
    logits = case["items"] * case["vocab"]
    element = 4 if case["type"] == "f32" else 2
    total = lambda key: sum(kernel[key] for kernel in kernels)
    # A barrier of a cluster is an arrival and a wait, one of a block is one instruction.
    own = [kernel for kernel in kernels if kernel["cluster"][0] > 1]
    threads = sum(kernel["grid"][0] * kernel["block"][0] for kernel in own)
    waits = sum(kernel["instructions"]["barrier"] for kernel in own) / threads if own else 0
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
        "barriers_per_block": round(sum(kernel["barriers_per_cta"] for kernel in kernels)),
        "cluster_barriers": round((waits - own[0]["barriers_per_cta"]) / 2) if own else 0,
        **build,
        "work": work_of(kernels, logits),
    }


def work_of(kernels, logits):
    """What the model of time needs besides; of JSON alone, not of the record."""
    work = {
        "threads": sum(kernel["grid"][0] * kernel["block"][0] for kernel in kernels),
        "shared_bytes": max(
            kernel["static_shared"] + kernel["dynamic_shared"] for kernel in kernels
        ),
        "shared_atomics_per_logit": round(
            sum(kernel["instructions"]["atomic_shared"] for kernel in kernels) / logits, 4
        ),
    }
    # Of a thread, where the runner follows the longest way from barrier to barrier.
    if all("path" in kernel for kernel in kernels):
        work["path_instructions"] = sum(kernel["path"]["total"] for kernel in kernels)
    return work


def read_rows(stats, cases, build):
    with open(cases) as lines:
        named = [json.loads(line) for line in lines if line.startswith("{")]
    how = {}
    if build:
        with open(build) as text:
            how = json.load(text)
    marked = sections(stats)
    if len(marked) != len(named):
        sys.exit(f"counts: {stats} has {len(marked)} marked steps and {cases} names {len(named)}")
    return [counted(case, events, how) for case, events in zip(named, marked)]


def name_of(row):
    return (f"{row['chain']} {row['type']} {row['shape']} x {row['items']} of {row['vocab']} "
            f"by {row['blocks_per_item']}")


def beyond_limits(row):
    for key, most in LIMITS.items():
        if row[key] > most:
            yield f"{key} is {row[key]}, at most {most} is allowed"
    if row["distinct_read_of_row"] > READ_OF_ROW + READ_BESIDE:
        yield f"{row['distinct_read_of_row']} rows are read for one"
    if row["shape"] == "streaming":
        element = 4 if row["type"] == "f32" else 2
        most = STREAMED_READS[row["chain"]] * element + STREAMED_BESIDE
        if row["read_bytes_per_logit"] > most:
            yield f"{row['read_bytes_per_logit']} bytes are read per logit, at most {most}"
    elif row["items"] == 1 and row["vocab"] > 100_000:
        if row["blocks_per_item"] < BLOCKS_OF_A_ROW:
            yield f"one row has {row['blocks_per_item']} blocks"
        if row["share"] > SHARE_OF_A_ROW * row["vocab"]:
            yield f"one block reads {row['share']} of a row"
    most = CLUSTER_BARRIERS[row["shape"]]
    if row["chain"] in BOUNDED and row["cluster_barriers"] > most:
        yield f"{row['cluster_barriers']} barriers of the cluster, at most {most}"
    most = INSTRUCTIONS[row["shape"]][row["chain"]]
    alone = row["items"] == 1 and row["vocab"] > 100_000
    if alone and (row["shape"] == "resident" or row["blocks_per_item"] == 1):
        if row["instructions_per_logit"] > most:
            yield f"{row['instructions_per_logit']} instructions per logit, at most {most}"


def differences(before, now):
    for old, new in zip(before, now):
        for key in sorted(old.keys() | new.keys()):
            if old.get(key) != new.get(key):
                yield f"{name_of(new)}: {key} is {new.get(key)}, recorded {old.get(key)}"
    if len(before) != len(now):
        yield f"{len(before)} cases are recorded and {len(now)} were counted"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stats", action="append", required=True)
    parser.add_argument("--cases", action="append", required=True)
    parser.add_argument("--build", action="append", required=True)
    parser.add_argument("--peer-stats", action="append", default=[])
    parser.add_argument("--peer-cases", action="append", default=[])
    parser.add_argument("--json")
    parser.add_argument("--record", required=True)
    parser.add_argument("--compiler", required=True, help="the compiler's version")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--any-time", action="store_true")
    options = parser.parse_args()
    if options.any_time:
        del LIMITS["compile_cpu_s"]

    rows = []
    for stats, cases, build in zip(options.stats, options.cases, options.build):
        rows += read_rows(stats, cases, build)
    peers = []
    for stats, cases in zip(options.peer_stats, options.peer_cases):
        peers += read_rows(stats, cases, None)

    columns = [
        ("chain", "chain"), ("type", "type"), ("shape", "shape"), ("items", "items"),
        ("vocab", "vocab"),
        ("launches", "launches"), ("copies", "copies"), ("synchronisations", "syncs"),
        ("allocations", "allocs"), ("blocks_per_item", "blocks"),
        ("read_bytes_per_logit", "read B"), ("distinct_read_bytes_per_logit", "distinct B"),
        ("written_bytes_per_logit", "written B"), ("instructions_per_logit", "instr"),
        ("barriers_per_block", "barriers"), ("cluster_barriers", "of the cluster"),
        ("registers", "regs"), ("spills", "spills"),
        ("compile_cpu_s", "compile s"),
    ]
    print("| " + " | ".join(title for _, title in columns) + " |")
    print("| " + " | ".join("---" for _ in columns) + " |")
    for row in rows + peers:
        print("| " + " | ".join(str(row.get(key, "-")) for key, _ in columns) + " |")

    faults = [f"{name_of(row)}: {fault}" for row in rows for fault in beyond_limits(row)]
    # Compile times are the machine's; the rest is exact, registers for one version of the compiler.
    exact = [{key: value for key, value in row.items() if key not in ("compile_cpu_s", "work")}
             for row in rows]
    if options.update:
        with open(options.record, "w") as record:
            lines = ",\n".join(json.dumps(row) for row in exact)
            record.write(f'{{"compiler": {json.dumps(options.compiler)}, "rows": [\n{lines}\n]}}\n')
    else:
        with open(options.record) as record:
            recorded = json.load(record)
        if recorded["compiler"] == options.compiler:
            faults += list(differences(recorded["rows"], exact))
        else:
            print(f"not compared with {options.record}, which is of {recorded['compiler']} and "
                  f"not {options.compiler}")
    if options.json:
        with open(options.json, "w") as out:
            json.dump(rows + peers, out, indent=1)
    for fault in faults:
        print("counts: " + fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
