// {0, 1} is neither a pointer with a size nor a container.
// expected: "deleted"
// static assertions: 0
#include <logitchain/core/span.hpp>

namespace lc = logitchain;

int main() {
  const int values[] = {0, 1};
#ifdef LOGITCHAIN_WRONG
  lc::host_span<const int> rows(nullptr, 1);
#else
  lc::host_span<const int> rows(values);
#endif
  (void)values;
  return rows.size() == 2 ? 0 : 1;
}
