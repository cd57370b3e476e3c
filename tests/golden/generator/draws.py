# SPDX-License-Identifier: Apache-2.0
"""The token that a seed and a position draw, from the definition: Philox4x32-10 and shares of mass."""
import numpy as np


def philox4x32_10(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & 0xFFFFFFFF, a >> 32 ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def draw(scores, seed, position):
    """(token, distance of the random share from the token's edges), in float64."""
    x = philox4x32_10([position & 0xFFFFFFFF, position >> 32, 0, 0], [seed & 0xFFFFFFFF, seed >> 32])
    share = (x[1] << 32 | x[0]) / 2.0**64
    x = np.asarray(scores, np.float64)
    p = np.exp(x - np.max(x))
    cumulated = np.cumsum(p) / np.sum(p)
    token = int(np.argmax(cumulated > share))
    return token, float(np.min(np.abs(cumulated - share)))
