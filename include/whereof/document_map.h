// Which clauses of a document a model looks at while it reads each of them, from first to last.
//
// With w(r, c) the weight that the rows of unit r put on the keys of unit c, summed over all layers
// and the chosen heads, each as much as it counts:
//
//     share(r, c) = w(r, c) / sum of w(r, e) over the units e before r         c before r
//     lift(r, c)  = share(r, c) / (tokens of c / tokens of all units before r)
//
// What a row puts on its own unit, on the first position and on the frame of the prompt is left
// out. A lift of 1 is what the length of c alone would give.
#ifndef WHEREOF_DOCUMENT_MAP_H_
#define WHEREOF_DOCUMENT_MAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

#include "whereof/calibration.h"
#include "whereof/document.h"
#include "whereof/model.h"
#include "whereof/progress.h"
#include "whereof/span.h"

namespace whereof {

// More are no picture: clauses are then put together under those above them.
constexpr std::size_t kMostMapUnits = 96;

struct DocumentMap {
  // A clause with what lies below it, as far as the map tells it apart.
  struct Unit {
    std::int32_t clause = -1;  // index into Document::clauses; -1: text of none
    Span text;                 // bytes of Document::text, from its first sentence to its last
    std::int64_t tokens = 0;
  };
  std::vector<Unit> units;  // in the order in which they were read
  // [units][number of the unit]: of each unit, one for every unit before it.
  std::vector<std::vector<double>> shares;
  std::vector<std::vector<double>> lifts;
  std::int64_t tokens_read = 0;
};

struct DocumentMapOptions {
  HeadWeights heads;                                    // none fitted: all alike
  int threads = 0;                                      // 0: all processors
  std::shared_ptr<SharedSteps> shared_steps = nullptr;  // ContextOptions::shared_steps
  ProgressCallback progress;
  std::stop_token stop;
};

// Reads the whole document once; nothing is kept. Beside the context it takes 4 bytes for each
// pair of units, head and layer. Throws what Context throws: Error(over_window) for a document
// longer than the model's window. Error(invalid_argument) for a head that the model does not have.
DocumentMap document_map(const Document& document, const std::shared_ptr<const Model>& model,
                         const DocumentMapOptions& options = {});

}  // namespace whereof

#endif  // WHEREOF_DOCUMENT_MAP_H_
