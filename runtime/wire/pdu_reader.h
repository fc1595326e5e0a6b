// PduReader: the `io` of layouts.h that reads. It knows its PDU and where it is; the first thing
// that is wrong is what it reports, and nothing is read after that.
#pragma once

#include <fmt/core.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/wire/layouts.h"

namespace pmjit::wire {

class PduReader {
 public:
  // The reader stands behind the header.
  explicit PduReader(Bytes pdu);

  template <class T>
  void number(std::string_view name, T& out) {
    if (!has(sizeof(T), name)) return;
    out = static_cast<T>(load_be<std::make_unsigned_t<T>>(pdu_.data() + pos_));
    pos_ += sizeof(T);
  }
  template <class T>
  void hex(std::string_view name, T& out) {
    number(name, out);
  }
  void pmid(std::string_view name, PmId& out) { number(name, out); }
  void indom(std::string_view name, InDomId& out) { number(name, out); }
  void flag(std::string_view name, bool& out);
  void features(std::string_view name, FeatureSet& out);
  void desc(Desc& out);
  void zeros(size_t bytes) { (void)take(bytes, "reserved bytes"); }  // whatever they are
  void constant(std::string_view name, int32_t expected);
  void counted(std::string_view name, std::string_view& out);
  void rest(std::string_view name, std::string_view& out) { out = take(left(), name); }
  void texts(std::array<std::string_view, 6>& out);
  void require(bool holds, std::string_view what) {
    if (!holds) refuse(std::string(what));
  }

  // Elements of at least `each` bytes will follow, not necessarily at once: what is announced must
  // fit into what is left beside what was announced before. So memory is bounded by the PDU.
  template <class T>
  void count(std::string_view name, std::vector<T>& out, size_t each, size_t least) {
    const size_t at = pos_;
    int32_t announced = 0;
    number(name, announced);
    if (ok()) out.resize(announce(name, announced, at, each, least));
  }
  // The elements that were announced.
  template <class T, class Each>
  void elements(std::string_view, std::vector<T>& list, size_t bytes, Each&& each) {
    for (T& one : list) {
      if (!ok()) return;
      promised_ -= bytes;
      each(one);
    }
  }
  template <class T, class Each>
  void list(std::string_view name, std::vector<T>& out, size_t bytes, size_t least, Each&& each) {
    count(name, out, bytes, least);
    elements(name, out, bytes, each);
  }
  void pmids(std::string_view name, std::vector<PmId>& out, size_t least) {
    list(name, out, 4, least, [&](PmId& one) { number(name, one); });
  }

  void error_code(int32_t& code, std::optional<HelloWord>& hello);
  void names_head(NamesMessage& out);
  void names_end(const NamesMessage& out);
  void label_sets(std::vector<SentLabels>& out);
  void sets(ResultSets& out);
  template <class Between>
  void sets_behind(ResultSets& out, Between&& between) {
    number("metrics", out.head.sets);
    between(*this);
    read_sets(out);
  }

  [[nodiscard]] bool ok() const { return !error_; }
  // Nothing may be left.
  void finish();
  [[nodiscard]] std::optional<Error> take_error() { return std::move(error_); }

 private:
  [[nodiscard]] size_t left() const { return pdu_.size() - pos_; }
  [[nodiscard]] bool has(size_t bytes, std::string_view name);
  std::string_view take(size_t bytes, std::string_view name);
  size_t announce(std::string_view name, int32_t announced, size_t at, size_t each, size_t least);
  void read_sets(ResultSets& out);
  void read_label_json(SentLabels& set, uint32_t offset, uint32_t length);
  void refuse(std::string what) { refuse_at(pos_, std::move(what)); }
  void refuse_at(size_t offset, std::string what);

  Bytes pdu_;
  size_t pos_, promised_ = 0;
  int32_t name_bytes_ = 0;  // of PMNS_NAMES, as announced
  std::optional<Error> error_;
};

// The error of a PDU: what, at which offset, of which PDU.
[[nodiscard]] Error pdu_error(Bytes pdu, size_t offset, std::string what);

}  // namespace pmjit::wire
