// The metadata and the temporal index of an archive, or of two that are read as one: names,
// descriptors, instance domains, labels and texts, asked for in every way there is. Answers that
// belong together agree.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/archive/reader/hash_order.h"
#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/labels.h"
#include "runtime/archive/recording/archives.h"
#include "runtime/base/result.h"
#include "tests/fuzz/archive_input.h"
#include "tests/fuzz/archive_target.h"

namespace pmjit::fuzz {
namespace {

constexpr size_t kAskedMax = 64;  // of one kind, so that an input is quick

void check_names(const NameSpace& names) {
  const auto leaves = names.leaves();
  for (const auto& leaf : std::span(leaves).first(std::min(leaves.size(), kAskedMax))) {
    check(names.look_up(leaf.name) == leaf.pmid, "a leaf is found by its name");
    const auto all = names.names(leaf.pmid);
    check(std::ranges::find(all, leaf.name) != all.end(), "a name of a leaf's metric");
    for (size_t dot = leaf.name.find('.'); dot != leaf.name.npos;
         dot = leaf.name.find('.', dot + 1)) {
      const auto below = names.leaves(leaf.name.substr(0, dot));
      check(below && std::ranges::find(*below, leaf.name, &NameSpace::Leaf::name) != below->end(),
            "a leaf is below its prefixes");
      check(names.children(leaf.name.substr(0, dot)).has_value(), "a prefix is a node");
    }
  }
}

void check_set(const Domain& domain, Stamp when, std::span<const NamedInstance> set) {
  const auto at = domain.instances_at(when);
  check(at && std::ranges::equal(*at, set), "a set is in force at its stamp");
  for (const NamedInstance& instance : set.first(std::min(set.size(), kAskedMax))) {
    check(domain.name_at(instance.id, when) == instance.name, "an instance has its name");
    check(domain.name(instance.id, when) == instance.name, "both look-ups agree");
    check(domain.id_at(instance.name, when).has_value(), "a name is some instance's");
    check(domain.name_ever(instance.id).has_value(), "what is there was ever there");
    check(domain.id_ever(instance.name).has_value(), "a name that is there was ever there");
    const auto birth = domain.birth(instance.id), death = domain.death(instance.id);
    check(birth && *birth <= when && (!death || *death >= when), "a set is within a life");
  }
}

void check_domain(const Domain& domain) {
  size_t sets = 0;
  SetWalk walk(domain);
  std::vector<NamedInstance> before;
  Stamp stamp{};
  // Of several sets of one stamp the last is in force.
  while (walk.next()) {
    if (sets > 0 && walk.stamp() != stamp && sets < kAskedMax) check_set(domain, stamp, before);
    before.assign(walk.instances().begin(), walk.instances().end());
    stamp = walk.stamp();
    ++sets;
  }
  check(sets == domain.set_count() && sets > 0, "every set is walked");
  check_set(domain, stamp, before);
  check(std::ranges::equal(domain.newest_set(), before), "the newest set is the last");
  check(domain.all().size() == domain.instances_ever().size(), "as many instances in either order");
  const auto early = domain.instances_at({.sec = -kSecondsMax - 1});
  check(!early && early.error() == pm_err::E_INDOM_LOG, "there is nothing before the first set");
}

void check_label_set(const LabelSet& set) {
  for (size_t i = 0; i < set.size(); ++i) {
    const LabelEntry entry = set.entry(i);
    const auto end = set.json.data() + set.json.size();
    for (const auto text : {set.name(entry), set.value(entry)}) {
      check(text.empty() || (text.data() >= set.json.data() && text.data() + text.size() <= end),
            "a label is in its text");
    }
  }
}

void check_labels(const ArchiveLabels& labels) {
  for (const ArchiveLabels::Owner& owner : labels.owners()) {
    const auto history = labels.history(owner.type, owner.ident);
    check(!history.empty(), "an owner has records");
    for (size_t i = 0; i < std::min(history.size(), kAskedMax); ++i) {
      const Stamp stamp = labels.records()[history[i]].stamp;
      check(labels.newest(owner.type, owner.ident, stamp) != nullptr, "a record is in force");
      for (const LabelSet& set : labels.sets(labels.records()[history[i]])) check_label_set(set);
      const auto delivered = labels.delivered(owner.type, owner.ident, stamp);
      (void)merge_label_sets(delivered);
      for (const LabelSet* set : delivered) {
        check(labels.find(owner.type, owner.ident, set->instance, stamp) != nullptr,
              "what is delivered is found");
      }
    }
  }
  for (const DumpedLabels& dumped : label_dump(labels)) {
    check(!dumped.sets.empty(), "what is dumped has labels");
  }
}

void check_texts(const Texts& texts) {
  for (const TextOf of : {TextOf::metric, TextOf::indom}) {
    for (const uint32_t ident : texts.idents(of)) {
      const auto one_line = texts.find(TextKind::one_line, of, ident);
      const auto help = texts.find(TextKind::help, of, ident);
      check(one_line || help, "who is listed has a text");
      if (one_line) check(texts.look_up(TextKind::one_line, of, ident) == *one_line, "as stored");
      if (help) (void)texts.look_up(TextKind::help, of, ident);
    }
  }
}

void check_metadata(const Metadata& metadata) {
  check(hash_order(metadata.pmids).size() == metadata.descs.size(), "every metric has an order");
  check(hash_order(metadata.indoms).size() == metadata.domains.size(), "and every domain");
  check_names(metadata.names);
  for (const auto& [indom, domain] : metadata.domains) check_domain(domain);
  check_labels(metadata.labels);
  check_texts(metadata.texts);
  std::vector<NamedInstance> stored;
  for (const IndomRecord& record : metadata.indom_records) {
    check(list_stored(record, stored) && stored.size() == record.count, "a record is listed");
  }
}

// As the compiler asks.
void check_catalog(const Archive& archive) {
  const Catalog& catalog = archive.catalog();
  for (const std::string& name : catalog.leaves("")) {
    const auto desc = catalog.describe(name);
    if (!desc || desc->indom == kNullId) continue;
    for (const auto& instance : catalog.instances(desc->indom)) {
      (void)catalog.instance_name(desc->indom, instance.id, archive.end());
    }
    (void)catalog.domain_epoch(desc->indom, archive.start());
  }
}

}  // namespace

const MemoryBound kMemory = {.fixed = 8u << 20, .per_byte = 400};

void run(Bytes all) {
  if (const auto archives = open_archives(take_apart_input(all))) {
    check_metadata(archives->metadata());
    for (size_t i = 0; i < archives->size(); ++i) {
      const Archive& archive = (*archives)[i];
      check_catalog(archive);
      check(archive.warnings() == (*archives)[i].warnings(), "warnings stay");
      check(archive.index().size() <= all.size() / 20, "as many entries as fit");
    }
  }
}

}  // namespace pmjit::fuzz
