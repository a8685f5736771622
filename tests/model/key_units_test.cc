// Units of keys in a cache of i8: taken from the weights, and what they are good for.
#include "model/key_units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/families/family.h"
#include "model/kv_cache.h"
#include "model/loaded_model.h"
#include "model/model_files.h"

namespace whereof::model {
namespace {

constexpr std::int64_t kWidth = 4;

// One layer, one head of four elements in two pairs (0, 2), (1, 3); key weights of 1 / 2 on the
// diagonal and a bias of 100 on element 2.
struct SmallLayer {
  SmallLayer() {
    sizes.layers = 1;
    sizes.width = kWidth;
    sizes.query_heads = sizes.kv_heads = 1;
    sizes.head_dim = sizes.rotary_dim = kWidth;
    sizes.family = &kQwen2;
    for (std::int64_t i = 0; i < kWidth; ++i) key[static_cast<std::size_t>(i * kWidth + i)] = 0.5F;
    LayerWeights& layer = weights.layers.emplace_back();
    layer.attention_norm.assign(kWidth, 1.0F);
    layer.key = {GgufTensorType::f32, reinterpret_cast<const std::byte*>(key.data()), kWidth,
                 kWidth};
    layer.key_bias = {0, 0, 100, 0};
  }
  std::vector<float> key = std::vector<float>(kWidth * kWidth, 0.0F);
  Hyperparameters sizes;
  TransformerWeights weights;
};

TEST(KeyUnits, FollowTheWeightsAPairTogether) {
  const SmallLayer small;
  const std::vector<float> units = key_units(small.sizes, small.weights);
  ASSERT_EQ(units.size(), 4U);
  EXPECT_EQ(units[0], 64);  // of 100 / sqrt(2), the nearest power of two
  EXPECT_EQ(units[2], 64);
  EXPECT_EQ(units[1], 0.5F);
  EXPECT_EQ(units[3], 0.5F);
}

TEST(KeyUnits, OfANormOnKeysAreItsWeights) {
  SmallLayer small;
  small.weights.layers[0].key_norm = {8, 1, 8, 1};
  EXPECT_EQ(key_units(small.sizes, small.weights), (std::vector<float>{8, 1, 8, 1}));
}

TEST(KeyUnits, LeaveSmallElementsTheirStepsBesideALargeOne) {
  Hyperparameters sizes;
  sizes.layers = 1;
  sizes.kv_heads = 1;
  sizes.head_dim = kWidth;
  const KvCacheSize size{.capacity = 2, .branch_pages = 0, .type = ElementType::i8};
  const std::vector<float> keys{90, 0.31F, 100, -0.17F};
  const auto worst = [&](std::vector<float> units) {
    KvCache cache(sizes, size, std::move(units));
    cache.write(0, nullptr, 0, 1, keys.data(), keys.data());
    const std::vector<float> row = cache.row(0, 0);
    return std::max(std::abs(row[1] - keys[1]), std::abs(row[3] - keys[3]));
  };
  EXPECT_GT(worst({}), 0.1F);
  EXPECT_LT(worst({64, 0.5F, 64, 0.5F}), 0.005F);
}

TEST(KeyUnits, OfARealModelAreFiniteAndThereForEachElement) {
  const auto model = Model::open(tests::model_file(tests::kSmolLm2));
  const LoadedModel& its = loaded(*model, "a test");
  const std::vector<float>& units = its.key_units();
  EXPECT_EQ(std::ssize(units), its.hyperparameters().layers * its.hyperparameters().kv_width());
  for (const float unit : units) {
    int exponent = 0;
    EXPECT_EQ(std::frexp(unit, &exponent), 0.5F) << unit << " is no power of two";
  }
}

}  // namespace
}  // namespace whereof::model
