#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tables and plots from what device_bench measured.

Reads Google Benchmark's JSON, prints Markdown, and with --plots writes SVG and PNG (needs matplotlib).
Exit status: 0; 1 where something that was measured had failed; 2 where there is nothing to report.
"""
import argparse
import collections
import json
import os
import statistics
import sys

Key = collections.namedtuple("Key", "chain type vocab items shape l2 who")
CHAINS = ["greedy", "long", "temperature", "top_p"]
SHAPES = ["automatic", "resident", "streaming"]
TYPES = ["bf16", "f32"]
CACHES = ["warm", "cold"]
EMULATED = "an emulator's, and mean nothing"


def key_of(name):
    """long/bf16/v151936/i32/automatic/cold/ours and what Google Benchmark adds to it."""
    parts = name.split("/")[:7]
    if len(parts) < 7 or not (parts[2][:1] == "v" and parts[3][:1] == "i"):
        raise ValueError(f"'{name}' is no case of device_bench")
    chain, kind, vocab, items, shape, l2, who = parts
    return Key(chain, kind, int(vocab[1:]), int(items[1:]), shape, l2, who)


class Times:
    """Repetitions of one case, in microseconds."""

    UNITS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}

    def __init__(self):
        self.values = []
        self.limit = None

    def add(self, run):
        self.values.append(run["real_time"] * self.UNITS[run["time_unit"]])
        self.limit = run.get("limit_us")

    @property
    def median(self):
        return statistics.median(self.values)

    @property
    def quartiles(self):
        if len(self.values) < 2:
            return self.median, self.median
        low, _, high = statistics.quantiles(self.values, n=4, method="inclusive")
        return low, high


class Results:
    def __init__(self, text):
        self.context = text["context"]
        self.times = {}
        self.faults = [self.context["failed"]] if "failed" in self.context else []
        for run in text["benchmarks"]:
            if run.get("run_type") != "iteration":
                continue
            if run.get("error_occurred"):
                fault = f"{run['name']}: {run.get('error_message', '?')}"
                if fault not in self.faults:
                    self.faults.append(fault)
                continue
            self.times.setdefault(key_of(run["name"]), Times()).add(run)
        # Some repetitions of a case that failed may have been right: they are no figure.
        for fault in self.faults:
            for key in [key for key in self.times if fault.startswith("/".join(name_parts(key)))]:
                del self.times[key]

    @property
    def emulated(self):
        return self.context.get("emulated") != "no"

    def title(self):
        device = self.context.get("device", "an unknown device")
        if self.emulated:
            return f"A decode step on an emulator ({device}): these times are {EMULATED}"
        return f"A decode step on {device}"

    def of(self, field, known=()):
        """Values of a field, those that are known in their order."""
        values = {getattr(key, field) for key in self.times}
        return [v for v in known if v in values] + sorted(v for v in values if v not in known)

    def get(self, **fields):
        return self.times.get(Key(**fields))


def name_parts(key):
    return [key.chain, key.type, f"v{key.vocab}", f"i{key.items}", key.shape, key.l2, key.who]


def digits(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def figure(times):
    if times is None:
        return "-"
    low, high = times.quartiles
    return f"{digits(times.median)} ({digits(low)} to {digits(high)})"


def ratio(over, under):
    return over.median / under.median if over and under and under.median > 0 else None


def text_of(value):
    return "-" if value is None else digits(value)


def row(cells):
    return "| " + " | ".join(cells) + " |"


def steps_table(results, peers):
    """A line for each chain, type, number of items and residence; both states of the cache in it."""
    head = ["chain", "logits", "vocabulary", "items", "rows are", "warm", "cold", "limit",
            "cold / limit"]
    for peer in peers:
        head += [f"{peer} warm", "x", f"{peer} cold", "x"]
    lines = [row(head), "|---|---|--:|--:|---|" + "--:|" * (len(head) - 5)]
    ours = {key[:5] for key in results.times if key.who == "ours"}
    rank = lambda known, value: known.index(value) if value in known else len(known)
    order = lambda k: (k[2] * -1, rank(CHAINS, k[0]), rank(TYPES, k[1]), k[3], rank(SHAPES, k[4]))
    for chain, kind, vocab, items, shape in sorted(ours, key=order):
        fields = {"chain": chain, "type": kind, "vocab": vocab, "items": items}
        own = {l2: results.get(**fields, shape=shape, l2=l2, who="ours") for l2 in CACHES}
        limit = next((times.limit for times in own.values() if times), None)
        cold = own["cold"].median / limit if own["cold"] and limit else None
        cells = [f"`{chain}`", kind, f"{vocab:,}", str(items), shape, figure(own["warm"]),
                 figure(own["cold"]), text_of(limit), text_of(cold)]
        for peer in peers:
            for l2 in CACHES:
                theirs = results.get(**fields, shape="-", l2=l2, who=peer)
                cells += [figure(theirs), text_of(ratio(theirs, own[l2]))]
        lines.append(row(cells))
    return lines


def floors_table(results):
    floors = sorted({key[1:4] for key in results.times if key.chain == "floor"},
                    key=lambda k: (-k[1], k[0], k[2]))
    if not floors:
        return []
    lines = ["", row(["logits", "vocabulary", "items", "limit", "read warm", "read cold",
                      "launch warm", "launch cold"]), "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for kind, vocab, items in floors:
        fields = {"chain": "floor", "type": kind, "vocab": vocab, "items": items, "shape": "-"}
        found = [results.get(**fields, l2=l2, who=who)
                 for who in ("read", "launch") for l2 in CACHES]
        limit = next((times.limit for times in found if times), None)
        lines.append(row([kind, f"{vocab:,}", str(items), text_of(limit)] +
                         [figure(times) for times in found]))
    return lines


def peers_of(results):
    return sorted({key.who for key in results.times if key.chain != "floor"} - {"ours"})


def markdown(results):
    peers = peers_of(results)
    context = results.context
    lines = [f"## {results.title()}", ""]
    if results.emulated:
        lines += [f"**The times below are {EMULATED}: no device was measured.**", ""]
    told = []
    for key, what in [("compute_capability", "compute capability {}"),
                      ("multiprocessors", "{} multiprocessors"),
                      ("l2_bytes", "second-level cache of {} bytes"),
                      ("cuda_driver", "driver for CUDA {}"), ("cuda_runtime", "runtime {}"),
                      ("repetitions", "{} repetitions, interleaved")]:
        if key in context:
            told.append(what.format(context[key]))
    lines.append(f"{context.get('date', '')}: {', '.join(told)}.")
    peak = context.get("peak_gigabytes_per_second", "0")
    if peak != "0":
        lines.append(f"Peak {peak} GB/s ({context.get('peak_is', '?')}).")
    else:
        lines.append("The device does not tell its bandwidth: no limit (--bandwidth gives it).")
    lines += ["", "Microseconds of one step under graph replay: median (quartiles). `limit` is one "
              "read of the logits at the peak" + (", `x` the peer's time by ours." if peers else "."),
              ""]
    lines += steps_table(results, peers) + floors_table(results)
    for peer in peers:
        lines += ["", f"`{peer}`: {context.get('peer_' + peer, '?')}."]
    if "left_out" in context:
        lines += ["", f"Left out: {context['left_out']}."]
    for fault in results.faults:
        lines += ["", f"FAILED: {fault}"]
    return "\n".join(lines) + "\n"


def plot(results, folder):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "device_bench"
    from matplotlib import pyplot

    written = []

    def write(figure_, name):
        figure_.suptitle(results.title(), fontsize=11)
        figure_.tight_layout()
        for kind in ("svg", "png"):
            path = os.path.join(folder, f"{name}.{kind}")
            figure_.savefig(path, dpi=120, metadata={"Date": None} if kind == "svg" else None)
            written.append(path)
        pyplot.close(figure_)

    def finish(axes, what):
        axes.set_xscale("log", base=2)
        axes.set_xticks(items_all, [str(n) for n in items_all])
        axes.minorticks_off()
        axes.set_xlabel("items")
        axes.set_ylabel(what)
        axes.grid(True, alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=7)

    def series(value_of, **fields):
        """Points over items of what there is."""
        points = [(n, value_of(n, fields)) for n in items_all]
        return [(n, value) for n, value in points if value is not None]

    peers = peers_of(results)
    types = results.of("type", TYPES)
    colours = {chain: f"C{i}" for i, chain in enumerate(results.of("chain", CHAINS))}
    styles = {"automatic": "-", "resident": "--", "streaming": "-."}
    for vocab in results.of("vocab"):
        items_all = sorted({k.items for k in results.times if k.vocab == vocab})
        grid, panels = pyplot.subplots(len(types), 2, figsize=(12, 4.5 * len(types)), squeeze=False)
        for at, kind in enumerate(types):
            for side, l2 in enumerate(CACHES):
                axes = panels[at][side]
                for who in ["ours"] + peers:
                    for chain in results.of("chain", CHAINS):
                        for shape in SHAPES + ["-"]:
                            found = lambda n, f: results.get(**f, items=n)
                            points = series(found, chain=chain, type=kind, vocab=vocab, shape=shape,
                                            l2=l2, who=who)
                            if not points:
                                continue
                            label = chain if who == "ours" else f"{chain}: {who}"
                            if shape not in ("-", "automatic"):
                                label += f", {shape}"
                            middle = [times.median for _, times in points]
                            spread = [times.quartiles for _, times in points]
                            # A median of few lies within its quartiles but for rounding.
                            bars = [[max(0, m - q[0]) for m, q in zip(middle, spread)],
                                    [max(0, q[1] - m) for m, q in zip(middle, spread)]]
                            axes.errorbar([n for n, _ in points], middle, yerr=bars, capsize=2,
                                          marker="." if who == "ours" else "x", label=label,
                                          linestyle=styles.get(shape, ":"), color=colours[chain])
                points = series(lambda n, f: results.get(**f, items=n), chain="floor", type=kind,
                                vocab=vocab, shape="-", l2=l2, who="read")
                if points:
                    axes.plot([n for n, _ in points], [times.median for _, times in points],
                              color="grey", linestyle="--", label="a kernel that only reads")
                limits = {k.items: t.limit for k, t in results.times.items()
                          if k.vocab == vocab and k.type == kind and t.limit}
                if limits:
                    numbers = sorted(limits)
                    axes.plot(numbers, [limits[n] for n in numbers], color="black",
                              label="limit: one read of the logits")
                axes.set_yscale("log")
                axes.set_title(f"{kind}, vocabulary {vocab:,}, {l2} cache", fontsize=9)
                finish(axes, "microseconds of a step")
        write(grid, f"latency-v{vocab}")
        if not peers:
            continue
        grid, panels = pyplot.subplots(1, 2, figsize=(12, 4.5), squeeze=False)
        for side, l2 in enumerate(CACHES):
            axes = panels[0][side]
            for peer in peers:
                for chain in results.of("chain", CHAINS):
                    def times_ours(n, f):
                        theirs = results.get(**f, items=n, shape="-", who=peer)
                        own = results.get(**f, items=n, shape="automatic", who="ours")
                        return ratio(theirs, own)
                    points = series(times_ours, chain=chain, type="f32", vocab=vocab, l2=l2)
                    if points:
                        axes.plot([n for n, _ in points], [v for _, v in points], marker=".",
                                  color=colours[chain], label=f"{chain}: {peer}")
            axes.axhline(1, color="black", linewidth=0.8)
            axes.set_title(f"f32, vocabulary {vocab:,}, {l2} cache", fontsize=9)
            finish(axes, "peer's time by ours")
        write(grid, f"ratio-v{vocab}")
    return written


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", required=True, help="what device_bench wrote")
    parser.add_argument("--plots", metavar="FOLDER", help="latency and ratios, SVG and PNG")
    options = parser.parse_args()
    try:
        with open(options.json) as text:
            results = Results(json.load(text))
    except (OSError, ValueError, KeyError) as fault:
        print(f"report: {options.json}: {fault}", file=sys.stderr)
        return 2
    if not results.times and not results.faults:
        print(f"report: {options.json} has no case", file=sys.stderr)
        return 2
    sys.stdout.write(markdown(results))
    if options.plots:
        os.makedirs(options.plots, exist_ok=True)
        for path in plot(results, options.plots):
            print(f"wrote {path}", file=sys.stderr)
    return 1 if results.faults else 0


if __name__ == "__main__":
    sys.exit(main())
