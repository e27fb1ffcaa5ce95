"""Writes records through every format: the memory that a tenth of them takes is all that they take, and ten thousand with
long descriptions take no more.

    flat.py YTHOST RECORDS [FORMAT…]

Prints a line a format. Exit code 1 when one of them grew, failed, or took more memory than a run may.
"""
import json, pathlib, subprocess, sys, time

ythost, records = sys.argv[1], int(sys.argv[2])
plugins = pathlib.Path(__file__).resolve().parents[2] / "plugins"
formats = sys.argv[3:] or sorted(path.stem for path in plugins.glob("*.lua"))

# KB: what a format may take, and what it may take more for all records than for a tenth. Feeds remember names.
MOST, MORE = 24 << 10, 8 << 10


def block(number, description=None):
    return "".join(json.dumps({
        "ythost": 1, "provider": "youtube", "id": f"id{i:09}", "kind": "video",
        "url": f"https://www.youtube.com/watch?v=id{i:09}", "title": f"A title of a usual length, number {i}",
        "channel": {"id": f"UC{i % 50:022}", "title": "A channel"}, "published": "2024-07-01T12:00:00Z",
        "duration": i % 5000, "views": i, "description": description, "extra": {"media": [{"url": f"https://example.org/{i}.mp3"}]},
    }) + "\n" for i in range(number * 1000, number * 1000 + 1000)).encode()


def peak(process):
    """The most memory that the command or its worker ever had, in KB."""
    children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
    marks = []
    for one in [process, *children]:
        for line in pathlib.Path(f"/proc/{one}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                marks.append(int(line.split()[1]))
    return max(marks)


def run(name, blocks, description=None):
    """The highest marks after a tenth of the blocks and at the end, the exit code, and what was said."""
    marks = []
    process = subprocess.Popen(
        [ythost, "run", name, "-", "--quiet", "--budget", "output=none,cpu=none,wall=none"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        for number in range(blocks):
            process.stdin.write(block(number, description))
            if number in (blocks // 10, blocks - 1):
                marks.append(peak(process.pid))
        process.stdin.close()
    except BrokenPipeError:
        pass
    errors = process.stderr.read().decode(errors="replace").strip()
    return marks, process.wait(), errors


bad = 0
for name in formats:
    start = time.monotonic()
    marks, code, errors = run(name, records // 1000)
    is_bad = code != 0 or len(marks) < 2 or marks[1] > MOST or marks[1] - marks[0] > MORE
    long, code, more = run(name, 10, "a long description " * 250)
    is_bad = is_bad or code != 0 or len(long) < 2 or long[1] > MOST
    bad += is_bad
    taken = time.monotonic() - start
    print(f"{name:10} {'GREW' if is_bad else 'flat'} {marks} KB, long {long[-1:]} KB, {taken:.0f} s {errors[:200]}{more[:200]}",
          flush=True)
sys.exit(bad > 0)
