/* Debian's demo procmemstat calls pmParseUnitsStr() as PCP had it before 6.0.3, with three
 * arguments. Included in front of it, this lets it compile unchanged. */
#include "pmapi.h"
static char* procmemstat_message;
#define pmParseUnitsStr(text, units, multiplier) \
  (pmParseUnitsStr)(text, units, multiplier, &procmemstat_message)
