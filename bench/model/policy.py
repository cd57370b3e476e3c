# SPDX-License-Identifier: Apache-2.0
"""The rules of include/logitchain/engine/cuda/policy.cuh; model_test.py compares them with it."""

THREADS = 512
LANES = 32
WARPS = THREADS // LANES
STRIP_UNIT = LANES * 8
MAX_CLUSTER = 16
SIZE_OF_SHARED = 73_888
PIECE_BYTES = 2048


def up(number, unit):
    return -(-number // unit) * unit


def strip_of(vocab, blocks):
    return up(-(-vocab // (blocks * WARPS)), STRIP_UNIT)


def resident_bytes(vocab, size):
    """Of shared memory of a block, where `size` of them hold a row."""
    return SIZE_OF_SHARED + 4 * strip_of(vocab, size) * WARPS


def holds_row(device, vocab, size):
    return resident_bytes(vocab, size) <= device["shared_bytes"]


def rows_at_once(device, size):
    """In clusters of `size` blocks, each of which has a multiprocessor to itself."""
    return device["wave"].get(size, device["multiprocessors"]) // size


def cluster_for(device, items, vocab):
    if device["architecture"] < 90:
        return 1
    size = 1
    while size < 8 and size * 4096 < vocab and items <= rows_at_once(device, 2 * size):
        size *= 2
    while size < MAX_CLUSTER and not holds_row(device, vocab, size):
        size *= 2
    return size if holds_row(device, vocab, size) else 0


def streams_for(device, items, vocab):
    if device["architecture"] < 90:
        return True
    size = cluster_for(device, items, vocab)
    return size == 0 or items > rows_at_once(device, size)


def streaming_cluster_for(device, items, vocab):
    if device["architecture"] < 90:
        return 1
    size = 1
    while size < 4 and 2 * size * 16384 <= vocab and items <= rows_at_once(device, 2 * size):
        size *= 2
    return size


def ring_depth(device, vocab, lists):
    """Pieces of each warp's ring of a block that streams."""
    def room(depth):
        words = (vocab + 31) // 32 if lists else 0
        rings = WARPS * (depth * PIECE_BYTES + 32)
        return int((device["shared_bytes"] - SIZE_OF_SHARED - rings - 4 * words) / 8)

    return 2 if room(3) < (2048 if lists else 0) else 3
