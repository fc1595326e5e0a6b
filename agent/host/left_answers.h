// Large answers of an agent are left in memory that the collector shares (answer_memory.h), and
// only a notice is sent. The agent's own library sends everything else.
//
//   leave_answers_in(descriptor);   // before the agent is opened
//   leave_answers_of(dispatch);     // once it is set up
#pragma once

#include "agent/interface/agent_object.h"

namespace pmjit {

// Maps the memory and closes `descriptor`, which no child of an agent is to have. Memory that
// cannot be had is no fault: all answers are sent then.
void leave_answers_in(int descriptor);
// From now on the function that fetches is ours, and calls the agent's.
void leave_answers_of(pmdaInterface& agent);

}  // namespace pmjit
