# SPDX-License-Identifier: Apache-2.0
"""How far the decisions of a cut are from their thresholds, in float64.

A case is written only where every decision is clear: a library that is right to rounding must give the
same mask."""
import numpy as np

from .reference import best_first, entropy_of, log_sum_exp, sigma_limit

BAND = {"mass": 1e-5, "relative": 1e-5, "entropy": 1e-5, "mass|order": 1e-5, "score": 1e-5}


def probabilities(x):
    return np.exp(x - log_sum_exp(x))


def tied_across(x, kept):
    """True where equal scores are kept and removed: which of them is a convention."""
    return bool({v for v, k in zip(x, kept) if k} & {v for v, k in zip(x, kept) if not k and v > -np.inf})


def edge_is_tied(x, count):
    """True where the min_tokens_to_keep best are not determined by the scores alone."""
    best = best_first(x)
    return 1 < count < len(x) and x[best[count - 1]] == x[best[count]] > -np.inf


def of_mass(x, limit):
    """Distance of the cumulated mass, best first, from a limit of it."""
    p = probabilities(x)
    order = best_first(x)
    before = np.concatenate([[0.0], np.cumsum(p[order])])[: len(x)]
    alive = np.array([x[i] > -np.inf for i in order])
    return float(np.min(np.abs(before[alive] - limit)))


def of_ratio(x, threshold):
    """Of the tokens below the best: those that tie with it always stay."""
    p = probabilities(x)[(x > -np.inf) & (x < np.max(x))]
    return float(np.min(np.abs(p / threshold - 1.0))) if len(p) else 1.0


def of_typical(x, mass):
    logp = x - log_sum_exp(x)
    p = np.exp(logp)
    key = np.abs(-logp - entropy_of(x))
    order = sorted((i for i in range(len(x)) if x[i] > -np.inf), key=lambda i: (key[i], i))
    total = np.cumsum(p[order])
    margin = float(np.min(np.abs(total - mass)))
    last = order[min(int(np.sum(total < mass)), len(order) - 1)]
    gaps = [abs(key[i] - key[last]) for i in order if x[i] != x[last]]
    return min([margin] + gaps)


def of_top_h(x, fraction):
    order = best_first(x)[:100]
    top = x[order]
    p = probabilities(top)
    terms = np.array([-v * np.log(v) if v > 0 else 0.0 for v in p])
    cumulated = np.cumsum(terms)
    return float(np.min(np.abs(cumulated[p > 0] - fraction * np.sum(terms))))


def margin(name, params, x):
    """(margin, kind), or None for a stage that decides by exact rules alone."""
    x = np.asarray(x, np.float64)
    if name == "TopP" and params["top_p"] < 1:
        return of_mass(x, params["top_p"]), "mass"
    if name == "JointTopKTopP" and params["top_p"] < 1:
        return of_mass(x, params["top_p"]), "mass"
    if name == "MinP" and params["min_p"] > 0:
        return of_ratio(x, params["min_p"] * np.max(probabilities(x))), "relative"
    if name == "EpsilonCutoff":
        return of_ratio(x, params["epsilon"]), "relative"
    if name == "EtaCutoff":
        epsilon = params["epsilon"]
        return of_ratio(x, min(epsilon, np.sqrt(epsilon) * np.exp(-entropy_of(x)))), "relative"
    if name == "Typical":
        return of_typical(x, params["mass"]), "mass|order"
    if name == "TopNSigma":
        below = x[(x > -np.inf) & (x < np.max(x))]
        return min([1.0, *np.abs(below - sigma_limit(x, params["n"]))]), "score"
    if name == "TopH":
        return of_top_h(x, params["top_h"]), "entropy"
    return None


def clear(name, params, x, after):
    """False where the mask is a matter of rounding or of a convention among ties."""
    found = margin(name, params, x)
    if found and not found[0] > BAND[found[1]]:
        return False
    kept = [v > -np.inf for v in after]
    if name in ("TopP", "TopH") and tied_across(x, kept):
        return False
    return not edge_is_tied(x, params.get("min_tokens_to_keep", 1))
