#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints predicted times of steps from counts. Nothing in it was measured."""
import argparse
import json
import os
import sys

import assumptions
import policy
import predict

ITEMS = (1, 32, 64, 128, 256, 512)
MOST_ITEMS = 512
VOCAB = 151_936
HERE = os.path.dirname(os.path.abspath(__file__))


def read_counts(path):
    """Our rows: of a record, or of what bench/counts.sh --json wrote."""
    with open(path) as text:
        found = json.load(text)
    rows = found["rows"] if isinstance(found, dict) else found
    return [row for row in rows if row["shape"] in ("streaming", "resident")]


def read_paths(path):
    with open(path) as text:
        return {(row["chain"], row["type"], row["shape"]): row["path_instructions"]
                for row in json.load(text)["rows"]}


def cases_of(device, rows, paths):
    """{(chain, type): {shape: case}} of rows alone at the one vocabulary."""
    found = {}
    for row in rows:
        if row["items"] != 1 or row["vocab"] != VOCAB:
            continue
        # Without clusters a row that is held lies in global memory, which was not counted.
        if row["shape"] == "resident" and device["architecture"] < 90:
            continue
        if row["blocks_per_item"] not in device["wave"]:
            continue
        shapes = found.setdefault((row["chain"], row["type"]), {})
        shapes[predict.shape_of(row)] = predict.completed(device, row, paths)
    return found


def picked(device, shapes, items):
    """The policy's shape; `None` where it was not counted."""
    streams = policy.streams_for(device, items, VOCAB)
    size = policy.streaming_cluster_for(device, items, VOCAB)
    streaming = "streaming" if size == 1 else f"streaming by {size}"
    shape = streaming if streams and "streaming" in shapes else "resident"
    if shape not in shapes:
        return None
    if shape == "resident" and shapes[shape]["blocks_per_item"] != max(
            1, policy.cluster_for(device, items, VOCAB)):
        return None
    return shape


def lines_of(device_key, device, cases):
    for (chain, kind), shapes in cases.items():
        for items in ITEMS:
            times = {shape: predict.predict(device, case, items) for shape, case in shapes.items()}
            shape = picked(device, shapes, items)
            if shape is None:
                continue
            goal = None
            if device_key == "h200":
                goal = assumptions.GOALS.get((chain, kind), {}).get(items)
            own = times[shape]
            yield {
                "device": device_key, "chain": chain, "type": kind, "items": items,
                "shape": shape, "predicted": times, "limit": own["limit"], "goal_us": goal,
                "meets_goal": None if goal is None else own["predicted_us"] <= goal,
                "assumed": sorted({a for case in shapes.values() for a in case["assumed"]}),
            }


def other_choices(device, cases):
    """Ranges of items where the shape that the policy does not pick is predicted to be quicker."""
    for (chain, kind), shapes in cases.items():
        if len(shapes) < 2:
            continue
        ranges = []
        for items in range(1, MOST_ITEMS + 1):
            own = picked(device, shapes, items)
            if own is None:
                continue
            times = {shape: predict.predict(device, case, items)["predicted_us"]
                     for shape, case in shapes.items()}
            best = min(times, key=times.get)
            # Less than a twentieth is within what the model cannot tell.
            if best == own or times[best] > 0.95 * times[own]:
                continue
            if ranges and ranges[-1]["shape"] == best and ranges[-1]["to"] == items - 1:
                ranges[-1]["to"] = items
            else:
                ranges.append({"chain": chain, "type": kind, "shape": best, "from": items,
                               "to": items})
        yield from ranges


def print_table(device, lines):
    print(f"\nPredicted microseconds of a step, {device['name']}, graph replay, vocabulary "
          f"{VOCAB:,}:\n")
    print("| chain | type | items | policy | predicted | streaming | resident | limit | its share "
          "| goal | met |")
    print("| --- | --- | --: | --- | --: | --: | --: | --- | --: | --: | --- |")
    for line in lines:
        times = line["predicted"]
        show = lambda shape: f"{times[shape]['predicted_us']:.1f}" if shape in times else "-"
        own = times[line["shape"]]
        share = own["parts"][own["limit"]] / own["predicted_us"]
        goal = "" if line["goal_us"] is None else f"{line['goal_us']:g}"
        met = {None: "", True: "yes", False: "no"}[line["meets_goal"]]
        print(f"| {line['chain']} | {line['type']} | {line['items']} | {line['shape']} "
              f"| {own['predicted_us']:.1f} | {show('streaming')} | {show('resident')} "
              f"| {line['limit']} | {share:.0%} "
              f"| {goal} | {met} |")


def print_parts(device, lines):
    """What each part takes where there is a goal, and what that leaves to the one-warp part."""
    print("\nParts of the policy's shape where there is a goal, predicted microseconds:\n")
    for line in lines:
        if line["goal_us"] is None:
            continue
        own = line["predicted"][line["shape"]]
        told = ", ".join(f"{name} {time:.1f}" for name, time in
                         sorted(own["parts"].items(), key=lambda part: -part[1]) if time >= 0.05)
        beside = own["predicted_us"] - own["parts"]["one warp"]
        left = (line["goal_us"] - beside) / own["rounds"] * device["clock_ghz"] * 1e3
        left /= device["clocks_per_lone_instruction"]
        ends = (f"{left:,.0f} instructions of one warp a row would meet the goal" if left > 0
                else f"without the one-warp part {beside:.1f}, beyond the goal of "
                     f"{line['goal_us']:g}")
        print(f"  {line['chain']} {line['type']} x {line['items']}: {told}; {ends}")


def record_paths(rows, path):
    """Keeps the longest ways that counts bring, for counts that bring none."""
    lines = [json.dumps({"chain": row["chain"], "type": row["type"],
                         "shape": predict.shape_of(row), "path_instructions": row["work"]["path_instructions"]})
             for row in rows if row["items"] == 1 and row["vocab"] == VOCAB
             and "path_instructions" in row.get("work", {})]
    if not lines:
        sys.exit("model: these counts have no path_instructions: their runner does not follow ways")
    with open(path, "w") as out:
        out.write('{"rows": [\n' + ",\n".join(lines) + "\n]}\n")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--counts", required=True)
    parser.add_argument("--paths", default=os.path.join(HERE, "paths.json"))
    parser.add_argument("--json")
    parser.add_argument("--device", choices=(*assumptions.DEVICES, "all"), default="all")
    parser.add_argument("--record-paths", action="store_true")
    options = parser.parse_args()
    rows = read_counts(options.counts)
    if options.record_paths:
        record_paths(rows, options.paths)
    paths = read_paths(options.paths)
    written = []
    chosen = assumptions.DEVICES if options.device == "all" else (options.device,)
    for key in chosen:
        device = assumptions.DEVICES[key]
        cases = cases_of(device, rows, paths)
        if not cases:
            sys.exit(f"model: {options.counts} has no row alone of {VOCAB} tokens for {key}")
        lines = list(lines_of(key, device, cases))
        print_table(device, lines)
        if key == "h200":
            print_parts(device, lines)
        choices = list(other_choices(device, cases))
        if choices:
            print("\nItems for which the shape that the policy does not pick is predicted to be "
                  "quicker:\n")
        for choice in choices:
            print(f"  {choice['chain']} {choice['type']}: {choice['shape']} from {choice['from']} "
                  f"to {choice['to']}")
        notes = sorted({note for line in lines for note in line["assumed"]})
        if notes:
            print(f"\nNot told by {os.path.relpath(options.counts)}, and so: {'; '.join(notes)}.")
        if device["architecture"] < 90:
            print("\nThe counts are those of code for sm_90.")
        written.append({"device": key, "assumptions": device, "lines": lines,
                        "other_choices": choices})
    if options.json:
        with open(options.json, "w") as out:
            json.dump(written, out, indent=1)


if __name__ == "__main__":
    main()
