// A stage whose parameters could not be looked at, and so would not be checked.
// expected: "[logitchain:E10] 'parameters' of this stage cannot be called on a const stage"
// expected: "E10_parameters_not_const<"
#include <logitchain/chain/chain.hpp>

namespace lc = logitchain;

struct Shift {
  static constexpr const char* name = "Shift";
  lc::Param<float> by = 0;
  template <class Visitor>
#ifdef LOGITCHAIN_WRONG
  void parameters(Visitor& visit){
#else
  void parameters(Visitor& visit) const {
#endif
      visit.number("by", by, lc::FINITE);
} float operator()(const lc::RowView&, int, float score) const {
  return score + static_cast<float>(by.value);
}
}
;

int main() { lc::chain(Shift{1.0}); }
