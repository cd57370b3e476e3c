#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What growth.py says of curves that are made up."""
import json
import tempfile
import unittest

from documented import Cliff
from growth import MEASURES, counted, curves_of, judge, read_points, stretches

DOUBLINGS = [2**i for i in range(10, 18)]


def curve(cost, xs=DOUBLINGS, measure="instructions", **more):
    """A curve of which one measure grows; the others stay."""
    return [{"curve": "made up", "shape": "resident", "x": x, "items": 1, "vocab": 1000,
             "streams": False, "held": False, **{key: 1000 for key in MEASURES},
             measure: round(cost(x)), **more} for x in xs]


def faults_of(points, cliffs=(), bends=None):
    return judge(curves_of(points), list(cliffs), bends or {})[0]


def cliff(low, high, instructions, size=1.0, barriers=1.0):
    return Cliff("made up", "resident", low, high, instructions, size, barriers, "why")


class Growth(unittest.TestCase):
    def test_what_is_linear_passes(self):
        for cost in (lambda x: 5e6, lambda x: 70 * x, lambda x: 5e6 + 70 * x,
                     lambda x: 1e6 + 900 * x**0.8):
            self.assertEqual(faults_of(curve(cost)), [])

    def test_a_logarithm_on_top_passes(self):
        self.assertEqual(faults_of(curve(lambda x: x * x.bit_length())), [])

    def test_squares_do_not_pass_in_any_measure(self):
        for measure in MEASURES:
            faults = faults_of(curve(lambda x: 1e5 + x * x / 100, measure=measure))
            self.assertEqual(len(faults), 1, measure)
            self.assertIn(f"made up, resident: {measure} grow from", faults[0])

    def test_a_power_of_one_and_a_half_does_not_pass(self):
        self.assertEqual(len(faults_of(curve(lambda x: x**1.5))), 1)

    def test_a_square_that_starts_late_does_not_pass(self):
        self.assertEqual(
            len(faults_of(curve(lambda x: 1e6 + 30 * x + max(0, x - 30000)**2 / 1000))), 1)

    def test_a_first_unit_dearer_than_all_before_it_does_not_pass(self):
        self.assertEqual(len(faults_of(curve(lambda x: x * x, xs=[1024, 2048]))), 1)

    def test_a_step_passes_only_where_it_is_documented(self):
        points = curve(lambda x: 1e6 + 10 * x + (3e6 if x > 8192 else 0))
        self.assertEqual(len(faults_of(points)), 1)
        self.assertEqual(faults_of(points, [cliff(8192, 16384, 4)]), [])
        self.assertEqual(len(faults_of(points, [cliff(4096, 8192, 4)])), 1)

    def test_a_documented_step_has_a_bound(self):
        points = curve(lambda x: 1e6 + 10 * x + (9e6 if x > 8192 else 0))
        self.assertIn("at most 4 is documented (why)",
                      faults_of(points, [cliff(8192, 16384, 4)])[0])

    def test_a_documented_step_has_a_bound_in_every_measure(self):
        limit = [cliff(8192, 16384, 4, size=3, barriers=2)]
        for measure, most in zip(MEASURES, (4, 3, 3, 2, 2)):
            for factor, count in ((most - 0.1, 0), (most + 0.1, 1)):
                points = curve(lambda x: 10000 if x <= 8192 else 10000 * factor, measure=measure)
                self.assertEqual(len(faults_of(points, limit)), count, measure)

    def test_squares_behind_a_documented_step_do_not_pass(self):
        points = curve(lambda x: 1e6 if x <= 8192 else 3e6 + x * x / 1000)
        self.assertEqual(len(faults_of(points, [cliff(8192, 16384, 4)])), 1)

    def test_a_bend_has_a_bound(self):
        points = curve(lambda x: x * x)
        bend = {("made up", "resident"): (3.0, "why")}
        self.assertEqual(faults_of(points, bends=bend), [])
        self.assertEqual(len(faults_of(curve(lambda x: x**3), bends=bend)), 1)

    def test_documentation_of_what_there_is_not_is_a_fault(self):
        points = curve(lambda x: x)
        self.assertEqual(len(faults_of(points, [cliff(8192, 16000, 4)])), 1)
        self.assertEqual(len(faults_of(points, bends={("other", "resident"): (2, "why")})), 1)

    def test_a_curve_is_cut_where_a_cliff_lies(self):
        parts, crossed = stretches(curve(lambda x: x), [cliff(8192, 16384, 4)])
        self.assertEqual([[p["x"] for p in part] for part in parts], [DOUBLINGS[:4], DOUBLINGS[4:]])
        self.assertEqual(len(crossed), 1)

    def test_a_kernel_is_read_from_the_marks(self):
        kernel = {"kernel": "step", "grid": [8, 1, 1], "block": [512, 1, 1], "cluster": [8, 1, 1],
                  "instructions": {"total": 7000, "barrier": 8 * 512 * 10}, "barriers_per_cta": 4,
                  "global_read_bytes": 300, "global_write_bytes": 4000, "distinct_read_bytes": 200}
        case = {"curve": "made up", "shape": "streaming", "x": 3, "items": 1, "vocab": 1000,
                "streams": True}
        point = counted(case, [{"event": "alloc"}, kernel])
        self.assertEqual((point["cluster_barriers"], point["bytes"], point["held"]),
                         (3, 4300, True))
        with tempfile.TemporaryDirectory() as folder:
            marks = [{"event": "profiler", "what": what} for what in ("start", "stop")]
            with open(f"{folder}/stats", "w") as stats:
                for event in [kernel, marks[0], kernel, marks[1], kernel]:
                    stats.write(json.dumps(event) + "\n")
            with open(f"{folder}/cases", "w") as cases:
                cases.write("other output\n" + json.dumps(case) + "\n")
            self.assertEqual(read_points(f"{folder}/stats", f"{folder}/cases"), [point])
            with open(f"{folder}/cases", "a") as cases:
                cases.write(json.dumps(case) + "\n")
            with self.assertRaises(SystemExit):
                read_points(f"{folder}/stats", f"{folder}/cases")


if __name__ == "__main__":
    unittest.main()
