# SPDX-License-Identifier: Apache-2.0
"""From the counts of one row to the predicted time of a step."""
import math

import assumptions
import policy


def blocks_per_sm(device, case):
    """By registers and shared memory."""
    by_registers = device["registers_sm"] // (case["registers"] * policy.THREADS)
    by_shared = device["shared_bytes_sm"] // (case["shared_bytes"] + 1024)
    return max(1, min(by_registers, by_shared))


def rows_at_once(device, case, items):
    size = case["blocks_per_item"]
    if case["shape"] == "streaming":  # the grid: its clusters take rows in turn
        return min(items, policy.rows_at_once(device, size))
    return max(1, device["wave"].get(size, 0) * blocks_per_sm(device, case) // size)


def round_parts(device, case, rows):
    """Microseconds of what `rows` rows take that are under way together, part by part: those that
    go on at the same time, and those that follow each other."""
    vocab = case["vocab"]
    hertz = device["clock_ghz"] * 1e3  # clocks of a microsecond
    sms = max(1, min(rows * case["blocks_per_item"], device["multiprocessors"]))
    distinct = rows * vocab * case["distinct_read_bytes_per_logit"]
    read = rows * vocab * max(case["read_bytes_per_logit"], case["distinct_read_bytes_per_logit"])
    again = read - distinct
    keeps = device["l2_mb"] * 1e6 * device["l2_kept"]
    from_dram = distinct + (0 if distinct <= keeps else again)
    by_sm = min(device["sm_bytes_per_clock"] * hertz,
                case["bytes_under_way"] / device["loaded_latency_us"])
    instructions = rows * vocab * case["instructions_per_logit"]
    atomics = rows * vocab * case["shared_atomics_per_logit"]
    together = {
        "DRAM": from_dram / (device["dram_tb_s"] * 1e6 * device["dram_attained"]),
        "L2": read / (device["l2_tb_s"] * 1e6 * device["l2_attained"]),
        "bytes under way": read / sms / by_sm,
        "issue": instructions / sms / hertz
                 / (device["lanes_per_clock"] * device["issue_attained"]),
        "shared atomics": atomics / sms / device["shared_atomics_per_clock"] / hertz,
    }
    # The longest way through a block, from barrier to barrier, beyond what threads do on average.
    threads = case["blocks_per_item"] * policy.THREADS
    mean = vocab * case["instructions_per_logit"] / threads
    alone = max(0, case["path_instructions"] - mean)
    in_turn = {
        "one warp": alone * device["clocks_per_lone_instruction"] / hertz,
        "block barriers": case["barriers_per_block"] * device["block_barrier_clocks"] / hertz,
        "cluster barriers": case["cluster_barriers"] * device["cluster_barrier_clocks"] / hertz,
        "loads in a row": device["loads_in_a_row"] * device["load_clocks"] / hertz,
    }
    return together, in_turn


def predict(device, case, items):
    """Predicted microseconds of a step of `items` rows, its parts, and the one that binds."""
    at_once = rows_at_once(device, case, items)
    parts = {"launch": device["launch_us"]}
    left = items
    while left > 0:
        rows = min(left, at_once)
        left -= rows
        together, in_turn = round_parts(device, case, rows)
        binding = max(together, key=together.get)
        for name, time in [(binding, together[binding]), *in_turn.items()]:
            parts[name] = parts.get(name, 0) + time
    return {
        "predicted_us": sum(parts.values()),
        "parts": parts,
        "limit": max(parts, key=parts.get),
        "rounds": math.ceil(items / at_once),
    }


def shape_of(row):
    """How rows lie, and for streamed ones how many blocks read each."""
    several = row["shape"] == "streaming" and row["blocks_per_item"] > 1
    return f"streaming by {row['blocks_per_item']}" if several else row["shape"]


def completed(device, row, paths):
    """A counted row with what the model needs beside it. Says by `assumed` what was not counted."""
    work = row.get("work", {})
    streams = row["shape"] == "streaming"
    lists = row["chain"] in assumptions.LISTS_TOKENS
    case = {key: row[key] for key in (
        "chain", "type", "shape", "vocab", "blocks_per_item", "read_bytes_per_logit",
        "distinct_read_bytes_per_logit", "instructions_per_logit", "barriers_per_block",
        "cluster_barriers", "registers")}
    if streams:
        places = min(row["vocab"],
                     policy.strip_of(row["vocab"], row["blocks_per_item"]) * policy.WARPS)
        depth = policy.ring_depth(device, places, lists)
        case["bytes_under_way"] = policy.WARPS * depth * policy.PIECE_BYTES
        shared = device["shared_bytes"]
    else:
        case["bytes_under_way"] = assumptions.RESIDENT_BYTES_UNDER_WAY
        shared = policy.resident_bytes(row["vocab"], row["blocks_per_item"])
    case["shared_bytes"] = work.get("shared_bytes", shared)
    case["assumed"] = []
    if "shared_atomics_per_logit" not in work:
        case["assumed"].append("shared-memory atomics are left out")
    case["shared_atomics_per_logit"] = work.get("shared_atomics_per_logit", 0)
    path = work.get("path_instructions")
    if path is None:
        path = paths.get((row["chain"], row["type"], shape_of(row)))
        case["assumed"].append("one-warp parts are left out" if path is None else
                               "the longest ways are those of bench/model/paths.json")
    case["path_instructions"] = path or 0
    return case
