# SPDX-License-Identifier: Apache-2.0
"""Makes strict cases from stages and rows; what is not clear in float64 is thrown away."""
import numpy as np

from . import reference
from .encoding import bits, mask, rounded
from .margins import clear, margin

TOLERANCE = {
    "Temperature": {"ulp": 1}, "RepetitionPenalty": {"ulp": 1}, "PromptRepetitionPenalty": {"ulp": 1},
    "SequenceBias": {"abs": 1e-6, "rel": 2.4e-7}, "ExponentialDecayLengthPenalty": {"abs": 1e-6, "rel": 1e-6},
    "Renormalize": {"abs": 1e-5, "rel": 1e-6},
}
CHAIN_TOLERANCE = {"abs": 2e-5, "rel": 2e-6}


def history(rng, vocab, prompt, generated):
    """Ids that repeat: drawn from a few favourites."""
    favourites = [rng.randrange(vocab) for _ in range(max(2, vocab // 4))]
    pick = lambda: rng.choice(favourites) if rng.random() < 0.8 else rng.randrange(vocab)
    return [pick() for _ in range(prompt)], [pick() for _ in range(generated)]


def logits(rng, vocab, scale=2.5, removed=0.0, tied=0.0):
    """A row; a part of it -inf, a part equal to other values of the row."""
    row = [rng.gauss(0.0, scale) for _ in range(vocab)]
    for i in range(vocab):
        if rng.random() < tied:
            row[i] = row[rng.randrange(vocab)]
        if rng.random() < removed:
            row[i] = -np.inf
    if max(row) == -np.inf:
        row[rng.randrange(vocab)] = 1.0
    return row


def make(name, stages, row, dtype, prompt, generated):
    """The case, or None where a decision is not clear."""
    values, written = rounded(row, dtype)
    # The same in float64: a mask that hangs on the reference's own rounding is not written.
    try:
        after = reference.run(stages, prompt, generated, values)
        wide = reference.run(stages, prompt, generated, values.astype(np.float64))
    except ValueError:  # nothing was left in front of a stage that makes a distribution
        return None
    smallest = None
    for i, one in enumerate(stages):
        before = values if i == 0 else wide[i - 1]
        if one["name"] == "RemoveInvalidValues":  # repairs to the largest value of the type
            continue
        if np.any(np.isnan(after[i])) or mask(after[i]) != mask(wide[i]):
            return None
        if not clear(one["name"], one["params"], np.asarray(before, np.float64), after[i]):
            return None
        found = margin(one["name"], one["params"], before)
        if found and (smallest is None or found[0] < smallest):
            smallest = found[0]
    out = after[-1]
    kept = out > -np.inf
    unchanged = bool(np.all(values[kept].view(np.uint32) == out[kept].view(np.uint32)))
    expected = {"values_unchanged": unchanged, "kept_count": int(kept.sum()), "kept": mask(out)}
    if not unchanged:
        expected["out"] = bits(out)
    if len(stages) > 1:
        expected["kept_after_stage"] = [mask(x) for x in after]
    tolerance = TOLERANCE.get(stages[0]["name"], {}) if len(stages) == 1 else CHAIN_TOLERANCE
    return {
        "id": name, "stages": stages, "vocab": len(row), "dtype": dtype, "prompt": prompt,
        "generated": generated, "logits": written, "margin": smallest, "category": "strict",
        "tolerance": tolerance, "expected": expected,
    }


def first_clear(attempt, what):
    """The first case that an attempt makes."""
    for _ in range(2000):
        made = attempt()
        if made is not None:
            return made
    raise RuntimeError(f"{what}: no clear case in 2,000")
