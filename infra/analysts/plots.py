#!/usr/bin/env python3
"""Draws three plots of the network from InfluxDB, through the analysts' endpoint:

online.png  users online and open lobbies, by the hour
games.png   the ten games with the most users online
week.png    users online by weekday and hour (UTC)

pip install -r infra/analysts/requirements.txt
INFLUX=http://127.0.0.1:8087 TOKEN=$(cat ada.token) python3 infra/analysts/plots.py --days 7 --out plots
"""

import argparse
import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone

ATTEMPTS = 5
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def query(bucket, statement):
    """Returns the series of an InfluxQL query: {"tags": {}, "columns": [], "values": [[]]}. Waits after a 429."""
    search = urllib.parse.urlencode({"db": bucket, "epoch": "s", "q": statement})
    request = urllib.request.Request(
        f"{os.environ['INFLUX']}/query?{search}", headers={"Authorization": f"Token {os.environ['TOKEN']}"}
    )
    for attempt in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                body = json.load(response)
            break
        except urllib.error.HTTPError as error:
            if error.code != 429 or attempt + 1 == ATTEMPTS:
                raise RuntimeError(f"{error}: {error.read().decode()}: {statement}") from error
            time.sleep(int(error.headers.get("Retry-After", "10")))
    result = body["results"][0]
    # InfluxQL reports errors with status 200.
    if "error" in result:
        raise RuntimeError(f"{result['error']}: {statement}")
    return result.get("series", [])


def rows(series):
    return series[0]["values"] if series else []


def to_datetime(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc)


def plot_online(pyplot, hours):
    figure, axes = pyplot.subplots(figsize=(10, 4), layout="constrained")
    times = [to_datetime(row[0]) for row in hours]
    (online,) = axes.plot(times, [row[1] for row in hours], color="tab:blue", label="users online")
    axes.set(title="Users online and open lobbies, mean of each hour", ylabel="users online", ylim=(0, None))
    right = axes.twinx()
    (lobbies,) = right.plot(times, [row[2] for row in hours], color="tab:orange", label="open lobbies")
    right.set(ylabel="open lobbies", ylim=(0, None))
    axes.legend(handles=[online, lobbies], loc="lower left")
    axes.tick_params(axis="x", rotation=30)
    return figure


def plot_games(pyplot, means, names):
    top = sorted(means.items(), key=lambda item: item[1])[-10:]
    figure, axes = pyplot.subplots(figsize=(10, 4), layout="constrained")
    # "$" begins a formula in Matplotlib.
    axes.barh([names.get(title, title).replace("$", r"\$") for title, _ in top], [mean for _, mean in top])
    axes.set(title="Games with the most users online", xlabel="mean of users online")
    return figure


def plot_week(pyplot, hours):
    sums = [[[0, 0] for _ in range(24)] for _ in WEEKDAYS]
    for seconds, online, _ in hours:
        if online is not None:
            at = to_datetime(seconds)
            cell = sums[at.weekday()][at.hour]
            cell[0] += online
            cell[1] += 1
    means = [[total / count if count else float("nan") for total, count in day] for day in sums]
    figure, axes = pyplot.subplots(figsize=(10, 4), layout="constrained")
    image = axes.imshow(means, aspect="auto")
    axes.set(title="Users online by weekday and hour (UTC)", xlabel="hour", xticks=range(0, 24, 3))
    axes.set_yticks(range(7), WEEKDAYS)
    figure.colorbar(image, label="mean of users online")
    return figure


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=7, choices=range(1, 31), metavar="1..30", help="period (7)")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("plots"), help="directory of the files (plots)")
    options = parser.parse_args()
    missing = [name for name in ("INFLUX", "TOKEN") if not os.environ.get(name)]
    if missing:
        sys.exit(f"{' and '.join(missing)} must be set: the endpoint's address and a token, see docs/analysts.md")
    try:
        import matplotlib
    except ImportError:
        sys.exit("Matplotlib is missing: pip install -r infra/analysts/requirements.txt")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    period = f"time > now() - {options.days}d"
    hours = rows(query("snapshots", f"SELECT mean(online), mean(lobbies) FROM site WHERE {period} GROUP BY time(1h)"))
    titles = query("snapshots", f"SELECT mean(online) FROM title WHERE {period} GROUP BY titleId")
    names = query("daily", 'SELECT "name" FROM title_info GROUP BY titleId')
    if not hours or not titles:
        sys.exit(f"InfluxDB has no snapshots of the last {options.days} days")
    figures = {
        "online": plot_online(pyplot, hours),
        "games": plot_games(
            pyplot,
            {one["tags"]["titleId"]: one["values"][0][1] for one in titles},
            {one["tags"]["titleId"]: one["values"][-1][1] for one in names},
        ),
        "week": plot_week(pyplot, hours),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    for name, figure in figures.items():
        path = options.out / f"{name}.png"
        figure.savefig(path)
        print(f"{path}: {len(titles)} games" if name == "games" else f"{path}: {len(hours)} hours")


if __name__ == "__main__":
    main()
