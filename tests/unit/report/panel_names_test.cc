// What series are called in a chart.
#include "runtime/report/plot/panel_texts.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

SeriesName name_of(std::string text, std::string host = "") {
  ResultInfo info{.name = std::move(text)};
  info.host = std::move(host);
  return series_name(info);
}

TEST(SeriesName, ParentAndLeaf) {
  EXPECT_EQ(name_of("disk.dev.read").parent(), "disk.dev");
  EXPECT_EQ(name_of("disk.dev.read").leaf(), "read");
  EXPECT_EQ(name_of("uptime").parent(), "");
  EXPECT_EQ(name_of("uptime").leaf(), "uptime");
  EXPECT_EQ(name_of("a.b / 1.5").parent(), "");
  EXPECT_EQ(name_of("a.b / 1.5").leaf(), "a.b / 1.5");
}

TEST(SeriesName, RateOfAMetricOnly) {
  EXPECT_TRUE(name_of("rate(disk.dev.read)").is_rate);
  EXPECT_EQ(name_of("rate(disk.dev.read)").name, "disk.dev.read");
  for (const char* const text : {"rate(a) / rate(b)", "rate(a + b)", "rate()", "sum(rate(a))"}) {
    EXPECT_FALSE(name_of(text).is_rate) << text;
    EXPECT_EQ(name_of(text).name, text);
  }
}

using Rests = std::vector<std::string>;

TEST(PanelNames, CommonPartAndRests) {
  const PanelNames two = panel_names({name_of("disk.dev.read"), name_of("disk.dev.write")});
  EXPECT_EQ(two.title, "disk.dev");
  EXPECT_EQ(two.rests, Rests({"read", "write"}));
  const PanelNames one = panel_names({name_of("disk.dev.read")});
  EXPECT_EQ(one.title, "disk.dev.read");
  EXPECT_EQ(one.rests, Rests({""}));
}

TEST(PanelNames, OfSeveralHosts) {
  const PanelNames same = panel_names({name_of("a.b", "web1"), name_of("a.b", "web2")});
  EXPECT_EQ(same.title, "a.b");
  EXPECT_EQ(same.rests, Rests({"web1", "web2"}));
  const PanelNames one_host = panel_names({name_of("a.b", "web1"), name_of("a.c", "web1")});
  EXPECT_EQ(one_host.title, "web1:a");
  EXPECT_EQ(one_host.rests, Rests({"b", "c"}));
  const PanelNames both = panel_names({name_of("a.b", "web1"), name_of("a.c", "web2")});
  EXPECT_EQ(both.title, "a");
  EXPECT_EQ(both.rests, Rests({"web1:b", "web2:c"}));
}

}  // namespace
}  // namespace pmjit
