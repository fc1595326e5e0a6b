#include "compiler/interp/interp.h"

#include <optional>
#include <vector>

#include "compiler/interp/body.h"
#include "compiler/interp/with_elem.h"

namespace pmjit {

namespace {

using interp::Body;
using interp::Call;
using interp::lane;
using interp::Workspace;

bool is_absent(const interp::LaneValues& in) {
  return in.valid != nullptr && !bits::get(in.valid, 0);
}

// PCP_COUNTER_WRAP is set, and for a counter that can.
bool may_wrap(const KernelOp& op) { return op.payload != 0 && !is_float(op.elems[0]); }

// A past operator: did the operand fall?
bool fell(const Call& call) {
  bool out = false;
  interp::with_number(call.op.elems[0],
                      [&]<class A>(A) { out = lane<A>(call.in[0], 0) < lane<A>(call.in[1], 0); });
  return out;
}

// All operands have a value, and the operator gives none.
Reason own_reason(const Call& call) {
  switch (call.op.op) {
    case Op::lt:
    case Op::le:
    case Op::eq:
    case Op::ge:
    case Op::gt:
    case Op::ne: return kNotANumber;
    case Op::rate:
    case Op::delta:
      if (call.op.counter && !may_wrap(call.op) && fell(call)) return kReset;
      return call.op.op == Op::rate ? kNoTime : kOverflow;
    default: return kOverflow;
  }
}

class BlameOfBody final : public Blame {
 public:
  explicit BlameOfBody(Body body) : body_(std::move(body)) {}

  Blamed of(const KernelFrame& frame) const override {
    Workspace room;
    room.prepare(body_, frame, bits::words_for(1) * 64);
    run_tile(body_, frame, room, 0, 1);
    size_t at = body_.ops.size() - 1;
    while (true) {
      const Call call = call_of(body_, frame, room, at, 0, 1);
      const std::optional<size_t> absent = first_absent(call);
      if (!absent) return {.reason = own_reason(call)};
      const Place place = call.op.places[*absent];
      if (place.kind == Place::Kind::input) return {.input = static_cast<int32_t>(place.index)};
      at = place.index;
    }
  }

 private:
  static std::optional<size_t> first_absent(const Call& call) {
    if (call.op.op == Op::pick && !is_absent(call.in[0])) {
      const size_t picked = *lane<uint8_t>(call.in[0], 0) != 0 ? 1 : 2;
      return is_absent(call.in[picked]) ? std::optional(picked) : std::nullopt;
    }
    const size_t first = call.op.op == Op::earlier ? 1 : 0;
    for (size_t k = first; k < call.op.operands; ++k) {
      if (is_absent(call.in[k])) return k;
    }
    return std::nullopt;
  }

  Body body_;
};

}  // namespace

std::shared_ptr<const Blame> make_blame(const Ir& ir, const KernelSpec& spec) {
  return std::make_shared<const BlameOfBody>(shape_of(ir, spec));
}

}  // namespace pmjit
