// How a model's rotations were changed to lengthen its window.
//
//   theta_i = base^(-2 i / rotary_dim) / factor_i          factors from the file, or 1
//   linear        theta_i / factor                         (Chen et al. 2023, arXiv 2306.15595)
//   YaRN          theta_i (m_i + (1 - m_i) / factor)       (Peng et al. 2023, arXiv 2309.00071)
//                 m_i falls from 1 to 0 between the pairs that turn beta_fast and beta_slow times
//                 in the original window; pairs times magnitude 1 + 0.1 ln(factor)
//   llama3        theta_i (m_i + (1 - m_i) / factor), m_i rising from 0 to 1 between the
//                 low_frequency_factor and the high_frequency_factor turns in the original window
//                 (Llama 3.1's model card); files hold the result as tensor rope_freqs
//   longrope      factor_i from one of two tensors, by the length of the context; pairs times
//                 a magnitude from the file                (Ding et al. 2024, arXiv 2402.13753)
#ifndef WHEREOF_MODEL_ROTARY_SCALING_H_
#define WHEREOF_MODEL_ROTARY_SCALING_H_

#include <cstdint>
#include <vector>

#include "model/metadata_reader.h"

namespace whereof::model {

struct RotaryScaling {
  enum class Kind { none, linear, yarn, llama3 };
  Kind kind = Kind::none;
  double factor = 1;
  std::int64_t original_window = 0;  // before it was lengthened
  std::int64_t window_tokens = 0;    // the window that results
  double magnitude = 1;              // what rotated pairs are multiplied with
  double yarn_mix = 1;               // how much of the ramp m_i is applied
  double beta_fast = 32;
  double beta_slow = 1;
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  // [rotary_dim / 2], or empty: what divides each theta_i, in contexts up to the original window
  // and in longer ones.
  std::vector<float> factors;
  std::vector<float> long_factors;

  // Whether a context of `capacity` positions rotates otherwise than a short one.
  bool has_factors_of_length(std::int64_t capacity) const {
    return capacity > original_window && factors != long_factors;
  }
};

// Throws Error(unsupported) naming a scaling that is not known, Error(bad_model) for parameters
// that are missing or out of range. The window that results is the file's context_length, or more
// where the original window that it names times the factor is more.
RotaryScaling read_rotary_scaling(const MetadataReader& reader, std::int64_t rotary_dim,
                                  std::int64_t context_length);

struct RotaryThetas {
  std::vector<double> thetas;  // [rotary_dim / 2]
  double magnitude = 1;
};

// For a context of `capacity` positions.
RotaryThetas scaled_thetas(const RotaryScaling& scaling, std::int64_t rotary_dim, double base,
                           std::int64_t capacity);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_ROTARY_SCALING_H_
