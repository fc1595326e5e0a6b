// Labels of an alert: their order, and Alertmanager's own fingerprint of them.
#include "rules/alerts/alert_labels.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

TEST(AlertLabels, LaterLayersWin) {
  const AlertLabels global{{"a", "global"}, {"b", "global"}, {"c", "global"}, {"d", "global"}};
  const AlertLabels host{{"b", "host"}, {"c", "host"}, {"d", "host"}};
  const AlertLabels binding{{"c", "binding"}, {"d", "binding"}};
  const AlertLabels rule{{"d", "rule"}};
  const AlertLabels labels = alert_labels(
      {global, host, binding, rule}, {.rule = "fs.full", .host = "web1", .severity = "warning"});
  const AlertLabels expected{{"a", "global"},         {"b", "host"},    {"c", "binding"},
                             {"d", "rule"},           {"host", "web1"}, {"severity", "warning"},
                             {"alertname", "fs.full"}};
  EXPECT_EQ(labels, expected);
}

TEST(AlertLabels, TheIdentityWins) {
  const AlertLabels none, rule{{"alertname", "x"}, {"host", "x"}, {"severity", "x"}};
  const AlertLabels labels =
      alert_labels({none, none, none, rule},
                   {.rule = "r", .host = "h", .instance = "/var", .severity = "critical"});
  const AlertLabels expected{
      {"alertname", "r"}, {"host", "h"}, {"instname", "/var"}, {"severity", "critical"}};
  EXPECT_EQ(labels, expected);
}

TEST(AlertLabels, OtherNamesForHostAndInstance) {
  const AlertLabels none;
  const AlertLabels labels = alert_labels({none, none, none, none}, {.rule = "r",
                                                                     .host = "h",
                                                                     .instance = "i",
                                                                     .severity = "info",
                                                                     .label_host = "instance",
                                                                     .label_instance = "disk"});
  const AlertLabels expected{
      {"alertname", "r"}, {"disk", "i"}, {"instance", "h"}, {"severity", "info"}};
  EXPECT_EQ(labels, expected);
}

TEST(AlertLabels, AnEmptyValueDropsTheLabel) {
  const AlertLabels none, host{{"team", "web"}, {"site", "fra"}}, rule{{"team", ""}};
  const AlertLabels labels =
      alert_labels({none, host, none, rule}, {.rule = "r", .host = "h", .severity = ""});
  const AlertLabels expected{{"alertname", "r"}, {"host", "h"}, {"site", "fra"}};
  EXPECT_EQ(labels, expected);
}

// The first is Alertmanager 0.25's own answer.
TEST(Fingerprint, IsThatOfAlertmanager) {
  EXPECT_EQ(fingerprint_text(fingerprint({{"alertname", "a1"}, {"host", "h"}})),
            "9e400ed033d945c4");
  EXPECT_EQ(fingerprint_text(fingerprint({})), "cbf29ce484222325");
  EXPECT_NE(fingerprint({{"a", "bc"}}), fingerprint({{"ab", "c"}}));
}

TEST(Fingerprint, NamesAnEpisode) {
  const AlertLabels labels{{"alertname", "a1"}, {"host", "h"}};
  const WallTime since{std::chrono::milliseconds(1'764'056'400'123)};
  EXPECT_EQ(episode_id(labels, since), "9e400ed033d945c4-1764056400123");
}

TEST(LabelName, IsOneOfPrometheus) {
  for (const char* good : {"a", "_", "team_2", "A9"}) EXPECT_TRUE(is_label_name(good)) << good;
  for (const char* bad : {"", "9a", "a-b", "a.b", "é", "a b"})
    EXPECT_FALSE(is_label_name(bad)) << bad;
}

}  // namespace
}  // namespace pmjit
