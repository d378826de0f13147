"""Reads a site through a client that openapi-python-client has generated, and prints what it found as JSON."""

import json
import sys

from lobbystats_client import Client
from lobbystats_client.api.games import get_game_by_name, list_games
from lobbystats_client.api.leaderboards import get_leaderboard, list_changes
from lobbystats_client.api.search import search_by_time
from lobbystats_client.api.site import get_now
from lobbystats_client.models import Error, GetNowTime

base_url, title_id, leaderboard_id = sys.argv[1:]

with Client(base_url=base_url) as client:
    games = list_games.sync(client=client, limit=3)
    board = get_leaderboard.sync(title_id, int(leaderboard_id), client=client, limit=2, offset=1)
    found = search_by_time.sync(client=client, time="1:00", tolerance=60000, limit=2)
    missing = get_game_by_name.sync_detailed("no such game", client=client)
    assert isinstance(missing.parsed, Error)
    now = get_now.sync(client=client, time=GetNowTime.ISO)
    changes = list_changes.sync(client=client, limit=1)

print(
    json.dumps(
        {
            "games": [game.name for game in games.games],
            "total": games.total,
            "ranks": [entry.rank for entry in board.entries],
            "players": [entry.name for entry in board.entries],
            "found": [row.time_ms for row in found.results],
            "missing": [missing.status_code, missing.parsed.error],
            "slot": now.slot,
            "changesHaveMore": changes.has_more,
        }
    )
)
