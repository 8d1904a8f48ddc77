"""The story by the Python client, which has calls for files and none for rooms. The fixture is in SCOREBOOK_TEST."""

import json
import os

import httpx

from scorebook_client import ProblemError, Scorebook, key_of

fixture = json.loads(os.environ["SCOREBOOK_TEST"])
game, board, bucket = fixture["game"], fixture["board"], fixture["bucket"]

with Scorebook(fixture["url"], key_of(fixture["key"])) as scorebook:
    try:
        player = scorebook.sign_in_as_guest(game, guest_token=fixture["voidGuest"])
    except ProblemError as error:
        if error.code != "sign_in_rejected":
            raise
        player = scorebook.sign_in_as_guest(game, "Ada")
    entry = player.submit(board, "12.5")
    states = ",".join(one.state for one in player.seasons(board))
    current = ",".join(str(one.score) for one in player.top(board, season="current"))
    season = f"{entry.season.season} {entry.season.rank} {states} {current}" if entry.season else "none"
    around = player.top(board, limit=3, around=player.id)
    about = {"path": "/slot.bin", "size": 7}
    upload = player.call("POST", f"/api/bkt/{bucket}/upload/", body=about)
    httpx.put(upload["url"], content=b"level 3").raise_for_status()
    player.call("POST", f"/api/bkt/{bucket}/upload/{upload['upload_id']}/complete/")
    link = player.call("GET", f"/api/bkt/{bucket}/download/", query={"path": "/slot.bin"})["url"]
    told = {"rank": entry.rank, "around": [str(one.score) for one in around], "season": season}
    print(json.dumps({**told, "file": httpx.get(link).text}))
