#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what was counted of the marked steps, and holds every curve to linear growth.

A curve is cut into stretches where a documented cliff lies, a place where the library changes its
method. Within a stretch one unit more may cost at most STEEPER times what a unit has cost at most
before in that stretch. Across a cliff the whole cost may rise by the factor that is written there.
A curve that is known to bend may do so by the factor that is written for it.
"""
import argparse
import json
import os
import sys

from documented import BENDS, CLIFFS

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "counts"))
from marks import sections  # noqa: E402

# A unit more may cost so many times what a unit before it cost; n log n, by doublings, stays below.
STEEPER = 1.3
# What steps of their own make of a curve (powers of two, whole warps): a share of the cost so far.
GRAIN = 0.05

KINDS = ("vocabulary", "items", "history", "listed tokens", "survivors")
MEASURES = ("instructions", "bytes", "distinct_bytes", "block_barriers", "cluster_barriers")


def counted(case, events):
    kernels = [event for event in events if "kernel" in event]
    total = lambda key: sum(kernel[key] for kernel in kernels)
    cluster = 0
    for kernel in kernels:
        if kernel["cluster"][0] > 1:
            # A barrier of a cluster is an arrival and a wait, one of a block is one instruction.
            waits = kernel["instructions"]["barrier"] / (kernel["grid"][0] * kernel["block"][0])
            cluster += (waits - kernel["barriers_per_cta"]) / 2
    written = total("global_write_bytes")
    return {
        **case,
        "instructions": sum(kernel["instructions"]["total"] for kernel in kernels),
        "read_bytes": total("global_read_bytes"),
        "written_bytes": written,
        "bytes": total("global_read_bytes") + written,
        "distinct_bytes": total("distinct_read_bytes"),
        "block_barriers": round(total("barriers_per_cta")),
        "cluster_barriers": round(cluster),
        "blocks": max(kernel["grid"][0] for kernel in kernels) // case["items"],
        # A row that was to be streamed and is written to scratch memory is held there.
        "held": case["streams"] and written >= 4 * case["vocab"] * case["items"],
    }


def read_points(stats, cases):
    with open(cases) as lines:
        named = [json.loads(line) for line in lines if line.startswith("{")]
    marked = sections(stats)
    if len(marked) != len(named):
        sys.exit(f"growth: {stats} has {len(marked)} marked steps and {cases} names {len(named)}")
    return [counted(case, events) for case, events in zip(named, marked)]


def kind_of(curve):
    return curve.partition(", ")[0]


def curves_of(points):
    """Points by curve and shape, in the order of what grows."""
    curves = {}
    for point in points:
        curves.setdefault((point["curve"], point["shape"]), []).append(point)
    place = lambda name: KINDS.index(kind_of(name)) if kind_of(name) in KINDS else len(KINDS)
    return {key: sorted(curves[key], key=lambda point: point["x"])
            for key in sorted(curves, key=lambda key: place(key[0]))}


def stretches(points, cliffs):
    """The points between cliffs, and each cliff with the points on its two sides."""
    parts, crossed = [[points[0]]], []
    for before, after in zip(points, points[1:]):
        here = [c for c in cliffs if (c.low, c.high) == (before["x"], after["x"])]
        if here:
            crossed.append((here[0], before, after))
            parts.append([])
        parts[-1].append(after)
    return parts, crossed


def grain_of(measure):
    """A few barriers more or less are no growth."""
    return 8 if "barriers" in measure else 0


def steepening(part, measure):
    """How many times as much a unit costs, past the grain, as the dearest one before it.

    @return the worst ratio of a stretch, and the two points between which it is
    """
    worst, where, dearest = 0.0, None, 0.0
    for before, after in zip(part, part[1:]):
        width = after["x"] - before["x"]
        more = after[measure] - before[measure]
        grain = GRAIN * before[measure] + grain_of(measure)
        if dearest > 0:
            ratio = (more - grain) / (dearest * width)
        elif before["x"] > 0:
            # Nothing to compare a unit with but what all units before it cost together.
            ratio = (more - grain) * before["x"] / (max(before[measure], 1) * width)
        else:
            ratio = 0.0
        if ratio > worst:
            worst, where = ratio, (before, after)
        dearest = max(dearest, more / width)
    return worst, where


def judge(curves, cliffs, bends):
    """@return faults as text; for each curve its steepest ratio and the cliffs it met"""
    faults, seen = [], {}
    for (curve, shape), points in curves.items():
        name = f"{curve}, {shape}"
        own = [c for c in cliffs if (c.curve, c.shape) == (curve, shape)]
        parts, crossed = stretches(points, own)
        steeper = bends.get((curve, shape), (STEEPER, ""))[0]
        for cliff in own:
            if all(cliff is not met for met, _, _ in crossed):
                faults.append(f"{name}: no two points are {cliff.low} and {cliff.high}, where a "
                              "cliff is said to be")
        worst_of_all = 0.0
        for measure in MEASURES:
            for part in parts:
                worst, where = steepening(part, measure)
                worst_of_all = max(worst_of_all, worst)
                if worst > steeper:
                    before, after = where
                    faults.append(
                        f"{name}: {measure} grow from {before[measure]} at {before['x']} to "
                        f"{after[measure]} at {after['x']}, {worst:.2f} times as much a unit as "
                        f"before; at most {steeper} is allowed")
            for cliff, before, after in crossed:
                most = (cliff.instructions if measure == "instructions" else
                        cliff.barriers if "barriers" in measure else cliff.bytes)
                factor = (after[measure] - grain_of(measure)) / max(before[measure], 1)
                if factor > most:
                    faults.append(
                        f"{name}: {measure} rise from {before[measure]} at {before['x']} to "
                        f"{after[measure]} at {after['x']}, {factor:.2f} times, at most {most} is "
                        f"documented ({cliff.why})")
        seen[curve, shape] = (worst_of_all, crossed)
    for curve, shape in [(cliff.curve, cliff.shape) for cliff in cliffs] + list(bends):
        if (curve, shape) not in curves:
            faults.append(f"{curve}, {shape}: there is no such curve, but a cliff or a bend of it")
    return faults, seen


def number(value):
    return f"{value:,}"


def in_millions(value):
    if value >= 1e8:
        return f"{value / 1e6:,.0f}"
    return f"{value / 1e6:.3g}" if value >= 5000 else "0"


def span(points, key, form):
    first, last = form(points[0][key]), form(points[-1][key])
    return first if first == last else f"{first} ... {last}"


def print_table(curves, seen, bends):
    print("| what grows | shape | from ... to | million instructions | a unit more costs | MB read "
          "| MB written | barriers of a block, of the cluster | steeper | cliffs |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|---|")
    for (curve, shape), points in curves.items():
        worst, crossed = seen[curve, shape]
        before, after = points[-2:]
        unit = (after["instructions"] - before["instructions"]) / (after["x"] - before["x"])
        cliffs = ", ".join(
            f"{number(a['x'])}: {a['instructions'] / b['instructions']:.1f}" for _, b, a in crossed)
        held = [point["x"] for point in points if point["held"]]
        if held:
            cliffs += f"{'; ' if cliffs else ''}held from {number(held[0])}"
        most = bends.get((curve, shape), (STEEPER, ""))[0]
        barriers = ", ".join(span(points, f"{of}_barriers", number) for of in ("block", "cluster"))
        print(f"| {curve} | {shape} | {span(points, 'x', number)} | "
              f"{span(points, 'instructions', in_millions)} | {max(unit, 0):,.0f} | "
              f"{span(points, 'read_bytes', in_millions)} | "
              f"{span(points, 'written_bytes', in_millions)} | {barriers} | "
              f"{worst:.2f} of {most} | {cliffs} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stats", action="append", required=True)
    parser.add_argument("--cases", action="append", required=True)
    parser.add_argument("--json")
    parser.add_argument("--plots")
    options = parser.parse_args()

    points = []
    for stats, cases in zip(options.stats, options.cases):
        points += read_points(stats, cases)
    curves = curves_of(points)
    faults, seen = judge(curves, CLIFFS, BENDS)
    print_table(curves, seen, BENDS)
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"points": points, "faults": faults}, out, indent=1)
    if options.plots:
        from plots import plot  # needs matplotlib

        plot(curves, options.plots)
    for fault in faults:
        print("growth: " + fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
