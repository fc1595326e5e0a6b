/* Sources of old include it; what was here is in pcp/pmapi.h. */
#ifndef PCP_IMPL_H
#define PCP_IMPL_H
#endif
