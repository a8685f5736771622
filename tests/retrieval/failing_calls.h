// System calls of SQLite that fail on demand, through the hook that its unix VFS has for tests.
#ifndef WHEREOF_TESTS_RETRIEVAL_FAILING_CALLS_H_
#define WHEREOF_TESTS_RETRIEVAL_FAILING_CALLS_H_

#include <string>
#include <vector>

namespace whereof::retrieval {

// Use in a process of its own (after fork): what is replaced stays replaced.
class FailingCalls {
 public:
  struct Plan {
    std::vector<std::string> names;  // "pwrite", "pread", "read", "open", "ftruncate", "fstat"
    int from = 1;                    // the call, counted over all names, that fails first
    int error = 0;                   // its errno: ENOSPC fails for good, any other once
  };
  explicit FailingCalls(const Plan& plan);
  bool has_failed() const;
};

}  // namespace whereof::retrieval

#endif  // WHEREOF_TESTS_RETRIEVAL_FAILING_CALLS_H_
