# SPDX-License-Identifier: Apache-2.0
"""A plot of each curve: instructions, and bytes, over what grows."""
import os

import matplotlib
from matplotlib import pyplot, ticker

matplotlib.use("Agg")


def plot(curves, folder):
    """Writes CURVE.svg and CURVE.png into a folder, both shapes in each."""
    pyplot.rcParams.update({
        "svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9,
        "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
        "grid.color": "0.9", "axes.axisbelow": True,
    })
    os.makedirs(folder, exist_ok=True)
    units = {"vocabulary": "tokens of the vocabulary", "items": "items of a step",
             "history": "tokens of history", "listed tokens": "listed tokens",
             "survivors": "survivors"}
    for curve in dict.fromkeys(curve for curve, _ in curves):
        kind = curve.partition(", ")[0]
        figure, panels = pyplot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
        for panel, key, title in ((panels[0], "instructions", "thread instructions"),
                                  (panels[1], "bytes", "bytes read and written")):
            for shape, color, marker in (("resident", "#1f77b4", "o"),
                                         ("streaming", "#d95f02", "s")):
                points = curves.get((curve, shape))
                if not points:
                    continue
                panel.plot([p["x"] for p in points], [p[key] for p in points], color=color,
                           linewidth=1.3, marker=marker, markersize=4, label=shape)
                held = [p for p in points if p["held"]]
                if held:
                    panel.plot([p["x"] for p in held], [p[key] for p in held], linestyle="none",
                               marker=marker, markersize=4, markerfacecolor="white",
                               markeredgecolor=color, label="streaming, held in scratch memory")
            set_scales(panel, kind, points_of(curves, curve))
            panel.yaxis.set_major_formatter(ticker.FuncFormatter(short))
            panel.set_xlabel(units.get(kind, kind))
            panel.set_title(title, fontsize=9, loc="left")
        figure.suptitle(curve, fontsize=10, x=0.01, ha="left")
        figure.legend(*panels[0].get_legend_handles_labels(), frameon=False, fontsize=8, ncols=3,
                      loc="outside upper right")
        name = "_".join("".join(c if c.isalnum() else " " for c in curve).split())
        for ending in ("svg", "png"):
            figure.savefig(f"{folder}/{name}.{ending}", dpi=150,
                           metadata={"Date": None} if ending == "svg" else None)
        pyplot.close(figure)


def set_scales(panel, kind, points):
    if kind in ("vocabulary", "items"):
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        panel.set_xticks([point["x"] for point in points[::-2]])
        panel.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        panel.minorticks_off()
        panel.xaxis.set_major_formatter(ticker.FuncFormatter(in_binary))
        return
    if kind == "survivors":
        panel.set_xscale("log")
    else:
        panel.set_xlim(left=0)
    panel.set_ylim(bottom=0)
    panel.xaxis.set_major_formatter(ticker.FuncFormatter(short))


def points_of(curves, curve):
    return max((own for (name, _), own in curves.items() if name == curve), key=len)


def short(value, _=None):
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:g}"


def in_binary(value, _=None):
    return f"{value / 1024:g} Ki" if value >= 1024 else f"{value:g}"
