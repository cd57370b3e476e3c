# SPDX-License-Identifier: Apache-2.0
"""Stopping: criteria over ids and lengths, and stop strings over a small byte-level vocabulary."""
import random

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode
from transformers.generation.stopping_criteria import EosTokenCriteria, MaxLengthCriteria, StopStringCriteria

from .encoding import fnv1a64

TEXTS = list("abcdefghnoprstu #") + [
    "\n", "st", "op", "sto", "stop", "ops", "top", "stopst", "xstopy", "aa", "aaa", "aba", "ab", "ba", "##", "###",
    " stop", "the", " end", "END", "end", "\n\n", "好", "é", "好的", "a\nb", "stopstop",
]
# Whole texts and pieces of characters.
PIECES = [t.encode() for t in TEXTS] + [b"\xe5", b"\xa5", b"\xbd", b"\xe5\xa5", b"\xa5\xbd", b"\xbd\xe5", b"\xc3", b"\xa9"]
STRINGS = ["stop", "aa", "aba", "###", "\n\n", " end", "END", "好", "é", "好的", "stopstop", "op", "s", "the end",
           "abab", "a\nb", "xstopyx", "oops"]


def tokenizer():
    alphabet = bytes_to_unicode()
    vocab = {"".join(alphabet[b] for b in piece): i for i, piece in enumerate(PIECES)}
    assert len(vocab) == len(PIECES)
    inner = Tokenizer(models.BPE(vocab=vocab, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=inner)


def asked(criteria, tokens):
    return "".join(
        "1" if any(bool(c(torch.tensor([tokens[: i + 1]]), None)[0]) for c in criteria) else "0"
        for i in range(len(tokens)))


def simple_cases():
    rng = random.Random("simple stops")
    kinds = ["Eos", "MaxLength", "MaxNewTokens", "Eos+MaxLength", "Eos+MaxNewTokens"]
    for number in range(30):
        kind = kinds[number % len(kinds)]
        vocab = rng.choice((4, 9, 50))
        tokens = [rng.randrange(vocab) for _ in range(rng.randrange(2, 25))]
        prompt = rng.randrange(1, len(tokens))
        criteria, params = [], {}
        for part in kind.split("+"):
            if part == "Eos":
                params["eos_token_id"] = [rng.randrange(vocab) for _ in range(rng.choice((1, 1, 3, 12)))]
                criteria.append(EosTokenCriteria(params["eos_token_id"]))
            elif part == "MaxLength":
                params["max_length"] = rng.randrange(1, len(tokens) + 3)
                criteria.append(MaxLengthCriteria(params["max_length"]))
            else:
                params["max_new_tokens"] = rng.randrange(1, len(tokens) + 3)
                criteria.append(MaxLengthCriteria(prompt + params["max_new_tokens"]))
        yield {"id": f"simple/{number}", "criteria": kind, "params": params, "vocab": vocab, "tokens": tokens,
               "prompt_len": prompt, "done": asked(criteria, tokens)}


def matched_by_bytes(strings, tokens):
    found, text = [], b""
    for token in tokens:
        before = len(text)
        text += PIECES[token]
        ends = range(before + 1, len(text) + 1)
        found.append([i for i, s in enumerate(strings) if any(text[:end].endswith(s.encode()) for end in ends)])
    return found


def cut(rng, text):
    """A random cut of bytes into tokens; None where there is none."""
    tokens = []
    while text:
        fitting = [i for i, piece in enumerate(PIECES) if text.startswith(piece)]
        if not fitting:
            return None
        tokens.append(rng.choice(fitting))
        text = text[len(PIECES[tokens[-1]]):]
    return tokens


def string_cases():
    rng = random.Random("stop strings")
    known = tokenizer()
    number = 0
    while number < 60:
        strings = rng.sample(STRINGS, rng.choice((1, 1, 2, 4)))
        if number % 2:
            how, tokens = "random tokens", [rng.randrange(len(PIECES)) for _ in range(rng.randrange(3, 24))]
        else:
            how = "random segmentation"
            parts = [rng.choice(STRINGS + ["a", "the", "tests ", "so "]) for _ in range(rng.randrange(2, 8))]
            tokens = cut(rng, "".join(parts).encode())
            if tokens is None:
                continue
        prompt = rng.randrange(1, len(tokens)) if len(tokens) > 1 else 1
        criterion = StopStringCriteria(known, strings)
        done = asked([criterion], tokens)
        generated = "." * prompt + asked([criterion], tokens[prompt:])
        bytes_say = matched_by_bytes(strings, tokens)
        # A text in which the reference and the bytes part would need a reason.
        assert done == "".join("1" if m else "0" for m in bytes_say), (strings, tokens)
        yield {"id": f"letters/{number}", "tokenizer": "letters", "stop_strings": strings, "tokens": tokens,
               "prompt_len": prompt, "how": how, "done": done, "done_generated_only": generated,
               "matched_by_bytes": bytes_say}
        number += 1


def table_cases():
    for string in STRINGS:
        target = string.encode()
        positions, ends = StopStringCriteria._stop_string_get_matching_positions(
            PIECES, list(range(len(PIECES))), [target])
        positions, ends = positions[target], ends[target]
        text = lambda lists: ";".join(f"{i}:{','.join(map(str, lists[i]))}" for i in sorted(lists))
        yield {"tokenizer": "letters", "stop_string": string, "unit": "bytes", "mode": "byte_level",
               "tokens_with_positions": len(positions), "tokens_with_end_lengths": len(ends),
               "canon_fnv1a64": fnv1a64(f"{text(positions)}|{text(ends)}".encode()),
               "positions": {str(i): positions[i] for i in sorted(positions)},
               "end_lengths": {str(i): ends[i] for i in sorted(ends)}}
