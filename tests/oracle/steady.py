"""Whether the machine stood still while something was told that depends on times.

    wrong = steady.told("a host is killed", tell)    # tell() lists what is wrong

Programs that are late lose times, and say so; where a machine keeps all of them waiting their
outputs cannot be compared. Two things show it: sleeps of the watch that end late, and the share of
the time in which some program was ready and waited for a processor, which the kernel counts.
"""

import pathlib
import re
import threading
import time

TRIES, NAP, LATE, WAITED = 3, 0.02, 0.15, 0.5
PRESSURE = pathlib.Path("/proc/pressure/cpu")


def waited():
    """Seconds in which some program waited for a processor, since the machine started."""
    try:
        return int(re.search(r"some .*total=(\d+)", PRESSURE.read_text())[1]) / 1e6
    except OSError:
        return 0


class Watch:
    def __enter__(self):
        self.latest, self.share, self.ends = 0, None, threading.Event()
        self.begun, self.waited = time.monotonic(), waited()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def watch(self):
        before = time.monotonic()
        while not self.ends.wait(NAP):
            now = time.monotonic()
            self.latest = max(self.latest, now - before - NAP)
            before = now

    def __exit__(self, *_):
        self.ends.set()
        self.thread.join()
        self.share = self.share_now()

    def share_now(self):
        return (waited() - self.waited) / (time.monotonic() - self.begun)

    def stalled(self):
        """Why what was told meanwhile, or up to now, is not to be relied on; empty where it is."""
        share = self.share_now() if self.share is None else self.share
        if self.latest <= LATE and share <= WAITED:
            return ""
        return (f"a sleep ended {self.latest:.2f} s late, and programs waited for a processor in "
                f"{share:.0%} of the time")


def told(what, tell):
    """What is wrong says `tell()`. Where the machine stalled meanwhile it is called again, at most
    TRIES times; on a machine that did not, what is wrong is final."""
    for left in reversed(range(TRIES)):
        with Watch() as watch:
            wrong = tell()
        why = watch.stalled()
        if not wrong or not why or not left:
            return wrong
        print("\n".join(wrong) + f"\nagain, {TRIES - left} of {TRIES - 1} times: {what}: {why}",
              flush=True)


def section(wrong, checks, *arguments):
    """The same of checks(*arguments), which add to the list `wrong`."""
    before = len(wrong)

    def tell():
        del wrong[before:]
        checks(*arguments)
        return wrong[before:]
    told(checks.__name__, tell)


def catches(process, which):
    """Waits until the process catches the signal: until then it ends by it."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    ends = time.monotonic() + 60
    while time.monotonic() < ends and process.poll() is None:
        if int(re.search(r"SigCgt:\s+(\w+)", status.read_text())[1], 16) & 1 << which - 1:
            return
        time.sleep(NAP)


def rest_of(process):
    """What it prints and says behind the lines that were read: communicate() forgets those that
    came together with them."""
    with process:
        return process.stdout.read(), process.stderr.read()
