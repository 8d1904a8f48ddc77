// The overview of a game.

import { z } from 'zod'
import { DAYS_SHOWN, HOURS_SHOWN } from '../../queries/overview/counts.ts'
import { LISTED } from '../../queries/overview/overview.ts'
import { count, fields, isoTime } from '../fields.ts'
import { type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { entryOnBoardShape } from './players.ts'
import { readCaller } from './read-caller.ts'

const series = fields({
  hours: z
    .array(count)
    .length(HOURS_SHOWN)
    .meta({ description: 'Of each of the last 24 hours in UTC, the running one last.' }),
  days: z
    .array(count)
    .length(DAYS_SHOWN)
    .meta({ description: 'Of each of the last 30 days in UTC, the running one last.' }),
}).meta({ id: 'ActivitySeries' })

const unusualShape = entryOnBoardShape
  .extend({ reason: z.string().meta({ description: 'How far it is from the median, in words.' }) })
  .meta({ id: 'UnusualEntry' })

const actionShape = fields({
  time: isoTime,
  actor: z.string().meta({ description: 'The prefix of the key that did it.' }),
  actor_name: z.string().nullable().meta({ description: 'The name of that key.' }),
  type: z.string().meta({ description: 'The type of the event, such as PlayerBanned.' }),
  about: fields({
    kind: z.enum(['game', 'leaderboard', 'player', 'key', 'bucket']),
    id: z.string(),
    name: z.string().nullable().meta({ description: 'Its present name; null: none, or it was deleted.' }),
  }).meta({ id: 'ActionSubject' }),
}).meta({ id: 'Action' })

const overviewShape = fields({
  at: isoTime.meta({ description: 'When it was computed: at most a minute ago.' }),
  submissions: series.meta({ description: 'Recorded submissions, also those that improved nothing or were deleted.' }),
  players: series.meta({ description: 'Players who submitted.' }),
  firsts: z
    .array(entryOnBoardShape)
    .max(LISTED)
    .meta({ description: 'The present first of each leaderboard, the one set last first.' }),
  unusual: z
    .array(unusualShape)
    .max(LISTED)
    .meta({
      description:
        'Entries that changed in the last 24 hours, on the 20 leaderboards with the most submissions in that time, and are better than the ' +
        'median by more than 6 median absolute deviations. The farthest first.',
    }),
  actions: z.array(actionShape).max(LISTED).meta({ description: 'What people changed, newest first.' }),
  verified: fields({
    at: isoTime,
    equal: z.boolean().meta({ description: 'Whether the views matched the log.' }),
  })
    .meta({ id: 'Verification' })
    .nullable()
    .meta({ description: 'The last verification of the installation that ended; null: none.' }),
}).meta({ id: 'Overview' })

export const overviewRoute = (deps: Pick<RouteDeps, 'queries' | 'overviews' | 'verifying'>): Route =>
  route({
    method: 'GET',
    path: '/api/gm/:game/overview/',
    summary: 'Read what happens in a game',
    needs: { permission: 'gm:{game}:history' },
    tenantOnly: true,
    records: false,
    answers: { 200: overviewShape },
    refusals: ['game_not_found', 'rankings_filling', 'reads_busy'],
    async handle(call) {
      const { id: game } = await ownGame(deps, call.caller, call.params.game ?? '')
      const query = { game, nowMs: call.context.nowMs, requiredPosition: call.requiredPosition() }
      const overview = await deps.overviews(readCaller(call), query)
      return { status: 200, body: { ...overview, verified: await deps.verifying.last() } }
    },
  })
