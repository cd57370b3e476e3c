# SPDX-License-Identifier: Apache-2.0
"""What is known of the curves beside their being linear: steps, and bends, each with a bound."""
from collections import namedtuple

# Between the points `low` and `high` of a curve: how many times as much all of it may cost behind.
Cliff = namedtuple("Cliff", "curve shape low high instructions bytes barriers why")

CLUSTER = "twice the blocks"
LIST = "a list has 2,048 places"
USUAL = "more than the first list asks for, 256: a second read"
MORE = "more than the second list asks for, 1,024: held in scratch memory"
CAPACITY = "shared memory has room for some thousand listed tokens: held in scratch memory"
GROUPS = "more candidates than groups of lanes: they are walked over the whole row"
WARPS = "a list of more than 128 is held by several warps, which wait for each other"
TIES = "a list keeps room for ties, a rank beyond 1,792 has none: held in scratch memory"
FETCH = "candidates are fetched 2,048 at a time"
WALK = "more candidates than a list holds, 2,048: held in scratch memory, walked over the whole row"

CLIFFS = []
for curve in ("vocabulary, top-k", "vocabulary, top-k, rising logits", "vocabulary, draw",
              "vocabulary, typical"):
    for vocab in (4096, 8192, 16384):
        CLIFFS.append(Cliff(curve, "resident", vocab, 2 * vocab, 2.4, 2.4, 2.4, CLUSTER))
for curve in ("survivors, min-p", "survivors, epsilon", "survivors, top-p"):
    CLIFFS += [
        Cliff(curve, "resident", 2048, 2304, 1.8, 1.1, 1.1, LIST),
        Cliff(curve, "streaming", 200, 400, 3.4, 2.6, 2.3, USUAL),
        Cliff(curve, "streaming", 800, 1600, 2.0, 3.6, 1.5, MORE),
        Cliff(curve, "streaming", 2048, 2304, 1.5, 1.6, 1.1, LIST),
    ]
for curve in ("history, penalty", "listed tokens, suppressed", "listed tokens, biased"):
    CLIFFS.append(Cliff(curve, "streaming", 4096, 8192, 1.7, 4.0, 1.1, CAPACITY))
CLIFFS += [
    Cliff("vocabulary, top-k, rising logits", "resident", 65536, 131072, 2.6, 2.1, 1.1, LIST),
    Cliff("survivors, top-h", "resident", 100, 400, 40, 1.1, 20, GROUPS),
    Cliff("survivors, top-h", "resident", 1600, 2304, 1.7, 1.1, 2.3, FETCH),
    Cliff("survivors, top-h", "streaming", 1600, 2304, 13, 11, 2.4, WALK),
    Cliff("survivors, top-h", "streaming", 100, 400, 3.2, 1.1, 8, WARPS),
    Cliff("survivors, top-h", "resident", 50, 100, 4.0, 1.1, 8, WARPS),
    Cliff("survivors, top-k", "streaming", 50, 100, 1.4, 1.1, 3.2, WARPS),
    Cliff("survivors, top-k", "streaming", 100, 200, 1.4, 1.1, 3.2, WARPS),
    Cliff("survivors, top-k", "streaming", 1600, 2304, 1.4, 3.3, 1.1, TIES),
]

# Curves that are steeper than linear: how many times as much a unit may cost as one before it.
BENDS = {
    ("vocabulary, top-k, rising logits", "streaming"): (
        2.2, "a round that overflows the list is read again, 16 times in a row at most"),
    ("history, admission", "resident"): (
        1.8, "each 1,024 tokens of history go over all distinct tokens so far"),
    ("history, n-grams of half of it", "resident"): (
        1.7, "every thread prepares for the whole pattern and compares each of its windows anew"),
    ("history, n-grams of half of it", "streaming"): (
        1.7, "every thread prepares for the whole pattern and compares each of its windows anew"),
    ("survivors, top-h", "streaming"): (2.1, "a list is put in order by a network of compares"),
    ("survivors, top-k", "streaming"): (
        2.4, "a list is put in order by a network of compares; a long one overflows more often, and "
             "a round is read again each time"),
}
