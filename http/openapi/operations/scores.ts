// Scores in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const BOARD = '/api/lb/:leaderboard/'

export const SCORES: OperationGroup = {
  name: 'Scores',
  description: 'Submit scores, read ranks, at present and at any past instant.',
  operations: {
    [`GET ${BOARD}score/`]: {
      id: 'listScores',
      description:
        'A page of entries with their ranks. Select a time window by `since` and `until`, the surroundings of a player by `around`, ' +
        'a player’s own entries by `player`, or a past state by `as_of`. Ranks are counted inside the window; `player_name`, ' +
        '`min_score` and `max_score` filter the page and do not change ranks. A window selects entries by `updated`, so a player whose ' +
        'shown submission is older is missing; with `window=best` it ranks what each player’s submissions inside it show, by the `keep` of the ' +
        'leaderboard: for a weekly list, always send it. Pages of a leaderboard that changes may skip or repeat entries; send the same ' +
        '`as_of` with each page to read all of one state. `season` reads the ranking of one season; each row of a closed season has ' +
        '`final_rank`, its rank at the closing, also if others have left the ranking since.',
    },
    [`POST ${BOARD}score/`]: {
      id: 'submitScore',
      description:
        'Records the submission, also if it improves nothing, and answers the player’s entry with its rank: on a unique leaderboard ' +
        'their only one, on another one their best, which may be of an earlier submission. 201: this call created an entry, whose id is ' +
        '`submitted`; 200: it created none, and `submitted` is null. On a unique leaderboard a player’s first submission creates the entry, ' +
        'later ones keep its id; on another one each submission creates an entry. `improved`: the entry ranks better than before. ' +
        'Scores are decimal strings, so that no precision is lost. Call it with a player’s token, or ' +
        'with a server key that has `submit_for` and the `player` in the body. Send an Idempotency-Key: after a lost answer the ' +
        'repeated call is counted once. On a leaderboard that ever had seasons `season` says which one the submission joined, and the ' +
        'player’s rank in it.',
    },
    'POST /api/gm/:game/scores/': {
      id: 'submitScores',
      description:
        'Submits up to 500 scores of any players on any leaderboards of the game, such as all of a match. The results are in the same ' +
        'order: what `POST /api/lb/{leaderboard}/score/` would answer, or the status, code and detail with which it would refuse. One that is refused ' +
        'holds back no other. Needs `submit` on each leaderboard, and `submit_for`. Give each an `idempotency_key`, or the call an ' +
        'Idempotency-Key, and repeat it after a lost answer or a 503: what was recorded is answered again, what was refused is judged again. ' +
        'Counts as one call per 20 submissions. A body above 64 KiB needs a Content-Length.',
    },
    [`GET ${BOARD}history/`]: {
      id: 'getRankHistory',
      description:
        'Points in time with the rank and the score that the player had then, from their first submission to now. The points are the ' +
        'instants of the player’s own changes, filled up with evenly spaced ones.',
    },
    'GET /api/score/:score/': {
      id: 'getScore',
      description:
        'One entry of a leaderboard, now or at a past instant. The entry of a banned player is 404 during the ban.',
    },
    'DELETE /api/score/:score/': {
      id: 'deleteScore',
      description:
        'On a unique leaderboard it removes all submissions of the player, on another one only this entry. The history keeps what ' +
        'was submitted and that it was deleted.',
    },
    'GET /api/score/:score/why/': {
      id: 'explainScore',
      description:
        'The recorded events that led to this score, in log order: the rules, the submission that began it, each improvement (where the ' +
        'latest is kept, each replacement), and bans since; at most 1,000, the newest. Of a total, a page of the submissions that it ' +
        'counts, newest first, with `count` and `next_offset`.',
    },
  },
}
