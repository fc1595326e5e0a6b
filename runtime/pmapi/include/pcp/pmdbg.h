/* Sources of old include it; flags for debugging are in pcp/pmapi.h. */
#ifndef PCP_PMDBG_H
#define PCP_PMDBG_H
#endif
