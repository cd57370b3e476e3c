# SPDX-License-Identifier: Apache-2.0
"""Cases that are not strict: ties and near misses, rows without a distribution, numbers that are refused."""
import math

import numpy as np

from . import reference
from .encoding import bits, mask, rounded

INF, NAN = math.inf, math.nan


def base(name, stage, params, row, category, **more):
    values, written = rounded(row, "f32")
    return {"id": name, "stages": [{"name": stage, "params": params}], "vocab": len(row), "dtype": "f32",
            "prompt": [0], "generated": [], "logits": written, "category": category, "tolerance": {}, **more}


def kept(stage, params, row):
    values = rounded(row, "f32")[0]
    out = reference.run([{"name": stage, "params": params}], [0], [], values)[-1]
    return {"values_unchanged": True, "kept_count": int(np.sum(out > -np.inf)), "kept": mask(out)}


def edges():
    """Thresholds that are met exactly: a token in the band may go either way."""
    log2 = math.log(2)
    row = [log2 * n for n in (1, 2, 0, 0)]  # shares 1/4, 1/2, 1/8, 1/8
    for p, band in ((0.75, [2, 3]), (0.5, [0])):
        yield base(f"TopP/met/{p}", "TopP", {"top_p": p}, row, "tie", expected=kept("TopP", {"top_p": p}, row),
                   decisions=[{"stage": "TopP", "margin": 0.0, "margin_kind": "mass", "band": band}])
    near = [0.0, math.log(0.25) + 2e-7, math.log(0.25) - 2e-7, -3.0]
    yield base("MinP/near", "MinP", {"min_p": 0.25}, near, "near", expected=kept("MinP", {"min_p": 0.25}, near),
               decisions=[{"stage": "MinP", "margin": 2e-7, "margin_kind": "relative", "band": [1, 2]}])


def splits():
    """Equal logits on both sides of a cut: so many of them stay, whichever."""
    for what, p, row, tied in (
        ("half", 0.5, [1.0] * 10, range(10)), ("most", 0.99, [1.0] * 10, range(10)),
        ("least", 0.05, [1.0] * 10, range(10)), ("inner", 0.85, [3.0, 1.0, 1.0, 1.0, -2.0], (1, 2, 3)),
    ):
        expected = kept("TopP", {"top_p": p}, row)
        count = sum(expected["kept"][i] == "1" for i in tied)
        yield base(f"TopP/equal/{what}", "TopP", {"top_p": p}, row, "split", expected=expected,
                   tie_split={"indices": list(tied), "kept_count": count})


CUTS = {
    "TopK": {"top_k": 2}, "TopP": {"top_p": 0.6}, "MinP": {"min_p": 0.3}, "Typical": {"mass": 0.5},
    "EpsilonCutoff": {"epsilon": 0.2}, "EtaCutoff": {"epsilon": 0.2}, "TopH": {"top_h": 0.4}, "Renormalize": {},
    "Greedy": {}, "JointTopKTopP": {"top_k": 2, "top_p": 0.6}, "TopNSigma": {"n": 1.0},
}


def without_distribution():
    rows = {"nan": [1.0, NAN, 3.0, 0.5], "inf": [1.0, INF, 0.0, -INF], "nothing": [-INF] * 4,
            "two": [INF, NAN, INF, NAN]}
    for stage, params in CUTS.items():
        for what, row in rows.items():
            yield base(f"{stage}/{what}", stage, params, row, "nonfinite", expected={})


def refused():
    row = [1.0, 2.0, 3.0, 4.0]
    for stage, params in (
        ("Temperature", {"temperature": -1.0}), ("TopK", {"top_k": -3}), ("TopP", {"top_p": 1.5}),
        ("TopP", {"top_p": -0.1}), ("MinP", {"min_p": 1.01}), ("MinP", {"min_p": -0.5}),
        ("Typical", {"mass": 0.0}), ("Typical", {"mass": 1.5}), ("EpsilonCutoff", {"epsilon": 1.0}),
        ("EtaCutoff", {"epsilon": -0.1}), ("TopH", {"top_h": 1.5}), ("RepetitionPenalty", {"penalty": 0.0}),
        ("RepetitionPenalty", {"penalty": -2.0}), ("NoRepeatNGram", {"ngram_size": -1}),
        ("TopP", {"top_p": 0.5, "min_tokens_to_keep": 0}), ("NoBadWords", {"bad_words_ids": [[]]}),
        ("SequenceBias", {"sequence_bias": [[[0, 9], 1.0]]}),
    ):
        values = rounded(row, "f32")[0]
        try:
            reference.run([{"name": stage, "params": params}], [0], [], values)
        except Exception as error:  # whatever it is, it is recorded by its name
            raised = type(error).__name__
        else:
            raise AssertionError(f"{stage} {params} is not refused")
        number = "/".join(str(v) for v in params.values())
        yield base(f"{stage}/refused/{number}", stage, params, row, "raises", expected={"raises": raised})


def departures():
    """The reference makes a NaN here; the design keeps -inf."""
    row = [-INF, 1.0, 2.0]
    stages = [{"name": "ExponentialDecayLengthPenalty",
               "params": {"start": 0, "factor": 1.5, "eos_token_id": [0], "prompt_length": 1}}]
    out = reference.run(stages, [1], [1, 1], rounded(row, "f32")[0])[-1]
    assert np.isnan(out[0])
    case = base("ExponentialDecayLengthPenalty/removed", "", {}, row, "strict",
                expected={"values_unchanged": False, "kept_count": 3, "kept": "111", "out": bits(out)})
    yield {**case, "stages": stages, "prompt": [1], "generated": [1, 1], "tolerance": {"abs": 1e-6, "rel": 1e-6}}


def cases():
    for part in (edges, splits, without_distribution, refused, departures):
        yield from part()
