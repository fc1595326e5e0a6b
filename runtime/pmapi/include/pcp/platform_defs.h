/* What sources of PCP's clients expect of the platform: sizes, formats, and C headers that they use
 * without naming them. Included by pcp/pmapi.h. Source: spec pmapi.md §2. */
#ifndef PCP_PLATFORM_DEFS_H
#define PCP_PLATFORM_DEFS_H

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "platform_has.h"

/* A release as one number: 6.0.3 is 0x060003. */
#define PM_VERSION(a, b, c) (((a) << 16) | ((b) << 8) | (c))
#define PM_VERSION_CURRENT PM_VERSION(6, 0, 3)

/* Declarations of the library start with one of these: what a linker of another system wants. */
#define PCP_CALL
#define PCP_DATA

#define PM_SIZEOF_TIME_T 8
#if defined(__LP64__)
#define HAVE_64BIT_LONG 1
#define HAVE_64BIT_PTR 1
#define PM_SIZEOF_SUSECONDS_T 8
#define FMT_INT64 "ld"
#define FMT_UINT64 "lu"
#else
#define HAVE_32BIT_LONG 1
#define HAVE_32BIT_PTR 1
#define PM_SIZEOF_SUSECONDS_T 4
#define FMT_INT64 "lld"
#define FMT_UINT64 "llu"
#endif

/* Fields of structures from the most significant bit on: big-endian machines only. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HAVE_BITFIELDS_LTOR 1
#define HAVE_NETWORK_BYTEORDER 1
#endif

/* glibc names the unsigned types __uint32_t and so on, as here. */
#define HAVE_PRINTF_P_PFX 1
#define PRINTF_P_PFX ""
#define FMT_PID "d"
#define FMT_PTHREAD "lu"

#ifndef LONGLONG_MAX
#define LONGLONG_MAX 9223372036854775807LL
#endif
#ifndef ULONGLONG_MAX
#define ULONGLONG_MAX 18446744073709551615ULL
#endif

/* The last error of the system, of sockets and of look-ups of hosts, under names that also suit
 * systems which have no errno for them. */
#define oserror() errno
#define neterror() errno
#define hosterror() h_errno
#define setoserror(n) (errno = (n))
#define osstrerror() strerror(errno)
#define osstrerror_r(buf, len) pmErrStr_r(-errno, buf, len)
#define netstrerror() strerror(errno)
#define netstrerror_r(buf, len) pmErrStr_r(-errno, buf, len)
#define hoststrerror() hstrerror(h_errno)

/* Calls and types that differ from system to system. */
#define mkdir2(path, mode) mkdir(path, mode)
#define rename2(from, to) rename(from, to)
#define pipe1(fds) pipe(fds)
#define strtoint64 strtoll
#define strtouint64 strtoull
#define const_dirent const struct dirent
#ifndef flog10
#define flog10(x) (float)log10((double)(x))
#endif
#ifndef MAXNAMELEN
#define MAXNAMELEN FILENAME_MAX
#endif
#ifndef MAXPATHLEN
#define MAXPATHLEN PATH_MAX
#endif
#ifndef MAXDOMAINNAMELEN
#define MAXDOMAINNAMELEN 64
#endif
#ifndef MAXMACHINEIDLEN
#define MAXMACHINEIDLEN 256
#endif
#ifndef uint_t
#define uint_t unsigned int
#endif
typedef uid_t __pmUserID;
typedef gid_t __pmGroupID;
typedef socklen_t __pmSockLen;
typedef intptr_t __psint_t;

#endif /* PCP_PLATFORM_DEFS_H */
