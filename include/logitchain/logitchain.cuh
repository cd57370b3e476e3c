// SPDX-License-Identifier: Apache-2.0
// The front door for nvcc: everything of logitchain.hpp, and the CUDA engine.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "logitchain: device code is for sm_80 or newer; nvcc -arch=sm_90 asks for such"
#endif

#if !defined(__CUDACC_VER_MAJOR__) || __CUDACC_VER_MAJOR__ < 13
#error "logitchain: logitchain.cuh is for nvcc 13.0 or newer; host code includes logitchain.hpp"
#endif

#include <logitchain/engine/cuda/arguments.cuh>
#include <logitchain/engine/cuda/block_step.cuh>
#include <logitchain/engine/cuda/check.cuh>
#include <logitchain/engine/cuda/commit.cuh>
#include <logitchain/engine/cuda/cuda_engine.cuh>
#include <logitchain/engine/cuda/import.cuh>
#include <logitchain/engine/cuda/rows.cuh>
#include <logitchain/engine/cuda/save.cuh>
#include <logitchain/engine/cuda/step.cuh>
#include <logitchain/engine/cuda/tables.cuh>
#include <logitchain/engine/cuda/wrong_space.cuh>
#include <logitchain/logitchain.hpp>
