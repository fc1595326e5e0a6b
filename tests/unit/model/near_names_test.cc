#include <gtest/gtest.h>

#include "runtime/base/limits.h"
#include "runtime/model/catalog.h"

namespace pmjit {
namespace {

class Names final : public Catalog {
 public:
  explicit Names(std::vector<std::string> names) : names_(std::move(names)) {}
  Result<Desc> describe(std::string_view) const override {
    return fail(Fault::not_found, "names only");
  }
  std::vector<std::string> leaves(std::string_view) const override { return names_; }
  std::optional<std::string> instance_name(InDomId, int32_t, Stamp) const override {
    return std::nullopt;
  }
  std::vector<Instance> instances(InDomId) const override { return {}; }

 private:
  std::vector<std::string> names_;
};

using Texts = std::vector<std::string>;

TEST(NearNames, ATypingMistakeComesFirst) {
  const Names names({"disk.all.read", "disk.dev.read", "disk.dev.write", "mem.free"});
  EXPECT_EQ(near_names(names, "disk.dev.raed").front(), "disk.dev.read");
  EXPECT_EQ(near_names(names, "disk.dev.wrte").front(), "disk.dev.write");
  EXPECT_EQ(near_names(names, "DISK.Dev.Write").front(), "disk.dev.write");
}

TEST(NearNames, AForgottenPrefixIsFoundByTheLastComponent) {
  const Names names({"kernel.all.load", "mem.util.free", "swap.free"});
  EXPECT_EQ(near_names(names, "hinv.cpu.load"), Texts{"kernel.all.load"});
  EXPECT_EQ(near_names(names, "free"), (Texts{"mem.util.free", "swap.free"}));
}

TEST(NearNames, NothingNearIsNothing) {
  const Names names({"disk.dev.read"});
  EXPECT_TRUE(near_names(names, "network.interface.total").empty());
  EXPECT_TRUE(near_names(names, "").empty());
  EXPECT_TRUE(near_names(Names({}), "x").empty());
}

TEST(NearNames, AtMostAsManyAsTheLimit) {
  Texts many;
  for (int i = 0; i < 50; ++i) many.push_back("a.b" + std::to_string(i));
  EXPECT_EQ(near_names(Names(many), "a.b1x").size(), limits::kNearNamesMax);
}

}  // namespace
}  // namespace pmjit
