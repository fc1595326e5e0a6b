/* What a call of the PMAPI returns where it fails: one of these, or a negative errno.
 * pmErrStr() has the texts. Included by pcp/pmapi.h. Source: spec pmapi.md §4. */
#ifndef PCP_PMAPI_ERRORS_H
#define PCP_PMAPI_ERRORS_H

/* clang-format off */
#define PM_ERR_BASE2 12345
#define PM_ERR_BASE PM_ERR_BASE2

#define PM_ERR_GENERIC (-PM_ERR_BASE - 0) /* Generic error, already reported above */
#define PM_ERR_PMNS (-PM_ERR_BASE - 1)    /* Problems parsing PMNS definitions */
#define PM_ERR_NOPMNS (-PM_ERR_BASE - 2)  /* PMNS not accessible */
#define PM_ERR_DUPPMNS (-PM_ERR_BASE - 3) /* Attempt to reload the PMNS */
#define PM_ERR_TEXT (-PM_ERR_BASE - 4)    /* One-line or help text is not available */
#define PM_ERR_APPVERSION \
  (-PM_ERR_BASE - 5) /* Metric not supported by this version of monitored application */
#define PM_ERR_VALUE (-PM_ERR_BASE - 6)    /* Missing metric value(s) */
#define PM_ERR_TIMEOUT (-PM_ERR_BASE - 8)  /* Timeout waiting for a response from PMCD */
#define PM_ERR_NODATA (-PM_ERR_BASE - 9)   /* Empty archive log file */
#define PM_ERR_RESET (-PM_ERR_BASE - 10)   /* PMCD reset or configuration change */
#define PM_ERR_NAME (-PM_ERR_BASE - 12)    /* Unknown metric name */
#define PM_ERR_PMID (-PM_ERR_BASE - 13)    /* Unknown or illegal metric identifier */
#define PM_ERR_INDOM (-PM_ERR_BASE - 14)   /* Unknown or illegal instance domain identifier */
#define PM_ERR_INST (-PM_ERR_BASE - 15)    /* Unknown or illegal instance identifier */
#define PM_ERR_UNIT (-PM_ERR_BASE - 16)    /* Illegal pmUnits specification */
#define PM_ERR_CONV (-PM_ERR_BASE - 17)    /* Impossible value or scale conversion */
#define PM_ERR_TRUNC (-PM_ERR_BASE - 18)   /* Truncation in value conversion */
#define PM_ERR_SIGN (-PM_ERR_BASE - 19)    /* Negative value in conversion to unsigned */
#define PM_ERR_PROFILE (-PM_ERR_BASE - 20) /* Explicit instance identifier(s) required */
#define PM_ERR_IPC (-PM_ERR_BASE - 21)     /* IPC protocol failure */
#define PM_ERR_EOF (-PM_ERR_BASE - 23)     /* IPC channel closed */
#define PM_ERR_NOTHOST \
  (-PM_ERR_BASE - 24)                   /* Operation requires context with host source of metrics */
#define PM_ERR_EOL (-PM_ERR_BASE - 25)  /* End of PCP archive log */
#define PM_ERR_MODE (-PM_ERR_BASE - 26) /* Illegal mode specification */
#define PM_ERR_LABEL \
  (-PM_ERR_BASE - 27) /* Illegal label record at start of a PCP archive log file */
#define PM_ERR_LOGREC (-PM_ERR_BASE - 28) /* Corrupted record in a PCP archive log */
#define PM_ERR_NOTARCHIVE \
  (-PM_ERR_BASE - 29) /* Operation requires context with archive source of metrics */
#define PM_ERR_LOGFILE (-PM_ERR_BASE - 30)     /* Missing PCP archive log file */
#define PM_ERR_NOCONTEXT (-PM_ERR_BASE - 31)   /* Attempt to use an illegal context */
#define PM_ERR_PROFILESPEC (-PM_ERR_BASE - 32) /* NULL pmInDom with non-NULL instlist */
#define PM_ERR_PMID_LOG (-PM_ERR_BASE - 33)    /* Metric not defined in the PCP archive log */
#define PM_ERR_INDOM_LOG \
  (-PM_ERR_BASE - 34) /* Instance domain identifier not defined in the PCP archive log */
#define PM_ERR_INST_LOG \
  (-PM_ERR_BASE - 35) /* Instance identifier not defined in the PCP archive log */
#define PM_ERR_NOPROFILE (-PM_ERR_BASE - 36)  /* Missing profile - protocol botch */
#define PM_ERR_NOAGENT (-PM_ERR_BASE - 41)    /* No PMCD agent for domain of request */
#define PM_ERR_PERMISSION (-PM_ERR_BASE - 42) /* No permission to perform requested operation */
#define PM_ERR_CONNLIMIT (-PM_ERR_BASE - 43)  /* PMCD connection limit for this host exceeded */
#define PM_ERR_AGAIN (-PM_ERR_BASE - 44)      /* Try again. Information not currently available */
#define PM_ERR_ISCONN (-PM_ERR_BASE - 45)     /* Already Connected */
#define PM_ERR_NOTCONN (-PM_ERR_BASE - 46)    /* Not Connected */
#define PM_ERR_NEEDPORT (-PM_ERR_BASE - 47)   /* A non-null port name is required */
#define PM_ERR_NONLEAF (-PM_ERR_BASE - 49)    /* Metric name is not a leaf in PMNS */
#define PM_ERR_TYPE (-PM_ERR_BASE - 52)       /* Unknown or illegal metric type */
#define PM_ERR_THREAD \
  (-PM_ERR_BASE - 53) /* Operation not supported for multi-threaded applications */
#define PM_ERR_NOCONTAINER (-PM_ERR_BASE - 54) /* Container not found */
#define PM_ERR_BADSTORE (-PM_ERR_BASE - 55)    /* Bad input to pmstore */
#define PM_ERR_LOGOVERLAP (-PM_ERR_BASE - 56)  /* Archives overlap in time */
#define PM_ERR_LOGHOST (-PM_ERR_BASE - 57)     /* Archives differ by host */
#define PM_ERR_LOGCHANGETYPE \
  (-PM_ERR_BASE - 59) /* The type of a metric has changed in an archive */
#define PM_ERR_LOGCHANGESEM \
  (-PM_ERR_BASE - 60) /* The semantics of a metric has changed in an archive */
#define PM_ERR_LOGCHANGEINDOM \
  (-PM_ERR_BASE - 61) /* The instance domain of a metric has changed in an archive */
#define PM_ERR_LOGCHANGEUNITS \
  (-PM_ERR_BASE - 62) /* The units of a metric have changed in an archive */
#define PM_ERR_NEEDCLIENTCERT (-PM_ERR_BASE - 63) /* PMCD requires a client certificate */
#define PM_ERR_BADDERIVE (-PM_ERR_BASE - 64)      /* Derived metric definition failed */
#define PM_ERR_NOLABELS (-PM_ERR_BASE - 65)       /* No support for metric label metadata */
#define PM_ERR_PMDAFENCED \
  (-PM_ERR_BASE - 66) /* PMDA is currently fenced and unable to respond to requests */
#define PM_ERR_RECTYPE (-PM_ERR_BASE - 67) /* Incorrect record type in an archive */
#define PM_ERR_FEATURE (-PM_ERR_BASE - 68) /* Archive feature not supported */
#define PM_ERR_TLS (-PM_ERR_BASE - 69)     /* TLS protocol failure */
#define PM_ERR_BOTCH (-PM_ERR_BASE - 97)   /* Internal inconsistency detected or assertion failed */
#define PM_ERR_TOOSMALL (-PM_ERR_BASE - 98)       /* Insufficient elements in list */
#define PM_ERR_TOOBIG (-PM_ERR_BASE - 99)         /* Result size exceeded */
#define PM_ERR_FAULT (-PM_ERR_BASE - 100)         /* QA fault injected */
#define PM_ERR_PMDAREADY (-PM_ERR_BASE - 1048)    /* PMDA is now responsive to requests */
#define PM_ERR_PMDANOTREADY (-PM_ERR_BASE - 1049) /* PMDA is not yet ready to respond to requests \
                                                   */
#define PM_ERR_NYI (-PM_ERR_BASE - 8999)          /* Functionality not yet implemented */

#endif /* PCP_PMAPI_ERRORS_H */
