// TBB tries libraries that need not be there. What dlopen() says of them stays in thread-local
// storage, where the leak checker is told not to look (CMakePresets.json): a second dlerror() gives
// it back.
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace pmjit::test {
namespace {

class ForgetDlErrors final : public testing::Environment {
  void TearDown() override {
    dlerror();
    dlerror();
  }
};
const testing::Environment* const kForgets = testing::AddGlobalTestEnvironment(new ForgetDlErrors);

}  // namespace
}  // namespace pmjit::test
