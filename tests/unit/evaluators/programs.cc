#include "tests/unit/evaluators/programs.h"

#include <algorithm>

#include "tests/unit/evaluators/rng.h"
#include "tests/unit/evaluators/values.h"

namespace pmjit::tests {

namespace {

// What ops.def offers: an operator with elements that it takes.
struct Choice {
  Op op;
  Elems elems;
};

std::vector<Choice> choices(bool reducing) {
  std::vector<Choice> out;
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op op = static_cast<Op>(i);
    if (!is_kernel_op(op) || (info(op).shape == Shape::reduce) != reducing) continue;
    for (const Elems& elems : legal_elems(op)) out.push_back({op, elems});
  }
  return out;
}

class Maker {
 public:
  Maker(Builder& builder, uint64_t seed) : b_(builder), rng_(seed) {}

  KernelSpec reduction() {
    static const std::vector<Choice> all = choices(true);
    const Choice& choice = all[rng_.below(all.size())];
    const NodeId leaf = b_.leaf(choice.elems[0]);
    add_input(b_.ir, leaf, spec_);
    spec_.nodes.push_back(b_.add(choice.op, {leaf}, payload(choice)));
    return std::move(spec_);
  }

  KernelSpec body(size_t operators) {
    for (size_t i = 0; i < operators; ++i) add_operator();
    return std::move(spec_);
  }

 private:
  uint64_t payload(const Choice& choice) {
    const auto all = payloads(choice.op, *result_elem(choice.op, choice.elems));
    return all[rng_.below(all.size())];
  }

  // Of a few random choices the one that uses most of what was computed before: bodies become deep.
  const Choice& choose() {
    static const std::vector<Choice> all = choices(false);
    const Choice* best = &all[rng_.below(all.size())];
    for (int tries = 0; tries < 6; ++tries) {
      const Choice& other = all[rng_.below(all.size())];
      if (computed(other) > computed(*best)) best = &other;
    }
    return *best;
  }

  size_t computed(const Choice& choice) {
    return static_cast<size_t>(
        std::count_if(choice.elems.begin(), choice.elems.end(), [&](Elem elem) {
          return std::any_of(spec_.nodes.begin(), spec_.nodes.end(),
                             [&](NodeId id) { return b_.ir.type_of(id).elem == elem; });
        }));
  }

  void add_operator() {
    const Choice& choice = choose();
    std::vector<NodeId> args;
    for (const Elem elem : choice.elems) args.push_back(operand(elem));
    const NodeId node = b_.add(choice.op, args, payload(choice));
    add_past_inputs(b_.ir, node, spec_);
    spec_.nodes.push_back(node);
  }

  NodeId operand(Elem elem) {
    std::vector<NodeId> earlier;
    for (const NodeId id : spec_.nodes) {
      if (b_.ir.type_of(id).elem == elem) earlier.push_back(id);
    }
    if (!earlier.empty() && !rng_.one_in(4)) {
      // The latest results twice as often as any.
      return rng_.one_in(2) ? earlier.back() : earlier[rng_.below(earlier.size())];
    }
    if ((is_computed(elem) || elem == Elem::truth) && rng_.one_in(4)) return constant(elem);
    return leaf(elem);
  }

  NodeId constant(Elem elem) {
    uint64_t bits = random_value(elem, rng_);
    if (elem == Elem::truth) bits &= 1;
    spec_.constants.push_back(b_.constant(elem, bits));
    return spec_.constants.back();
  }

  NodeId leaf(Elem elem) {
    std::vector<NodeId> known;
    for (const KernelInput& input : spec_.inputs) {
      if (input.kind == KernelInput::Kind::now && input.elem == elem) known.push_back(input.node);
    }
    if (!known.empty() && !rng_.one_in(3)) return known[rng_.below(known.size())];
    const NodeId id = b_.leaf(elem, rng_.one_in(2) ? Semantics::counter : Semantics::instant);
    add_input(b_.ir, id, spec_);
    return id;
  }

  Builder& b_;
  Rng rng_;
  KernelSpec spec_;
};

}  // namespace

Subject random_program(Builder& builder, uint64_t seed) {
  Rng rng(~seed);
  Maker maker(builder, seed);
  Subject subject{.spec = {}, .seed = seed};
  subject.spec = rng.one_in(10) ? maker.reduction() : maker.body(1 + rng.below(kProgramOpsMax));
  builder.root(subject.spec.result());
  return subject;
}

std::vector<Data> random_data(const Ir& ir, const Subject& subject) {
  Rng rng(subject.seed * 3);
  std::vector<Data> all;
  for (int draws = 0; draws < 2; ++draws) {
    Data data{.rows = rng.below(20),
              .lanes = rng.below(12),
              .inputs = {},
              .no_bitmap = {},
              .args = args_of(ir, subject.spec)};
    for (const KernelInput& input : subject.spec.inputs) {
      const bool no_bitmap = rng.one_in(3);
      std::vector<Sample> column;
      for (size_t i = 0; i < data.rows * data.lanes; ++i) {
        const bool valid = no_bitmap || !rng.one_in(8);
        column.push_back({valid ? random_value(input.elem, rng) : garbage(rng), valid});
      }
      data.inputs.push_back(std::move(column));
      data.no_bitmap.push_back(no_bitmap);
    }
    all.push_back(std::move(data));
  }
  return all;
}

}  // namespace pmjit::tests
