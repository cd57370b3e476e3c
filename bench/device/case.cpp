// SPDX-License-Identifier: Apache-2.0
#include "case.hpp"

namespace device_bench {

namespace {

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::automatic:
      return "automatic";
    case Shape::resident:
      return "resident";
    case Shape::streaming:
      return "streaming";
    case Shape::none:
      return "-";
  }
  return "?";
}

}  // namespace

std::string name_of(const Group& group, const Case& measured, bool cold) {
  return measured.chain + '/' + group.type() + "/v" + std::to_string(group.vocab) + "/i" +
         std::to_string(group.items) + '/' + name_of(measured.shape) + '/' +
         (cold ? "cold" : "warm") + '/' + measured.who;
}

std::vector<Group> groups_of(Extent extent) {
  std::vector<std::int64_t> vocabularies{151'936};
  std::vector<std::int64_t> items{1, 256, 32, 128, 64, 8, 512};
  if (extent == Extent::quick) {
    vocabularies = {4096};
    items = {1, 2};
  }
  if (extent == Extent::all) vocabularies.push_back(32'000);
  std::vector<Group> groups;
  for (const std::int64_t vocab : vocabularies) {
    for (const std::int64_t count : items) {
      for (const bool narrow : {false, true}) groups.push_back({narrow, vocab, count});
    }
  }
  return groups;
}

std::vector<Case> cases_of(const Group& group, Extent extent, bool peers) {
  std::vector<std::string> chains{"greedy", "long"};
  if (extent != Extent::quick) chains.insert(chains.end(), {"temperature", "top_p"});
  std::vector<Shape> shapes{Shape::automatic};
  if (extent == Extent::all) shapes.insert(shapes.end(), {Shape::resident, Shape::streaming});
  std::vector<Case> cases;
  for (const std::string& chain : chains) {
    for (const Shape shape : shapes) cases.push_back({chain, shape, "ours"});
    // It takes floats alone, and has no chain without a draw.
    if (peers && !group.narrow && chain != "greedy") {
      cases.push_back({chain, Shape::none, "flashinfer"});
    }
  }
  for (const char* floor : {"launch", "read"}) cases.push_back({"floor", Shape::none, floor});
  return cases;
}

}  // namespace device_bench
