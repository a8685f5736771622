// A planted case, asked about.
#ifndef WHEREOF_BENCH_PLANTED_ASK_ABOUT_H_
#define WHEREOF_BENCH_PLANTED_ASK_ABOUT_H_

#include <filesystem>
#include <memory>
#include <string>

#include "planted/cases.h"
#include "whereof/answer.h"

namespace whereof::planted {

// A library and kept readings of its own; they go away with it.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  Library& library() { return *library_; }
  const std::shared_ptr<KvStore>& store() const { return store_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Library> library_;
  std::shared_ptr<KvStore> store_;
};

struct Outcome {
  ClauseDiagnosis diagnosis;
  std::string answer;  // empty where nothing had to be asked
};

// Throws what read_document and ask throw.
Outcome ask_about(const Case& made, Workplace& workplace, const std::shared_ptr<const Model>& model,
                  int threads);

}  // namespace whereof::planted

#endif  // WHEREOF_BENCH_PLANTED_ASK_ABOUT_H_
