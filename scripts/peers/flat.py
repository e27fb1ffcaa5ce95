"""Writes records through every format: the memory that a tenth of them takes is all that they take.

    flat.py YTHOST RECORDS [FORMAT…]

Prints a line a format. Exit code 1 when one of them grew, failed, or took more memory than a run may.
"""
import json, pathlib, subprocess, sys, time

ythost, records = sys.argv[1], int(sys.argv[2])
plugins = pathlib.Path(__file__).resolve().parents[2] / "plugins"
formats = sys.argv[3:] or sorted(path.stem for path in plugins.glob("*.lua"))

# KB: what a format may take, and what it may take more for all records than for a tenth. Feeds remember names.
MOST, MORE = 24 << 10, 8 << 10


def block(number):
    return "".join(json.dumps({
        "ythost": 1, "provider": "youtube", "id": f"id{i:09}", "kind": "video",
        "url": f"https://www.youtube.com/watch?v=id{i:09}", "title": f"A title of a usual length, number {i}",
        "channel": {"id": f"UC{i % 50:022}", "title": "A channel"}, "published": "2024-07-01T12:00:00Z",
        "duration": i % 5000, "views": i, "extra": {"media": [{"url": f"https://example.org/{i}.mp3"}]},
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


bad = 0
for name in formats:
    start, marks = time.monotonic(), []
    run = subprocess.Popen(
        [ythost, "run", name, "-", "--quiet", "--budget", "output=none,cpu=none,wall=none"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        for number in range(records // 1000):
            run.stdin.write(block(number))
            if number in (records // 10000, records // 1000 - 1):
                marks.append(peak(run.pid))
        run.stdin.close()
    except BrokenPipeError:
        pass
    errors = run.stderr.read().decode(errors="replace").strip()
    code = run.wait()
    is_bad = code != 0 or len(marks) < 2 or marks[1] > MOST or marks[1] - marks[0] > MORE
    bad += is_bad
    print(f"{name:10} {'GREW' if is_bad else 'flat'} {marks} KB, {time.monotonic() - start:.0f} s {errors[:200]}", flush=True)
sys.exit(bad > 0)
