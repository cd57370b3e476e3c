# SPDX-License-Identifier: Apache-2.0
"""The stages of the golden format by the reference: Transformers' classes, vLLM's formulas, definitions."""
import numpy as np
import torch
from transformers.generation import logits_process as hf


def entropy_of(x):
    logp = x - log_sum_exp(x)
    p = np.exp(logp)
    return -np.sum(p[p > 0] * logp[p > 0])


def log_sum_exp(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def vllm_penalty(name, penalty, generated):
    """vLLM: logits -= penalty * count, or * (count > 0), over generated tokens, in the row's type."""

    def call(ids, scores):
        row = scores[0].numpy().copy()
        for token in sorted(set(generated)):
            count = generated.count(token) if name == "FrequencyPenalty" else 1
            row[token] -= row.dtype.type(np.float32(penalty)) * row.dtype.type(count)
        return torch.tensor(row[None])

    return call


def greedy(ids, scores):
    row = np.full(scores.shape[1], -np.inf)
    row[int(np.argmax(scores[0].numpy()))] = 0.0
    return torch.tensor(row[None]).to(scores.dtype)


def best_first(x):
    """Token ids by score, then by id."""
    return sorted(range(len(x)), key=lambda i: (-x[i], i))


def joint_top_k_top_p(k, p):
    """Among the k best (lower ids first), those before which less than p of the whole row's mass lies."""

    def call(ids, scores):
        x = scores[0].numpy().astype(np.float64)
        share = np.exp(x - log_sum_exp(x))
        row = np.full(len(x), -np.inf)
        before = 0.0
        for rank, i in enumerate(best_first(x)):
            if rank == 0 or (rank < (k or len(x)) and before < p):
                row[i] = x[i]
            before += share[i]
        return torch.tensor(row[None]).to(scores.dtype)

    return call


def sigma_limit(x, n):
    """n population deviations of the finite scores below the best; 0 is off."""
    return np.max(x) - n * np.std(x[x > -np.inf]) if n else -np.inf


def top_n_sigma(n):
    def call(ids, scores):
        x = scores[0].numpy().astype(np.float64)
        row = np.where(x >= sigma_limit(x, n), x, -np.inf)
        return torch.tensor(row[None]).to(scores.dtype)

    return call


def stage(name, params, prompt, generated):
    """A callable (ids, scores) -> scores."""
    keep = {"min_tokens_to_keep": params["min_tokens_to_keep"]} if "min_tokens_to_keep" in params else {}
    eos = params.get("eos_token_id")
    ids = torch.tensor([prompt], dtype=torch.long)
    if name == "Temperature":
        return hf.TemperatureLogitsWarper(params["temperature"])
    if name == "TopK":
        return hf.TopKLogitsWarper(params["top_k"], **keep)
    if name == "TopP":
        return hf.TopPLogitsWarper(params["top_p"], **keep)
    if name == "MinP":
        return hf.MinPLogitsWarper(params["min_p"], **keep)
    if name == "Typical":
        return hf.TypicalLogitsWarper(params["mass"], **keep)
    if name == "EpsilonCutoff":
        return hf.EpsilonLogitsWarper(params["epsilon"], **keep)
    if name == "EtaCutoff":
        return hf.EtaLogitsWarper(params["epsilon"], **keep)
    if name == "TopH":
        return hf.TopHLogitsWarper(params["top_h"])
    if name == "Renormalize":
        return hf.LogitNormalization()
    if name == "RemoveInvalidValues":
        return hf.InfNanRemoveLogitsProcessor()
    if name == "RepetitionPenalty":
        return hf.RepetitionPenaltyLogitsProcessor(params["penalty"], params.get("prompt_ignore_length"))
    if name == "PromptRepetitionPenalty":
        return hf.EncoderRepetitionPenaltyLogitsProcessor(params["penalty"], encoder_input_ids=ids)
    if name in ("FrequencyPenalty", "PresencePenalty"):
        return vllm_penalty(name, params["penalty"], generated)
    if name == "NoRepeatNGram":
        return hf.NoRepeatNGramLogitsProcessor(params["ngram_size"])
    if name == "PromptNoRepeatNGram":
        return hf.EncoderNoRepeatNGramLogitsProcessor(params["ngram_size"], encoder_input_ids=ids)
    if name == "SequenceBias":
        return hf.SequenceBiasLogitsProcessor({tuple(s): float(b) for s, b in params["sequence_bias"]})
    if name == "NoBadWords":
        return hf.NoBadWordsLogitsProcessor(params["bad_words_ids"], eos)
    if name == "SuppressTokens":
        return hf.SuppressTokensLogitsProcessor(params["tokens"])
    if name == "BeginSuppressTokens":
        return hf.SuppressTokensAtBeginLogitsProcessor(params["tokens"], params["begin_index"])
    if name == "ForcedBOS":
        return hf.ForcedBOSTokenLogitsProcessor(params["bos_token_id"])
    if name == "ForcedEOS":
        return hf.ForcedEOSTokenLogitsProcessor(params["max_length"], eos)
    if name == "MinLength":
        return hf.MinLengthLogitsProcessor(params["min_length"], eos)
    if name == "MinNewTokens":
        return hf.MinNewTokensLengthLogitsProcessor(params["prompt_length"], params["min_new_tokens"], eos)
    if name == "ExponentialDecayLengthPenalty":
        return hf.ExponentialDecayLengthPenalty(
            (params["start"], params["factor"]), eos, params["prompt_length"]
        )
    if name == "Greedy":
        return greedy
    if name == "JointTopKTopP":
        return joint_top_k_top_p(params["top_k"], params["top_p"])
    if name == "TopNSigma":
        return top_n_sigma(params["n"])
    raise KeyError(name)


def run(stages, prompt, generated, row):
    """Rows behind each stage, starting from a numpy row whose type is kept."""
    ids = torch.tensor([prompt + generated], dtype=torch.long)
    scores = torch.tensor(np.asarray(row)[None])
    after = []
    for one in stages:
        scores = stage(one["name"], one["params"], prompt, generated)(ids, scores.clone())
        after.append(scores[0].numpy().copy())
    return after
