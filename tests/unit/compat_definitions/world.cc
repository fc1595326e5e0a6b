#include "tests/unit/compat_definitions/world.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <sstream>

#include "compiler/compat/definitions/evaluate.h"
#include "compiler/compat/definitions/tokens.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/parse_units.h"

namespace pmjit::test {

namespace {

int type_named(const std::string& word) {
  if (word == "string") return pm_type::string;
  if (word == "event") return pm_type::event;
  const auto type = pcp::type_of_tag(word);
  EXPECT_TRUE(type) << word;
  return type.value_or(0);
}

std::string text_of(const Atom& atom, int type) {
  switch (type) {
    case pm_type::i32: return fmt::format("{}", atom.i32);
    case pm_type::u32: return fmt::format("{}", atom.u32);
    case pm_type::i64: return fmt::format("{}", atom.i64);
    case pm_type::u64: return fmt::format("{}", atom.u64);
    case pm_type::f32: return fmt::format("{:g}", atom.f32);
    case pm_type::f64: return fmt::format("{:.17g}", atom.f64);
    default: return std::string(atom.text());
  }
}

// A fetched set, and the bytes that its values are made of.
struct Made {
  FetchedSet set;
  std::deque<std::vector<std::byte>> blocks;
};

void put(Made& made, int type, int32_t instance, const std::string& text) {
  Value value{.instance = instance, .type = static_cast<uint8_t>(type)};
  Atom atom{};
  if (type == pm_type::string) {
    auto& block = made.blocks.emplace_back(text.size() + 1);
    std::memcpy(block.data(), text.c_str(), block.size());
    value.block = Bytes(block.data(), block.size());
    made.set.values.push_back(value);
    return;
  }
  const bool negative = text.starts_with('-');
  if (type == pm_type::f32 || type == pm_type::f64) {
    const double number = std::strtod(text.c_str(), nullptr);
    if (type == pm_type::f32) {
      atom.f32 = static_cast<float>(number);
    } else {
      atom.f64 = number;
    }
  } else {
    atom = pcp::atom_of_number(negative ? text.substr(1) : text, type);
    if (negative) atom.u64 = uint64_t{0} - atom.u64;
  }
  if (type == pm_type::i32 || type == pm_type::u32) {
    value.word = atom.u32;
  } else {
    auto& block = made.blocks.emplace_back(type == pm_type::f32 ? 4 : 8);
    std::memcpy(block.data(), &atom.u64, block.size());
    value.block = Bytes(block.data(), block.size());
  }
  made.set.values.push_back(value);
}

void fill(Made& made, const Desc& desc, const std::string& text) {
  made.set.pmid = desc.pmid;
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  made.set.format = in_place ? ValueFormat::in_place : ValueFormat::block;
  if (text.starts_with('!')) {
    made.set.count = std::atoi(text.c_str() + 1);
    return;
  }
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t colon = word.find(':');
    const bool singular = colon == std::string::npos;
    put(made, desc.pm_type, singular ? kSingular : std::atoi(word.c_str()),
        singular ? word : word.substr(colon + 1));
  }
  made.set.count = static_cast<int>(made.set.values.size());
}

}  // namespace

void World::add(const std::string& name, const std::string& description, bool derived) {
  std::istringstream words(description);
  std::string type, semantics, units, domain;
  words >> type >> semantics >> units >> domain;
  Desc desc{.pmid = static_cast<PmId>(1000 + metrics_.size()), .pm_type = type_named(type)};
  const auto found = pcp::semantics_of_tag(semantics);
  EXPECT_TRUE(found) << description;
  desc.semantics = found.value_or(Semantics::instant);
  if (units != "none") {
    std::ranges::replace(units, '_', ' ');
    const auto parsed = parse_units(units, ExtraUnits::known);
    EXPECT_TRUE(parsed) << units;
    if (parsed) desc.units = parsed->units;
  }
  if (!domain.empty()) desc.indom = pcp::indom_of_tag(domain).value_or(kNullId);
  metrics_[name] = {.desc = desc, .derived = derived, .described = true};
}

World& World::metric(const std::string& name, const std::string& description) {
  add(name, description, false);
  return *this;
}

World& World::derived(const std::string& name, const std::string& description) {
  add(name, description, true);
  return *this;
}

World& World::undescribed(const std::string& name) {
  add(name, "u32 instant none", false);
  metrics_[name].described = false;
  return *this;
}

OrPmError<pcp::BindContext::Found> World::find(std::string_view name) {
  const auto found = metrics_.find(name);
  if (found == metrics_.end()) return pm_fail(pm_err::E_NAME);
  return Found{found->second.desc.pmid, found->second.derived};
}

OrPmError<Desc> World::desc_of(PmId pmid) {
  for (const auto& [name, metric] : metrics_) {
    if (metric.desc.pmid == pmid && metric.described) return metric.desc;
  }
  return pm_fail(pm_err::E_PMID);
}

OrPmError<int32_t> World::instance_id(InDomId, std::string_view name) {
  const auto found = instance_ids.find(std::string(name));
  if (found == instance_ids.end()) return pm_fail(pm_err::E_INST);
  return found->second;
}

OrPmError<std::string> World::instance_name(InDomId, int32_t instance) {
  ++names_asked;
  const auto found = instance_names.find(instance);
  if (found == instance_names.end()) return pm_fail(pm_err::E_INST);
  return found->second;
}

OrPmError<std::vector<int32_t>> World::instances(InDomId) { return all_instances; }

std::string units_name(const Units& units) {
  const std::string text = units_text(units);
  return text.empty() ? "none" : text;
}

std::string described(const Desc& desc) {
  std::string out = fmt::format("{} {} {}", pm_type_text(desc.pm_type),
                                semantics_text(desc.semantics), units_name(desc.units));
  if (desc.indom != kNullId) out += " " + indom_text(desc.indom);
  return out;
}

std::expected<pcp::PcpTree, pcp::BindError> bound(World& world, std::string_view expression,
                                                  const BindHow& how) {
  bool in_pattern = false;
  const auto ast = pcp::parse(expression, how.dialect, in_pattern);
  EXPECT_TRUE(ast) << expression;
  if (!ast) return std::unexpected(pcp::BindError{.what = "no text", .message = "no tree"});
  return pcp::bind(*ast, world,
                   {.dialect = how.dialect,
                    .missing_are_novalue = how.missing_are_novalue,
                    .equivalent = &world.equivalent});
}

std::string said(World& world, std::string_view expression, Dialect dialect) {
  const auto tree = bound(world, expression, {.dialect = dialect});
  if (tree) return described(tree->desc());
  const pcp::BindError& wrong = tree.error();
  return wrong.message.empty() ? "silent: " + wrong.what : wrong.what + ": " + wrong.message;
}

Running::Running(World& world, std::string_view expression, Dialect dialect) : world_(world) {
  auto tree = bound(world, expression, {.dialect = dialect});
  if (!tree) {
    refused_ = "unbound: " + tree.error().message;
    return;
  }
  evaluation_ =
      std::make_unique<pcp::PcpEvaluation>(std::make_shared<pcp::PcpTree>(*std::move(tree)));
}

std::string Running::at(double seconds,
                        const std::vector<std::pair<std::string, std::string>>& sets) {
  if (evaluation_ == nullptr) return refused_;
  std::deque<Made> made;
  std::vector<FetchedSet> fetched;
  for (const auto& [name, text] : sets) {
    const auto found = world_.find(name);
    EXPECT_TRUE(found) << name;
    if (!found) continue;
    fill(made.emplace_back(), world_.desc_of(found->pmid).value_or(Desc{}), text);
    fetched.push_back(made.back().set);
  }
  const double whole = std::floor(seconds);
  const Stamp stamp{.sec = static_cast<int64_t>(whole),
                    .nsec = static_cast<int32_t>(std::lround((seconds - whole) * 1e9))};
  const pcp::PcpValues& values =
      evaluation_->run({.stamp = stamp, .sets = fetched, .domains = world_});
  if (values.count < 0) return fmt::format("!{}", values.count);
  EXPECT_EQ(static_cast<size_t>(values.count), values.items.size());
  std::string out;
  for (const pcp::Item& item : values.items) {
    if (!out.empty()) out += ' ';
    if (item.instance != kSingular) out += fmt::format("{}:", item.instance);
    out += text_of(item.value, tree().desc().pm_type);
  }
  return out;
}

std::string value_of(World& world, std::string_view expression,
                     const std::vector<std::pair<std::string, std::string>>& sets,
                     Dialect dialect) {
  return Running(world, expression, dialect).at(0, sets);
}

}  // namespace pmjit::test
