// The kernel sets that tests of kernels are run with.
#ifndef WHEREOF_TESTS_KERNELS_RUNNABLE_SETS_H_
#define WHEREOF_TESTS_KERNELS_RUNNABLE_SETS_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/kernel_set.h"

namespace whereof::kernels {

inline std::vector<const KernelSet*> runnable_sets() {
  std::vector<const KernelSet*> sets;
  for (const KernelSet* set : built_kernel_sets()) {
    if (can_run(set->instruction_set)) sets.push_back(set);
  }
  return sets;
}

inline std::string name_of_set(const testing::TestParamInfo<const KernelSet*>& info) {
  return std::string(name_of(info.param->instruction_set));
}

}  // namespace whereof::kernels

#endif  // WHEREOF_TESTS_KERNELS_RUNNABLE_SETS_H_
