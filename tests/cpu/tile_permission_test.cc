#include "cpu/tile_permission.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "whereof/instruction_set.h"

namespace whereof::cpu {
namespace {

int asked = 0;
bool grant() noexcept {
  ++asked;
  return true;
}
bool refuse() noexcept {
  ++asked;
  return false;
}

// A Sapphire Rapids machine under Linux 5.16 or newer.
TileSupport complete() {
  return {.features = 1U << 22 | 1U << 24,
          .tile_names = 8,
          .tile_rows = 16,
          .row_bytes = 64,
          .saved_state = 0x602e7,
          .ask_kernel = grant};
}

TEST(TilePermission, AllOfProcessorSystemAndKernelAreNeeded) {
  EXPECT_TRUE(may_use_tiles(complete()));
  TileSupport refused = complete();
  refused.ask_kernel = refuse;
  EXPECT_FALSE(may_use_tiles(refused));
}

// A request that cannot help would only change the process.
TEST(TilePermission, TheKernelIsAskedLast) {
  asked = 0;
  TileSupport lacking = complete();
  lacking.features = 1U << 24;  // no bf16
  EXPECT_FALSE(may_use_tiles(lacking));
  lacking = complete();
  lacking.features = 1U << 22;
  EXPECT_FALSE(may_use_tiles(lacking));
  lacking = complete();
  lacking.saved_state = 0x202e7;  // the configuration alone
  EXPECT_FALSE(may_use_tiles(lacking));
  lacking = complete();
  lacking.tile_rows = 8;
  EXPECT_FALSE(may_use_tiles(lacking));
  lacking = complete();
  lacking.ask_kernel = nullptr;
  EXPECT_FALSE(may_use_tiles(lacking));
  EXPECT_EQ(asked, 0);
}

TEST(TilePermission, AmxRunsOnlyWhereItsPartsDo) {
  if (!may_use_tiles(TileSupport::of_this_machine())) {
    EXPECT_FALSE(can_run(InstructionSet::amx));
  }
  if (can_run(InstructionSet::amx)) {
    EXPECT_TRUE(can_run(InstructionSet::avx512_bf16));
    EXPECT_EQ(runnable_instruction_sets().back(), InstructionSet::amx);
  }
}

TEST(TilePermission, SetsAreKnownByTheirNames) {
  for (const InstructionSet set :
       {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512,
        InstructionSet::avx512_bf16, InstructionSet::amx}) {
    EXPECT_EQ(instruction_set_named(name_of(set)), set);
  }
  EXPECT_EQ(name_of(InstructionSet::amx), "amx");
}

}  // namespace
}  // namespace whereof::cpu
