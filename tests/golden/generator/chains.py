# SPDX-License-Identifier: Apache-2.0
"""Chains in the orders of Transformers, vLLM and llama.cpp: few types, many numbers, each with a draw."""
import random

from . import reference
from .draws import draw
from .encoding import rounded
from .making import first_clear, history, logits, make
from .transforms import ORDINARY, ROW_DEPENDENT, with_history

# What is written once here is compiled once by the tests.
TYPES = {
    "transformers": [
        "RepetitionPenalty Temperature TopK TopP MinP Typical",
        "SequenceBias RepetitionPenalty NoRepeatNGram NoBadWords MinLength SuppressTokens Temperature TopK",
        "PromptRepetitionPenalty PromptNoRepeatNGram MinNewTokens ExponentialDecayLengthPenalty TopH EpsilonCutoff",
        "ForcedBOS ForcedEOS BeginSuppressTokens Temperature EtaCutoff Renormalize",
    ],
    "vllm": [
        "NoBadWords MinNewTokens SequenceBias RepetitionPenalty FrequencyPenalty PresencePenalty Temperature MinP",
        "RepetitionPenalty FrequencyPenalty PresencePenalty Temperature MinP TopK TopP",
    ],
    "llama.cpp": [
        "RepetitionPenalty FrequencyPenalty PresencePenalty TopK Typical TopP MinP Temperature",
        "SequenceBias TopK TopP MinP Temperature",
    ],
    "other": [
        "TopP TopK RemoveInvalidValues",
        "Temperature TopP Temperature TopP SuppressTokens Renormalize",
    ],
}


def params_of(rng, name, vocab, prompt, generated):
    if name in ROW_DEPENDENT:
        return with_history(rng, name, vocab, prompt, generated)
    return ORDINARY[name](rng) if name in ORDINARY else {}


def one_case(rng, order, number, names):
    vocab = rng.choice((6, 12, 24, 40))
    short = "ForcedBOS" in names and number == 0
    prompt, generated = history(rng, vocab, *((1, 0) if short else (rng.randrange(1, 14), rng.randrange(0, 14))))
    stages = [{"name": n, "params": params_of(rng, n, vocab, prompt, generated)} for n in names]
    dtype = ("f32", "f16", "bf16", "f32")[number % 4]
    row = logits(rng, vocab, rng.choice((1.5, 3.0)), removed=0.1 if number % 2 else 0.0)
    made = make(f"{order}/{len(names)}/{number}", stages, row, dtype, prompt, generated)
    if made is None:
        return None
    seed = rng.getrandbits(64)
    out = reference.run(stages, prompt, generated, rounded(row, dtype)[0])[-1]
    if not (out > float("-inf")).any():
        return None
    token, distance = draw(out, seed, len(generated))
    if distance < 1e-4:
        return None
    made["tags"] = [order]
    made["draw"] = {"seed": seed, "position": len(generated), "token": token}
    return made


def cases():
    for order, types in TYPES.items():
        for kind in types:
            rng = random.Random(f"chains {kind}")
            for number in range(4):
                yield first_clear(lambda: one_case(rng, order, number, kind.split()), f"{kind}/{number}")
