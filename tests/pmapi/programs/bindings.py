"""PCP's bindings for Python on a library: contexts, options, fetches, errors, constants.

    bindings.py ARCHIVE METRIC
"""

import ctypes
import sys

import cpmapi
from pcp import pmapi

ARCHIVE, METRIC = sys.argv[1:3]


def promise(row, holds, *said):
    print(row, bool(holds), *said)


def imports():
    """Not pcp.pmgui: it opens libpcp_gui, which comes with recording."""
    promise("python.imports", pmapi.pmContext is not None and cpmapi.PM_TYPE_32 == 0)


def contexts():
    context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, ARCHIVE)
    handle = context.ctx
    promise("python.context", handle >= 0 and pmapi.pmContext.pmWhichContext() == handle)
    del context
    try:
        pmapi.pmContext.pmWhichContext()
        promise("python.context", False)
    except pmapi.pmErr as error:
        promise("python.context", error.args[0] == cpmapi.PM_ERR_NOCONTEXT)


def options():
    opts = pmapi.pmOptions("a:t:s:")
    opts.pmSetShortUsage("[options]")
    opts.pmSetLongOptionArchive()
    context = pmapi.pmContext.fromOptions(opts, ["tool", "-a", ARCHIVE, "-s", "3", "-t", "2sec"])
    promise("python.options", context.type == cpmapi.PM_CONTEXT_ARCHIVE)
    promise("python.options", opts.pmGetOptionSamples() == 3, opts.pmGetOptionInterval())
    return context


def fetches():
    context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, ARCHIVE)
    ids = context.pmLookupName((METRIC,))
    descs = context.pmLookupDescs(ids)
    result = context.pmFetch(ids)
    values = result.contents
    promise("python.fetch", len(ids) == 1 and values.get_numval(0) == 1)
    kind = descs[0].contents.type
    atom = context.pmExtractValue(values.get_valfmt(0), values.get_vlist(0, 0), kind,
                                  cpmapi.PM_TYPE_DOUBLE)
    print(kind, atom.d)
    desc = pmapi.pmDesc()
    desc.units = pmapi.pmUnits(0, 1, 0, 0, cpmapi.PM_TIME_SEC, 0)
    minutes = pmapi.pmUnits(0, 1, 0, 0, cpmapi.PM_TIME_MIN, 0)
    atom.d = 90.0
    scaled = context.pmConvScale(cpmapi.PM_TYPE_DOUBLE, atom, [ctypes.pointer(desc)], 0, minutes)
    promise("python.fetch", scaled.d == 1.5)
    context.pmFreeResult(result)


def exceptions(context):
    try:
        context.pmLookupName(("no.such",))
        promise("python.exceptions", False)
    except pmapi.pmErr as error:
        promise("python.exceptions", error.args[0] == cpmapi.PM_ERR_NAME)
        promise("python.exceptions", str(error).startswith("PM_ERR_NAME Unknown metric name"))
        promise("python.exceptions", error.message().startswith("Unknown metric name"))


def constants():
    promise("python.constants", (cpmapi.PM_TYPE_32, cpmapi.PM_TYPE_EVENT, cpmapi.PM_SEM_COUNTER,
                                 cpmapi.PM_MODE_INTERP, cpmapi.PM_MODE_FORW) == (0, 9, 1, 1, 2))
    names = [name for name in dir(cpmapi) if name.startswith("PM")]
    promise("python.constants", len(names) > 100, len(names),
            sum(isinstance(getattr(cpmapi, name), int) for name in names))


imports()
contexts()
opened = options()
fetches()
exceptions(opened)
constants()
