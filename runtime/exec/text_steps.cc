// Steps between texts, numbers and truths: encode gives a text its number in the dictionary of the
// evaluation, decode the text of a number, equals compares with one text. In between kernels
// compare and pick numbers. The dictionary has every text that was encoded, until the evaluation
// ends.

#include <cstring>

#include "runtime/exec/state.h"

namespace pmjit {

namespace {

// convert(to, i, from): value i of the slot's column from the bytes of the input's.
template <class Convert>
void each_value(ExecState& state, const Step& step, Convert convert) {
  each_row(state, step, [&](Series& out, const InputRow& input, Row row) {
    const Column& in = *input.column;
    const size_t bytes = elem_bytes(in.elem);
    const uint64_t lanes = state.rosters.size(row.roster_id);
    const uint64_t first = out.column.grow(lanes);
    for (uint64_t lane = 0; lane < lanes; ++lane) {
      const uint64_t from = row.offset + lane;
      if (in.is_valid(from)) {
        convert(out.column, first + lane, in, in.values.data() + from * bytes);
      } else {
        out.column.mark_invalid(first + lane, 1);
      }
    }
    row.offset = first;
    out.column.rows.push_back(row);
    out.offered.push_back(input.offered);
  });
}

}  // namespace

void run_encode(ExecState& state, const Step& step) {
  each_value(state, step, [&](Column& to, uint64_t i, const Column& from, const std::byte* at) {
    uint32_t index = 0;
    std::memcpy(&index, at, sizeof(index));
    to.values.as<int64_t>()[i] = state.texts.add(from.dictionary[index]);
  });
}

void run_equals(ExecState& state, const Step& step) {
  each_value(state, step, [&](Column& to, uint64_t i, const Column& from, const std::byte* at) {
    uint32_t index = 0;
    std::memcpy(&index, at, sizeof(index));
    to.values.as<uint8_t>()[i] = from.dictionary[index] == step.literal ? 1 : 0;
  });
}

void run_decode(ExecState& state, const Step& step) {
  each_value(state, step, [&](Column& to, uint64_t i, const Column&, const std::byte* at) {
    int64_t number = 0;
    std::memcpy(&number, at, sizeof(number));
    to.values.as<uint32_t>()[i] = to.dictionary.add(state.texts[static_cast<uint32_t>(number)]);
  });
}

}  // namespace pmjit
