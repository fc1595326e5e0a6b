// Every operator × every elements that it takes × every edge value an operand, absence included:
// kernels of every instruction set and level leave what the interpreter leaves. Reductions: every
// row of up to three lanes of edge values, and random longer ones.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "compiler/ir/verify.h"
#include "tests/unit/evaluators/builder.h"
#include "tests/unit/evaluators/duel.h"
#include "tests/unit/evaluators/values.h"

namespace pmjit::tests {
namespace {

constexpr size_t kReduceLanesMax = 9, kReduceRowsMax = 17, kReduceProductLanesMax = 3;

struct All {
  Builder builder;
  std::vector<Subject> subjects;
  size_t operators = 0, combinations = 0, value_lanes = 0;
};

void add_subject(All& all, Op op, const Elems& elems, Semantics semantics, uint64_t payload) {
  Builder& b = all.builder;
  std::vector<NodeId> args;
  for (const Elem elem : elems) args.push_back(b.leaf(elem, semantics));
  const NodeId node = b.add(op, args, payload);
  b.root(node);
  KernelSpec spec{.nodes = {node}, .inputs = {}, .constants = {}};
  for (const NodeId arg : args) add_input(b.ir, arg, spec);
  add_past_inputs(b.ir, node, spec);
  all.subjects.push_back({std::move(spec), all.subjects.size()});
}

All all_subjects() {
  All all;
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_kernel_op(op)) continue;
    ++all.operators;
    std::vector<Semantics> semantics = {Semantics::instant};
    if (info(op).shape == Shape::past) semantics.push_back(Semantics::counter);
    for (const Elems& elems : legal_elems(op)) {
      ++all.combinations;
      for (const uint64_t payload : payloads(op, *result_elem(op, elems))) {
        for (const Semantics s : semantics) add_subject(all, op, elems, s, payload);
      }
    }
  }
  return all;
}

// Every combination of edge values, and of absence if wanted: a column an element.
std::vector<std::vector<Sample>> combinations(const Elems& elems, bool with_absent, Rng& rng) {
  std::vector<size_t> sizes;
  size_t rows = 1, repeat = 1;
  for (const Elem elem : elems) {
    sizes.push_back(edge_values(elem).size() + (with_absent ? 1 : 0));
    rows *= sizes.back();
  }
  std::vector<std::vector<Sample>> columns;
  for (size_t k = 0; k < sizes.size(); ++k) {
    const auto edges = edge_values(elems[k]);
    std::vector<Sample> column;
    for (size_t i = 0; i < rows; ++i) {
      const size_t at = i / repeat % sizes[k];
      const bool absent = at == edges.size();
      column.push_back(absent ? Sample{garbage(rng), false} : Sample{edges[at], true});
    }
    columns.push_back(std::move(column));
    repeat *= sizes[k];
  }
  return columns;
}

// The operands' edge values, one combination a row of one lane.
Data cross_product(const KernelSpec& spec, bool with_absent, Rng& rng) {
  Elems elems;
  for (const KernelInput& input : spec.inputs) elems.push_back(input.elem);
  auto columns = combinations(elems, with_absent, rng);
  return {.rows = columns[0].size(),
          .lanes = 1,
          .inputs = columns,
          .no_bitmap = std::vector<bool>(elems.size(), !with_absent),
          .args = {}};
}

// One operand's edge values, every ordered combination of `lanes` of them a row.
Data row_product(Elem elem, size_t lanes, bool with_absent, Rng& rng) {
  const auto columns = combinations(Elems(lanes, elem), with_absent, rng);
  std::vector<Sample> rows;
  for (size_t row = 0; row < columns[0].size(); ++row) {
    for (const auto& column : columns) rows.push_back(column[row]);
  }
  return {.rows = columns[0].size(),
          .lanes = lanes,
          .inputs = {std::move(rows)},
          .no_bitmap = {!with_absent},
          .args = {}};
}

// `count` lanes from `first` on, around the end: kernels see columns of every short length.
Data window(const Data& from, size_t first, size_t count) {
  Data data{.rows = count, .lanes = 1, .inputs = {}, .no_bitmap = from.no_bitmap, .args = {}};
  for (const auto& column : from.inputs) {
    std::vector<Sample> part;
    for (size_t i = 0; i < count; ++i) part.push_back(column[(first + i) % from.rows]);
    data.inputs.push_back(std::move(part));
  }
  return data;
}

std::vector<Data> lanes_data(const Subject& subject) {
  Rng rng(subject.seed + 1);
  std::vector<Data> all;
  for (const bool with_absent : {true, false}) {
    all.push_back(cross_product(subject.spec, with_absent, rng));
    const Data whole = all.back();
    for (size_t count = 0; count <= 65; ++count) {
      if (count > 17 && count < 63) continue;
      all.push_back(window(whole, rng.below(whole.rows), count));
    }
  }
  return all;
}

std::vector<Data> reduce_data(const Subject& subject) {
  Rng rng(subject.seed + 1);
  const Elem elem = subject.spec.inputs[0].elem;
  const auto edges = edge_values(elem);
  std::vector<Data> all;
  for (size_t lanes = 1; lanes <= kReduceProductLanesMax; ++lanes) {
    for (const bool with_absent : {true, false}) {
      all.push_back(row_product(elem, lanes, with_absent, rng));
    }
  }
  for (size_t lanes = 0; lanes <= kReduceLanesMax; ++lanes) {
    for (size_t rows = 0; rows <= kReduceRowsMax; ++rows) {
      // From rows that are nearly all absent to rows without a bitmap.
      const size_t absent_one_in = 2 + rng.below(40);
      const bool no_bitmap = rng.one_in(4);
      std::vector<Sample> column;
      for (size_t i = 0; i < rows * lanes; ++i) {
        const bool absent = !no_bitmap && rng.one_in(absent_one_in);
        column.push_back(absent ? Sample{garbage(rng), false} : Sample{rng.of(edges), true});
      }
      all.push_back(
          {.rows = rows, .lanes = lanes, .inputs = {column}, .no_bitmap = {no_bitmap}, .args = {}});
    }
  }
  return all;
}

TEST(Exhaustive, KernelsEqualInterpreter) {
  Buffer::use_guard_pages(true);
  const auto all_configs = configs();
  ASSERT_FALSE(all_configs.empty()) << "no code generator to compare with";
  const All all = all_subjects();
  const auto verified = verify(all.builder.ir);
  ASSERT_TRUE(verified) << verified.error().text();

  const Ir& ir = all.builder.ir;
  const MakeData make_data = [&](const Subject& subject) {
    return reduces(ir, subject) ? reduce_data(subject) : lanes_data(subject);
  };
  Figures figures;
  for (const Config& config : all_configs) duel(ir, all.subjects, config, make_data, figures);
  fmt::print(
      "exhaustive: {} operators, {} combinations of elements, {} kernels, {} instruction sets and "
      "levels, {} results compared, {} differences\n",
      all.operators, all.combinations, all.subjects.size(), all_configs.size(), figures.lanes,
      figures.differences);
}

}  // namespace
}  // namespace pmjit::tests
