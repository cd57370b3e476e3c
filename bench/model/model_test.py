#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the model's arithmetic on made-up counts, and of its copy of the policy."""
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import assumptions  # noqa: E402
import model  # noqa: E402
import policy  # noqa: E402
import predict  # noqa: E402

# Round numbers: a clock is a nanosecond.
DEVICE = {
    "name": "made up", "architecture": 90, "multiprocessors": 10, "shared_bytes": 232_448,
    "shared_bytes_sm": 233_472, "registers_sm": 65_536, "clock_ghz": 1.0, "dram_tb_s": 1.0,
    "dram_attained": 0.5, "l2_tb_s": 2.0, "l2_attained": 0.5, "l2_mb": 1.0, "l2_kept": 0.5,
    "sm_bytes_per_clock": 100, "lanes_per_clock": 128, "issue_attained": 0.5,
    "shared_atomics_per_clock": 10, "clocks_per_lone_instruction": 2.0, "block_barrier_clocks": 50,
    "cluster_barrier_clocks": 200, "load_clocks": 500, "loads_in_a_row": 2,
    "loaded_latency_us": 1.0, "launch_us": 2.0, "wave": {1: 10, 2: 8},
}
CASE = {
    "chain": "long", "type": "f32", "shape": "streaming", "vocab": 100_000, "blocks_per_item": 1,
    "read_bytes_per_logit": 4.0, "distinct_read_bytes_per_logit": 4.0,
    "instructions_per_logit": 0.0, "barriers_per_block": 0, "cluster_barriers": 0,
    "registers": 128, "shared_bytes": 232_448, "bytes_under_way": 1_000_000,
    "shared_atomics_per_logit": 0.0, "path_instructions": 0,
}


def parts(items=1, device=DEVICE, **changes):
    return predict.predict(device, {**CASE, **changes}, items)["parts"]


class Throughput(unittest.TestCase):
    def test_dram_is_shared_by_all_rows_of_a_round(self):
        # 400,000 bytes a row at 0.5 TB/s, while a multiprocessor alone would take 4 us.
        quick = {**DEVICE, "sm_bytes_per_clock": 1e6, "l2_tb_s": 1e3}
        self.assertAlmostEqual(parts(1, quick)["DRAM"], 0.8)
        self.assertAlmostEqual(parts(10, quick)["DRAM"], 8.0)

    def test_one_multiprocessor_reads_no_faster_than_its_link(self):
        self.assertAlmostEqual(parts()["bytes under way"], 4.0)

    def test_bytes_under_way_by_the_latency_bound_a_multiprocessor(self):
        # Little's law: 50,000 bytes a microsecond.
        self.assertAlmostEqual(parts(bytes_under_way=50_000)["bytes under way"], 8.0)

    def test_blocks_of_a_row_share_its_bytes(self):
        self.assertAlmostEqual(
            parts(shape="resident", blocks_per_item=2, bytes_under_way=50_000)["bytes under way"],
            4.0)

    def test_a_second_read_comes_from_l2_while_the_rows_fit(self):
        quick = {**DEVICE, "sm_bytes_per_clock": 1e6, "l2_tb_s": 1e3}
        twice = {"read_bytes_per_logit": 8.0, "bytes_under_way": 1e9}
        self.assertAlmostEqual(parts(1, quick, **twice)["DRAM"], 0.8)
        self.assertAlmostEqual(parts(2, quick, **twice)["DRAM"], 3.2)

    def test_issue_by_lanes_and_what_is_attained_of_them(self):
        # 6.4 million thread instructions, 64 a clock.
        self.assertAlmostEqual(parts(instructions_per_logit=64.0)["issue"], 100.0)

    def test_only_the_longest_of_what_goes_on_together_counts(self):
        found = parts(instructions_per_logit=64.0, shared_atomics_per_logit=1.0)
        self.assertEqual({"issue", "launch"}, {name for name, time in found.items()
                                               if name in ("issue", "launch", "DRAM", "L2",
                                                           "shared atomics", "bytes under way")})

    def test_shared_atomics(self):
        self.assertAlmostEqual(parts(shared_atomics_per_logit=1.0)["shared atomics"], 10.0)


class InTurn(unittest.TestCase):
    def test_barriers_and_loads(self):
        found = parts(barriers_per_block=4, cluster_barriers=3)
        self.assertAlmostEqual(found["block barriers"], 0.2)
        self.assertAlmostEqual(found["cluster barriers"], 0.6)
        self.assertAlmostEqual(found["loads in a row"], 1.0)
        self.assertAlmostEqual(found["launch"], 2.0)

    def test_one_warp_takes_what_the_longest_way_has_beyond_the_mean(self):
        # 512 instructions a thread on average; 1,512 on the longest way.
        found = parts(vocab=512, instructions_per_logit=512.0, path_instructions=1512)
        self.assertAlmostEqual(found["one warp"], 2.0)
        self.assertAlmostEqual(parts(vocab=512, instructions_per_logit=512.0)["one warp"], 0.0)

    def test_every_round_pays_it_again(self):
        once = predict.predict(DEVICE, {**CASE, "barriers_per_block": 4}, 10)
        twice = predict.predict(DEVICE, {**CASE, "barriers_per_block": 4}, 11)
        self.assertEqual((1, 2), (once["rounds"], twice["rounds"]))
        self.assertAlmostEqual(twice["parts"]["block barriers"],
                               2 * once["parts"]["block barriers"])
        self.assertAlmostEqual(twice["parts"]["launch"], once["parts"]["launch"])

    def test_the_sum_and_the_limit(self):
        found = predict.predict(DEVICE, {**CASE, "instructions_per_logit": 64.0}, 1)
        self.assertAlmostEqual(found["predicted_us"], 2 + 100 + 1)
        self.assertEqual("issue", found["limit"])


class Waves(unittest.TestCase):
    def test_clusters_of_a_wave(self):
        case = {**CASE, "shape": "resident", "blocks_per_item": 2}
        self.assertEqual(4, predict.rows_at_once(DEVICE, case, 100))
        self.assertEqual(3, predict.predict(DEVICE, case, 9)["rounds"])

    def test_streamed_rows_have_a_grid_of_multiprocessors_at_most(self):
        self.assertEqual(7, predict.rows_at_once(DEVICE, CASE, 7))
        self.assertEqual(10, predict.rows_at_once(DEVICE, CASE, 100))

    def test_small_blocks_share_a_multiprocessor(self):
        case = {**CASE, "shape": "resident", "registers": 64, "shared_bytes": 100_000}
        self.assertEqual(2, predict.blocks_per_sm(DEVICE, case))
        self.assertEqual(1, predict.blocks_per_sm(DEVICE, {**case, "registers": 128}))
        self.assertEqual(20, predict.rows_at_once(DEVICE, case, 100))


class Policy(unittest.TestCase):
    def test_known_values(self):
        h200 = assumptions.DEVICES["h200"]
        self.assertEqual(8, policy.cluster_for(h200, 1, 151_936))
        self.assertEqual(0, policy.cluster_for(h200, 1, 5_000_000))
        self.assertFalse(policy.streams_for(h200, 8, 151_936))
        self.assertTrue(policy.streams_for(h200, 9, 151_936))
        self.assertEqual(4, policy.streaming_cluster_for(h200, 30, 151_936))
        self.assertEqual(2, policy.streaming_cluster_for(h200, 66, 151_936))
        self.assertEqual(1, policy.streaming_cluster_for(h200, 67, 151_936))
        self.assertEqual(155_808, policy.resident_bytes(151_936, 8))
        self.assertTrue(policy.streams_for(assumptions.DEVICES["a100"], 1, 1000))

    def test_the_same_as_the_library_everywhere(self):
        nvcc = os.environ.get("CUDACXX") or shutil.which("nvcc")
        if not nvcc:
            self.skipTest("there is no nvcc to compile the library's policy with")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "policy")
            subprocess.run([nvcc, "-std=c++20", "-I" + os.path.join(ROOT, "include"),
                            os.path.join(HERE, "policy.cu"), "-o", program], check=True)
            lines = subprocess.run([program], check=True, capture_output=True,
                                   text=True).stdout.splitlines()
        self.assertEqual([policy.SIZE_OF_SHARED, policy.THREADS],
                         [int(word) for word in lines[0].split()])
        devices = {device["architecture"]: device for device in assumptions.DEVICES.values()}
        self.assertGreater(len(lines), 200)
        for line in lines[1:]:
            (architecture, vocab, items, size, streams, pairs, shared, plain,
             lists) = map(int, line.split())
            device = devices[architecture]
            with self.subTest(line=line):
                self.assertEqual(size, policy.cluster_for(device, items, vocab))
                self.assertEqual(bool(streams), policy.streams_for(device, items, vocab))
                self.assertEqual(pairs, policy.streaming_cluster_for(device, items, vocab))
                if size:
                    self.assertEqual(shared, policy.resident_bytes(vocab, size))
                self.assertEqual(plain, policy.ring_depth(device, vocab, False))
                self.assertEqual(lists, policy.ring_depth(device, vocab, True))


class Program(unittest.TestCase):
    ROW = {
        "chain": "long", "type": "f32", "items": 1, "vocab": 151_936, "read_bytes_per_logit": 4.4,
        "distinct_read_bytes_per_logit": 4.0, "instructions_per_logit": 20.0,
        "barriers_per_block": 10, "registers": 128,
    }

    def run_model(self, rows, *options):
        with tempfile.TemporaryDirectory() as folder:
            counts = os.path.join(folder, "counts.json")
            out = os.path.join(folder, "out.json")
            with open(counts, "w") as text:
                json.dump(rows, text)
            printed = io.StringIO()
            arguments = ["model", "--counts", counts, "--json", out, *options]
            with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(printed):
                model.main()
            with open(out) as text:
                return printed.getvalue(), json.load(text)

    def rows(self):
        return [
            *({**self.ROW, "shape": "streaming", "blocks_per_item": blocks, "cluster_barriers": 0,
               "work": {"path_instructions": 2000, "shared_atomics_per_logit": 0.01,
                        "shared_bytes": 232_448}} for blocks in (1, 2, 4)),
            {**self.ROW, "shape": "resident", "blocks_per_item": 8, "cluster_barriers": 3,
             "work": {"path_instructions": 2000, "shared_atomics_per_logit": 0.0,
                      "shared_bytes": 155_808}},
            {**self.ROW, "shape": "-", "blocks_per_item": 1, "cluster_barriers": 0},  # a peer
        ]

    def test_the_policy_shape_the_goals_and_every_figure_called_predicted(self):
        printed, written = self.run_model(self.rows())
        self.assertIn("Predicted microseconds", printed)
        self.assertEqual(["h200", "a100"], [part["device"] for part in written])
        lines = {line["items"]: line for line in written[0]["lines"]}
        self.assertEqual("resident", lines[1]["shape"])
        self.assertEqual("streaming by 2", lines[32]["shape"])
        self.assertEqual("streaming", lines[128]["shape"])
        self.assertEqual(44, lines[256]["goal_us"])
        self.assertEqual(lines[256]["meets_goal"],
                         lines[256]["predicted"]["streaming"]["predicted_us"] <= 44)
        self.assertIsNone(lines[512]["goal_us"])
        # No clusters: rows that are held were not counted there.
        self.assertEqual({"streaming"}, {shape for line in written[1]["lines"]
                                         for shape in line["predicted"]})
        self.assertTrue(all(line["goal_us"] is None for line in written[1]["lines"]))

    def test_says_where_it_would_choose_otherwise(self):
        rows = self.rows()
        rows[3]["work"]["path_instructions"] = 1_000_000
        printed, written = self.run_model(rows, "--device", "h200")
        self.assertIn({"chain": "long", "type": "f32", "shape": "streaming by 4", "from": 1, "to": 8},
                      written[0]["other_choices"])
        self.assertIn("long f32: streaming by 4 from 1 to 8", printed)

    def test_says_what_was_not_counted(self):
        rows = self.rows()
        for row in rows:
            row.pop("work", None)
        printed, _ = self.run_model({"compiler": "any", "rows": rows}, "--device", "h200")
        self.assertIn("shared-memory atomics are left out", printed)
        self.assertIn("the longest ways are those of bench/model/paths.json", printed)

    def test_says_what_a_goal_leaves_to_one_warp(self):
        printed, _ = self.run_model(self.rows(), "--device", "h200")
        self.assertRegex(printed, r"long f32 x 64: .*instructions of one warp a row would meet|"
                                  r"long f32 x 64: .*beyond the goal of 14")

    def test_keeps_the_ways_that_counts_bring(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = os.path.join(folder, "paths.json")
            model.record_paths(model_rows := self.rows()[2:4], kept)
            self.assertEqual({("long", "f32", shape): 2000 for shape in ("streaming by 4", "resident")},
                             model.read_paths(kept))
            for row in model_rows:
                row["work"].pop("path_instructions")
            with self.assertRaises(SystemExit):
                model.record_paths(model_rows, kept)

    def test_refuses_counts_without_a_row(self):
        with self.assertRaises(SystemExit):
            self.run_model([])


if __name__ == "__main__":
    unittest.main()
