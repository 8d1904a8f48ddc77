// Leaderboards and changes of their rules in the OpenAPI document.

import type { OperationGroup } from './operation.ts'

const BOARD = '/api/lb/:leaderboard/'

export const LEADERBOARDS: OperationGroup = {
  name: 'Leaderboards',
  description: 'Leaderboards, their rules, and rule changes on live leaderboards.',
  operations: {
    'POST /api/gm/:game/lb/': {
      id: 'createLeaderboard',
      description:
        'On a unique leaderboard (the default) each player has one entry; on another one every submission is an entry. `keep` says what ' +
        'the entry of a unique one shows: `best` (the default) the best submission, `latest` the last one, `total` the exact sums of ' +
        'scores and of secondary scores, with the name and the extra data of the last one. `min_score` and `max_score` apply to each ' +
        'submission, never to a total: what is outside is refused. With `total` so are scores and secondary scores of 10^24 or more, or ' +
        '-10^24 or less, and a submission that would bring a total to 10^30 or -10^30. With a `key`, such as `weekly`, calls may name the ' +
        'leaderboard by it, so that a game need not know the id. With `seasons`, such as `{"cron": "weekly", "time_zone": "Europe/Berlin"}`, ' +
        'it also has a ranking for each season; the first one begins now.',
    },
    'GET /api/gm/:game/lb/': {
      id: 'listLeaderboards',
      description:
        'The leaderboards of a game in the order of their creation, without archived ones. Game clients may call it too: new client ' +
        'keys hold its permission.',
    },
    [`GET ${BOARD}`]: {
      id: 'getLeaderboard',
      description:
        'Its name, rules and number of entries, now or at a past instant. The ETag covers what a tenant sets, not the number of entries.',
    },
    [`PUT ${BOARD}`]: {
      id: 'updateLeaderboard',
      description:
        'Fields that are left out keep their values. A new name, description or key applies at once (200); every node knows a new key within 2 s. Other rules, `keep` among them, ' +
        'start a rebuild (202): all entries are recomputed from what was recorded, beside the active ones, and all reads switch at once ' +
        'when that is complete. Nothing is lost: to undo it, change the rules back. `unique: false` on a leaderboard that keeps the latest ' +
        'or the total needs `keep: "best"` in the same call. Other `seasons` (200) end the open season now and begin the next; closed ' +
        'ones stay as they are. They cannot be sent with other rules.',
    },
    [`GET ${BOARD}seasons/`]: {
      id: 'listSeasons',
      description:
        'Newest first. A season is open until its end has passed and it is closed, at most 10 s later; submissions join the next one from ' +
        'the end on. `players` and `entries` are as they are now. Empty for a leaderboard that never had seasons.',
    },
    [`DELETE ${BOARD}`]: {
      id: 'archiveLeaderboard',
      description: 'No answer shows the leaderboard afterwards. Its history is kept and can still be read as events.',
    },
    [`POST ${BOARD}preview/`]: {
      id: 'previewRules',
      description:
        'Computes how the leaderboard would look under the given rules: how many entries it would have, how many would change, and ' +
        'the top 20 with their ranks before and after. It changes nothing. A page with an `offset` continues the list that the last preview ' +
        'of the same rules without one began, for 10 minutes. `summary=1` adds how many players move, enter and leave, and the first three.',
    },
    [`GET ${BOARD}rebuild/`]: {
      id: 'getRebuild',
      description: 'The progress of the running rebuild or the outcome of the last one, counted in recorded events.',
    },
    [`POST ${BOARD}rebuild/`]: {
      id: 'startRebuild',
      description: 'Recomputes every entry from the log under the rules in force, beside the entries in use.',
    },
    [`DELETE ${BOARD}rebuild/`]: {
      id: 'cancelRebuild',
      description:
        'Stops the running rebuild; the entries and the rules in force stay. A finished rebuild does not change.',
    },
  },
}
