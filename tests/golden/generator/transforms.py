# SPDX-License-Identifier: Apache-2.0
"""Each transform alone: ordinary numbers, edges of its range, ties, narrow types, short histories."""
import random

from .making import first_clear, history, logits, make

# Numbers that are worth a case of their own.
EDGES = {
    "Temperature": [{"temperature": t} for t in (1.0, 0.01, 0.5, 100.0, 0.333)],
    "Greedy": [{}] * 4,
    "TopK": [{"top_k": k} for k in (1, 2, 3, 1000)] + [{"top_k": 2, "min_tokens_to_keep": m} for m in (3, 5, 99)],
    "TopP": [{"top_p": p} for p in (1.0, 0.001, 0.999, 0.5)]
    + [{"top_p": 0.2, "min_tokens_to_keep": m} for m in (2, 4)],
    "MinP": [{"min_p": p} for p in (0.0, 1.0, 0.9, 1e-4)] + [{"min_p": 0.7, "min_tokens_to_keep": m} for m in (2, 5)],
    "Typical": [{"mass": m} for m in (0.01, 0.99, 0.2, 0.95)]
    + [{"mass": 0.1, "min_tokens_to_keep": m} for m in (2, 6)],
    "EpsilonCutoff": [{"epsilon": e} for e in (1e-6, 0.9, 0.3, 3e-4)]
    + [{"epsilon": 0.6, "min_tokens_to_keep": m} for m in (2, 4)],
    "EtaCutoff": [{"epsilon": e} for e in (1e-6, 0.9, 0.3, 6e-4)]
    + [{"epsilon": 0.6, "min_tokens_to_keep": m} for m in (2, 4)],
    "TopH": [{"top_h": h} for h in (0.01, 0.5, 0.99)],
    "TopNSigma": [{"n": n} for n in (0.0, 1.0, 0.001, 1000.0)],
    "Renormalize": [{}] * 4,
    "RemoveInvalidValues": [{}] * 4,
    "RepetitionPenalty": [{"penalty": p} for p in (1.0, 1.3, 0.5, 100.0)]
    + [{"penalty": 1.7, "prompt_ignore_length": n} for n in (0, 1, 3, 5)],
    "PromptRepetitionPenalty": [{"penalty": p} for p in (1.0, 1.5, 0.25)],
    "FrequencyPenalty": [{"penalty": p} for p in (0.0, 0.1, -0.7, 2.0, 1e-3)],
    "PresencePenalty": [{"penalty": p} for p in (0.0, 0.1, -0.7, 2.0)],
    "NoRepeatNGram": [{"ngram_size": n} for n in (1, 2, 3, 4, 50)],
    "PromptNoRepeatNGram": [{"ngram_size": n} for n in (1, 2, 3, 50)],
}


def eos_of(rng, vocab):
    return [rng.randrange(vocab) for _ in range(rng.choice((1, 1, 2, 3)))]


def with_history(rng, name, vocab, prompt, generated):
    """Parameters that depend on the row: about half of them act."""
    total, made = len(prompt) + len(generated), len(generated)
    if name == "SequenceBias":
        entries = {}
        for _ in range(rng.randrange(1, 8)):
            length = rng.choice((1, 1, 2, 2, 3))
            if rng.random() < 0.6 and total >= length - 1:
                start = (prompt + generated)[total - length + 1 :] if length > 1 else []
            else:
                start = [rng.randrange(vocab) for _ in range(length - 1)]
            entries[tuple(start) + (rng.randrange(vocab),)] = round(rng.gauss(0, 3), 3)
        return {"sequence_bias": [[list(s), b] for s, b in entries.items()]}
    if name == "NoBadWords":
        words = []
        for _ in range(rng.randrange(1, 6)):
            length = rng.choice((1, 2, 2, 3))
            start = (prompt + generated)[total - length + 1 :] if length > 1 and total >= length - 1 else []
            words.append(start + [rng.randrange(vocab)])
        end = words[0][-1] if rng.random() < 0.5 else rng.randrange(vocab)
        return {"bad_words_ids": words, "eos_token_id": [end]}
    if name == "SuppressTokens":
        return {"tokens": [rng.randrange(vocab) for _ in range(rng.choice((1, 3, 12)))]}
    if name == "BeginSuppressTokens":
        return {"tokens": [rng.randrange(vocab) for _ in range(3)], "begin_index": total + rng.choice((0, 0, 1, -1))}
    if name == "ForcedBOS":
        return {"bos_token_id": rng.randrange(vocab)}
    if name == "ForcedEOS":
        return {"max_length": total + rng.choice((1, 1, 0, 2)), "eos_token_id": eos_of(rng, vocab)}
    if name == "MinLength":
        return {"min_length": max(0, total + rng.choice((-1, 0, 1, 5))), "eos_token_id": eos_of(rng, vocab)}
    if name == "MinNewTokens":
        return {"min_new_tokens": max(0, made + rng.choice((-1, 0, 1, 5))), "prompt_length": len(prompt),
                "eos_token_id": eos_of(rng, vocab)}
    if name == "ExponentialDecayLengthPenalty":
        return {"start": max(0, made - rng.choice((-1, 0, 1, 4, 9))), "factor": round(rng.uniform(0.9, 1.4), 3),
                "eos_token_id": eos_of(rng, vocab), "prompt_length": len(prompt)}
    raise KeyError(name)


ROW_DEPENDENT = ("SequenceBias", "NoBadWords", "SuppressTokens", "BeginSuppressTokens", "ForcedBOS", "ForcedEOS",
                 "MinLength", "MinNewTokens", "ExponentialDecayLengthPenalty")
# Small numbers for the cases that are not edges.
ORDINARY = {
    "Temperature": lambda r: {"temperature": round(r.uniform(0.2, 2), 3)},
    "TopK": lambda r: {"top_k": r.randrange(1, 12)},
    "TopP": lambda r: {"top_p": round(r.uniform(0.05, 0.98), 3)},
    "MinP": lambda r: {"min_p": round(r.uniform(0.01, 0.5), 4)},
    "Typical": lambda r: {"mass": round(r.uniform(0.1, 0.95), 3)},
    "EpsilonCutoff": lambda r: {"epsilon": round(r.uniform(0.001, 0.1), 5)},
    "EtaCutoff": lambda r: {"epsilon": round(r.uniform(0.001, 0.1), 5)},
    "TopH": lambda r: {"top_h": round(r.uniform(0.1, 0.9), 3)},
    "RepetitionPenalty": lambda r: {"penalty": round(r.uniform(0.8, 2), 3)},
    "PromptRepetitionPenalty": lambda r: {"penalty": round(r.uniform(0.8, 2), 3)},
    "FrequencyPenalty": lambda r: {"penalty": round(r.uniform(-1, 2), 3)},
    "PresencePenalty": lambda r: {"penalty": round(r.uniform(-1, 2), 3)},
    "NoRepeatNGram": lambda r: {"ngram_size": r.randrange(1, 5)},
    "PromptNoRepeatNGram": lambda r: {"ngram_size": r.randrange(1, 4)},
    "TopNSigma": lambda r: {"n": round(r.uniform(0.1, 2.5), 3)},
    "JointTopKTopP": lambda r: {"top_k": r.choice((0, 1, 3, 8)), "top_p": round(r.uniform(0.1, 1.0), 3)},
}
NAMES = sorted(set(EDGES) | set(ORDINARY) | set(ROW_DEPENDENT))
# Values repeat in some rows. Not for Typical: distances that tie are decided by rounding.
NO_TIES = ("Typical",)


def one_case(rng, name, number):
    vocab = rng.choice((2, 5, 9, 17, 24, 33, 40))
    if name == "TopH" and number % 4 == 3:
        vocab = 130  # more than the candidates
    lengths = (1, 0) if name == "ForcedBOS" and number % 2 else (rng.randrange(1, 14), rng.randrange(0, 14))
    prompt, generated = history(rng, vocab, *lengths)
    edges = EDGES.get(name, [])
    if name in ROW_DEPENDENT:
        params = with_history(rng, name, vocab, prompt, generated)
    elif number < len(edges):
        params = edges[number]
    elif name in ORDINARY:
        params = ORDINARY[name](rng)
    else:
        params = {}
    tied = 0.3 if number % 3 == 1 and name not in NO_TIES else 0.0
    row = logits(rng, vocab, rng.choice((0.7, 2.5, 5.0)), removed=0.15 if number % 2 else 0.0, tied=tied)
    if name == "RemoveInvalidValues" and number % 2:
        for value in (float("nan"), float("inf"), float("-inf")):
            row[rng.randrange(vocab)] = value
    dtype = ("f32", "f32", "f16", "bf16")[number % 4]
    return make(f"{name}/{number}", [{"name": name, "params": params}], row, dtype, prompt, generated)


def cases():
    for name in NAMES:
        rng = random.Random(f"transforms {name}")
        for number in range(14):
            yield first_clear(lambda: one_case(rng, name, number), f"{name}/{number}")
