# SPDX-License-Identifier: Apache-2.0
"""Steps of Transformers' generate() on a row of logits from a file: processors, draw, append, stop.

Reads requests from standard input, one a line, words parted by tabs, and answers each with one line:

    versions                                          ok TEXT
    open LOGITS HISTORY EOS [STAGE=VALUE ...]          ok        a row with that history
    step                                              ok WALL CPU, in nanoseconds
    survivors                                         ok ID SCORE ID SCORE ...

One thread. The model's output is taken to be there as a float tensor; nothing of generate() around
these calls is timed.
"""

import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"

import numpy  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from transformers.generation import logits_process, stopping_criteria  # noqa: E402

MAKERS = {
    "repetition": lambda value: logits_process.RepetitionPenaltyLogitsProcessor(value),
    "temperature": lambda value: logits_process.TemperatureLogitsWarper(value),
    "top_k": lambda value: logits_process.TopKLogitsWarper(int(value)),
    "top_p": lambda value: logits_process.TopPLogitsWarper(value),
    "min_p": lambda value: logits_process.MinPLogitsWarper(value),
    "typical": lambda value: logits_process.TypicalLogitsWarper(mass=value),
}


class Row:
    def __init__(self, logits, history, eos, stages):
        self.logits = torch.from_numpy(numpy.fromfile(logits, dtype=numpy.float32))[None, :]
        self.ids = torch.from_numpy(numpy.fromfile(history, dtype=numpy.int64))[None, :]
        self.sampled = bool(stages)
        self.processors = logits_process.LogitsProcessorList(
            MAKERS[name](float(value)) for name, value in (stage.split("=") for stage in stages)
        )
        self.stops = stopping_criteria.StoppingCriteriaList(
            [
                stopping_criteria.MaxLengthCriteria(max_length=1 << 20),
                stopping_criteria.EosTokenCriteria(eos_token_id=int(eos)),
            ]
        )

    def step(self):
        scores = self.processors(self.ids, self.logits)
        if self.sampled:
            probabilities = torch.nn.functional.softmax(scores, dim=-1)
            token = torch.multinomial(probabilities, num_samples=1).squeeze(1)
        else:
            token = torch.argmax(scores, dim=-1)
        self.ids = torch.cat([self.ids, token[:, None]], dim=-1)
        if self.stops(self.ids, scores).all():
            raise RuntimeError("the row ended")

    def survivors(self):
        scores = self.processors(self.ids, self.logits)[0]
        if not self.sampled:
            return [(int(torch.argmax(scores)), 0.0)]
        kept = torch.nonzero(scores > -float("inf"))[:, 0]
        return zip(kept.tolist(), scores[kept].tolist())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    opened = row = history = None
    with torch.no_grad():
        for line in sys.stdin:
            verb, *words = line.rstrip("\n").split("\t")
            answer = "ok"
            try:
                if verb == "versions":
                    answer += f" transformers {transformers.__version__}, torch {torch.__version__},"
                    answer += f" numpy {numpy.__version__}, {torch.get_num_threads()} thread"
                elif verb == "open":
                    if words != opened:
                        row = Row(*words[:3], words[3:])
                        opened, history = words, row.ids
                    row.ids = history
                elif verb == "step":
                    wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
                    row.step()
                    cpu, wall = time.thread_time_ns() - cpu, time.perf_counter_ns() - wall
                    answer += f" {wall} {cpu}"
                elif verb == "survivors":
                    answer += "".join(f" {token} {score:.9g}" for token, score in row.survivors())
                else:
                    answer = f"no such request: {verb}"
            except Exception as fault:  # the other side says what happened and goes on
                answer = f"{type(fault).__name__}: {fault}".replace("\n", " ")
            print(answer, flush=True)


main()
