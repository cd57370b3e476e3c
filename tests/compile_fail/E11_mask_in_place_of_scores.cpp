// expected: "[logitchain:E11] the callable at this position of chain() returns bool"
// expected: "return keep ? score : logitchain::FILTER"
// expected: "E11_mask_in_place_of_scores<1, "
#include <logitchain/logitchain.hpp>

int main() {
  const auto even = [](const logitchain::RowView&, int token, float score) {
#ifdef LOGITCHAIN_WRONG
    (void)score;
    return token % 2 == 0;
#else
    return token % 2 == 0 ? score : logitchain::FILTER;
#endif
  };
  (void)logitchain::chain(logitchain::Temperature{0.7}, even);
}
