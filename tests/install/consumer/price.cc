// The KV cache of the design case.
#include <cstdio>

#include "whereof/budget.h"

int main() {
  const whereof::Profile profile = whereof::profile_named("card80");
  const whereof::Cost cost =
      whereof::cost_of_reading(profile.shape, profile.machine, profile.context_tokens);
  std::printf("%.1f GB\n", cost.kv_bytes / 1e9);
}
