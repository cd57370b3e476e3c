# SPDX-License-Identifier: Apache-2.0
"""What a counting runner wrote, by the marks that programs put around a step."""
import json


def sections(path):
    """The events between each pair of marks."""
    found, inside = [], None
    with open(path) as lines:
        for line in lines:
            event = json.loads(line)
            if event.get("event") == "profiler":
                if event["what"] == "start":
                    inside = []
                else:
                    found.append(inside)
                    inside = None
            elif inside is not None:
                inside.append(event)
    return found
