#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What report.py makes of report_test.json, whose figures are made up: no device was measured."""
import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "report_test.json")) as stored:
    STORED = json.load(stored)


def report(text):
    """Exit status and output of report.py on a JSON document."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "measured.json")
        with open(path, "w") as out:
            out.write(text if isinstance(text, str) else json.dumps(text))
        done = subprocess.run([sys.executable, os.path.join(HERE, "report.py"), "--json", path],
                              capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def cells_of(output, *beginning):
    """Cells of the table's line that begins with these."""
    for line in output.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[: len(beginning)] == list(beginning):
            return cells
    raise AssertionError(f"no line {beginning} in\n{output}")


class Report(unittest.TestCase):
    def test_names_the_device_and_no_emulator(self):
        status, output, _ = report(STORED)
        self.assertEqual(status, 0)
        self.assertTrue(output.startswith("## A decode step on a device made up for the test\n"))
        self.assertNotIn("emulator", output)

    def test_gives_medians_quartiles_limits_and_ratios(self):
        _, output, _ = report(STORED)
        self.assertEqual(
            cells_of(output, "`long`", "f32", "1,000", "1", "automatic")[5:],
            ["6 (5.5 to 6.5)", "8 (8 to 9)", "0.5", "16",
             "30 (30 to 31)", "5", "16 (16 to 16)", "2"])

    def test_leaves_blank_what_was_not_measured(self):
        _, output, _ = report(STORED)
        self.assertEqual(
            cells_of(output, "`long`", "bf16", "1,000", "1", "automatic")[5:],
            ["4 (4 to 4)", "-", "0.25", "-", "-", "-", "-", "-"])

    def test_gives_the_floors(self):
        _, output, _ = report(STORED)
        self.assertEqual(cells_of(output, "f32", "1,000", "1")[3:],
                         ["0.5", "1.5 (1.5 to 1.5)", "-", "1.25 (1.25 to 1.25)", "-"])

    def test_says_in_its_heading_that_an_emulators_times_mean_nothing(self):
        for emulated in ("yes", None):  # what does not say that it is a device is none
            changed = copy.deepcopy(STORED)
            changed["context"]["emulated"] = emulated
            if emulated is None:
                del changed["context"]["emulated"]
            status, output, _ = report(changed)
            self.assertEqual(status, 0)
            heading = output.splitlines()[0]
            self.assertIn("on an emulator", heading)
            self.assertIn("mean nothing", heading)

    def test_takes_no_figure_from_a_case_that_failed(self):
        changed = copy.deepcopy(STORED)
        for run in changed["benchmarks"][1:3]:
            run["error_occurred"] = True
            run["error_message"] = "row 0 is finished"
            run["real_time"] = 0.001
        status, output, _ = report(changed)
        self.assertEqual(status, 1)
        self.assertIn("FAILED: long/f32/v1000/i1/automatic/warm/ours", output)
        self.assertEqual(output.count("row 0 is finished"), 1)
        self.assertEqual(cells_of(output, "`long`", "f32", "1,000", "1", "automatic")[5], "-")

    def test_says_what_was_left_out_and_what_could_not_be_begun(self):
        changed = copy.deepcopy(STORED)
        changed["context"]["left_out"] = "3 groups of rows, by the limit of time"
        changed["context"]["failed"] = "greedy/f32/v1000/i1/resident/warm/ours: no room"
        status, output, _ = report(changed)
        self.assertEqual(status, 1)
        self.assertIn("Left out: 3 groups", output)
        self.assertIn("FAILED: greedy/", output)

    def test_has_no_limit_where_the_device_tells_no_bandwidth(self):
        changed = copy.deepcopy(STORED)
        changed["context"]["peak_gigabytes_per_second"] = "0"
        for run in changed["benchmarks"]:
            run.pop("limit_us", None)
        _, output, _ = report(changed)
        self.assertIn("no limit", output)
        self.assertEqual(cells_of(output, "`long`", "f32", "1,000", "1")[7:9], ["-", "-"])

    def test_refuses_what_is_no_report(self):
        for text in ("", "{}", json.dumps({"context": {}, "benchmarks": []})):
            status, output, error = report(text)
            self.assertEqual(status, 2)
            self.assertEqual(output, "")
            self.assertIn("report: ", error)


if __name__ == "__main__":
    unittest.main()
