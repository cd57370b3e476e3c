# SPDX-License-Identifier: Apache-2.0
"""What the model takes for granted: one figure a line, with where it comes from.

"assumed" is a guess within what is usual, to be replaced by a measurement; nothing here was
measured by this project. Public sources:
  H200, A100   NVIDIA's data sheets of the H200 SXM and the A100 80 GB SXM
  guide        CUDA C++ Programming Guide, compute capabilities and throughput of instructions
  features     table of hardware features in PMC10448217
  flashinfer   flashinfer-python 0.7.2.post1, cake_sampling.py: CTAs of one wave on an H100 SXM
  graphs       NVIDIA's blog, Getting Started with CUDA Graphs
"""

DEVICES = {
    "h200": {
        "name": "H200",
        "architecture": 90,  # guide
        "multiprocessors": 132,  # H200
        "shared_bytes": 232_448,  # of a block: guide
        "shared_bytes_sm": 233_472,  # guide
        "registers_sm": 65_536,  # guide
        "clock_ghz": 1.755,  # features; the data sheet's FP32 peak is one of 1.98 GHz
        "dram_tb_s": 4.8,  # H200
        "dram_attained": 0.9,  # assumed
        "l2_tb_s": 9.0,  # features (H100)
        "l2_attained": 0.6,  # assumed: it has two halves, one of which is far
        "l2_mb": 50,  # features
        "l2_kept": 0.8,  # of it, what a second read can count on: assumed
        "sm_bytes_per_clock": 64,  # from L2 to a multiprocessor: assumed
        "lanes_per_clock": 128,  # 4 warp instructions: guide
        # What is counted are PTX instructions. Three quarters are integer ones, which have 64 of
        # the 128 lanes (guide); the assembler drops moves and merges neighbours.
        "issue_attained": 0.75,  # assumed
        "shared_atomics_per_clock": 16,  # lanes, without conflicts: assumed
        # A warp alone: 4 clocks from an instruction to one that needs it (features), 2 between
        # independent integer ones (16 lanes of a scheduler), more behind loads of shared memory.
        "clocks_per_lone_instruction": 3.0,  # assumed, 2 to 4.5
        "block_barrier_clocks": 40,  # 16 warps: assumed
        "cluster_barrier_clocks": 250,  # assumed
        "load_clocks": 480,  # from DRAM, one that waits for another: assumed
        "loads_in_a_row": 5,  # record, list, listed logits, row, commit: assumed
        "loaded_latency_us": 0.6,  # of a load while memory is busy, for Little's law: assumed
        # Start and end of a replayed graph of one kernel: graphs has 0.5 beside the kernel.
        "launch_us": 2.0,  # assumed
        # Blocks under way at once by the size of their cluster, which must lie within one GPC.
        "wave": {1: 132, 2: 132, 4: 120, 8: 64},  # flashinfer; for 8 it may be up to 128
    },
    "a100": {
        "name": "A100 80 GB",
        "architecture": 80,
        "multiprocessors": 108,  # A100
        "shared_bytes": 166_912,  # guide
        "shared_bytes_sm": 167_936,  # guide
        "registers_sm": 65_536,  # guide
        "clock_ghz": 1.41,  # A100: its FP32 peak of 19.5 TFLOPS
        "dram_tb_s": 2.039,  # A100
        "dram_attained": 0.9,  # assumed
        "l2_tb_s": 7.2,  # features
        "l2_attained": 0.6,  # assumed
        "l2_mb": 40,  # features
        "l2_kept": 0.8,  # assumed
        "sm_bytes_per_clock": 64,  # assumed
        "lanes_per_clock": 128,  # guide
        "issue_attained": 0.75,  # assumed
        "shared_atomics_per_clock": 16,  # assumed
        "clocks_per_lone_instruction": 3.0,  # assumed
        "block_barrier_clocks": 40,  # assumed
        "cluster_barrier_clocks": 0,  # has none
        "load_clocks": 466,  # assumed
        "loads_in_a_row": 5,  # assumed
        "loaded_latency_us": 0.7,  # assumed
        "launch_us": 2.0,  # assumed
        "wave": {1: 108},
    },
}

# Bytes that a block which holds its rows has under way while it loads: 4 vectors of each thread.
RESIDENT_BYTES_UNDER_WAY = 512 * 4 * 16

# Chains with maps that list their tokens.
LISTS_TOKENS = ("long",)

# What is wanted on an H200, in microseconds: whole chain, graph replay, vocabulary 151,936.
GOALS = {
    ("long", "bf16"): {1: 6, 32: 9, 64: 10, 128: 15, 256: 24},
    ("long", "f32"): {1: 6, 32: 9, 64: 14, 128: 20, 256: 44},
    # Top-p without a bound: 1.6 times that.
    ("top_p", "bf16"): {256: 38.4},
    ("top_p", "f32"): {256: 70.4},
}
