"""What scripts that measure share: where the bench preset builds, archives."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def preset_folder(preset):
    return ROOT / "build" / preset


def run_quietly(command):
    """What it prints; ends this program where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"FAILED {' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def make_archive(base, options, build):
    """Once: it is there the second time."""
    if not pathlib.Path(f"{base}.meta").exists():
        base.parent.mkdir(parents=True, exist_ok=True)
        run_quietly([build / "bin/make_archive", base, *options.split()])
