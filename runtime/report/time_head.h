// What a format of a line a time says of times: a clock before each line, and above the lines the
// host, the date and the zone.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "runtime/report/writer.h"
#include "runtime/text/zone.h"

namespace pmjit {

class TimeHead {
 public:
  explicit TimeHead(Zone zone) : zone_(std::move(zone)) {}

  // Of each line, in order. True: another date than before.
  bool take(Stamp time) {
    when_ = iso_local(time, zone_);
    clock_ = time_of_day(time, time.nsec == 0 ? Fraction::none : Fraction::milli, zone_);
    width_ = std::max(width_, clock_.size());
    std::string date = when_.substr(0, when_.find('T'));
    const bool is_new = date != date_;
    date_ = std::move(date);
    return is_new;
  }

  [[nodiscard]] const std::string& date() const { return date_; }
  [[nodiscard]] const std::string& clock() const { return clock_; }
  [[nodiscard]] size_t width() const { return width_; }  // of the widest clock so far
  // "in UTC", "+02:00"
  [[nodiscard]] std::string zone() const {
    const std::string zone = when_.substr(when_.find_first_of("Z+-", when_.find('T')));
    return zone == "Z" ? "in UTC" : zone;
  }
  // "host web1, "; nothing where there are several.
  [[nodiscard]] static std::string host(const Schema& schema) {
    return schema.several_hosts() ? "" : fmt::format("host {}, ", schema.host);
  }

 private:
  Zone zone_;
  std::string when_, clock_, date_;
  size_t width_ = 8;
};

}  // namespace pmjit
