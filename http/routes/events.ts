// Event history of a game as NDJSON, and the events behind a score.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { type EventsDeps, type EventsQuery, eventAnswer, eventPages } from '../../queries/events.ts'
import { explainScore } from '../../queries/explain-score.ts'
import { findBoard } from '../../queries/leaderboard.ts'
import { existingScore } from '../../queries/scores/read-score.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { fields, idText, inOrder, wholeNumber } from '../fields.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { type Answer, type Call, type Route, route } from '../route.ts'
import { sinceInstant, type Until, untilInstant } from '../time-fields.ts'
import { accessRecheck } from './access-recheck.ts'
import { ownGame, type RouteDeps } from './deps.ts'
import { eventLineShape, whyShape } from './event-shapes.ts'
import { requireKnownPosition } from './known-position.ts'
import { readCaller } from './read-caller.ts'
import { isReversed } from './scores-query.ts'

const LIMIT_MAX = 1_000_000
const POSITION_MAX_CHARACTERS = 64
const HEARTBEAT_EVERY_MS = 15_000

const isEventType = (text: string): boolean => EVENT_TYPES.some((type) => type === text)

const eventsQuery = fields({
  from: z
    .string()
    .max(POSITION_MAX_CHARACTERS, 'is not a position of this log: send one from an event or a heartbeat')
    .optional()
    .meta({ description: 'A position from an event or a heartbeat: sends the events after it.' }),
  since: sinceInstant.optional(),
  until: untilInstant.optional(),
  type: z
    .string()
    .refine(isEventType, `is not an event type. Known types: ${[...EVENT_TYPES].sort().join(', ')}`)
    .optional()
    .meta({ description: 'A type of event, such as ScoreSubmitted.' }),
  board: idText.optional().meta({ description: 'Only events of this leaderboard, by id, archived or not.' }),
  player: idText.optional().meta({ description: 'Only events of this player, by id.' }),
  request: idText.optional().meta({ description: 'The `X-Request-Id` of a call: the events that it recorded.' }),
  limit: wholeNumber(1, LIMIT_MAX, 'Maximum number of events. Default: all.').optional(),
  follow: z
    .literal('1', 'must be 1, or be left out')
    .optional()
    .meta({ description: 'Keeps the stream open: sends new events, and a heartbeat every 15 s.' }),
}).superRefine(inOrder<'since', 'until', string, Until>('since', 'until', isReversed))

type Query = z.output<typeof eventsQuery>

export function eventRoutes(deps: Pick<RouteDeps, 'commands' | 'queries' | 'mayStill' | 'events' | 'reads'>): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/gm/:game/events/',
      summary: 'Read the game’s history, one event per line, or follow it',
      needs: { permission: 'gm:{game}:history' },
      tenantOnly: true,
      records: false,
      query: eventsQuery,
      answers: { 200: eventLineShape },
      lines: true,
      refusals: [
        'conflicting_parameters',
        'leaderboard_not_found',
        'game_not_found',
        'position_unknown',
        'too_many_followers',
      ],
      async handle(call) {
        refuseConflicts(call.query)
        const { id: game } = await ownGame(deps, call.caller, call.params.game ?? '')
        return answer(deps, call, await queryOf(deps, game, call.query))
      },
    }),
    route({
      method: 'GET',
      path: '/api/score/:score/why/',
      summary: 'Explain a score: the events that produced it',
      needs: { permission: 'gm:{game}:history' },
      tenantOnly: true,
      records: false,
      answers: { 200: whyShape },
      refusals: ['score_not_found', 'reads_busy'],
      async handle(call) {
        const found = await existingScore(deps.queries, call.params.score ?? '', call.caller.game, true)
        const answer = (slices: TimeSlices) => explainScore(deps.commands.log, found, slices)
        return { status: 200, body: await deps.reads.of(readCaller(call))(answer) }
      },
    }),
  ]
}

function refuseConflicts({ from, since, until, follow }: Query): void {
  const clash = (pointer: string, with_: string) => {
    const detail = `\`${pointer}\` and \`${with_}\` cannot be combined: leave out one of them.`
    throw new Refusal('malformed', 'conflicting_parameters', detail, {
      errors: [{ pointer: `/${pointer}`, detail: `cannot be combined with ${with_}` }],
    })
  }
  if (from !== undefined && since !== undefined) clash('since', 'from')
  if (follow !== undefined && until !== undefined) clash('until', 'follow')
}

async function queryOf(
  { queries, events }: Pick<RouteDeps, 'queries' | 'events'>,
  game: string,
  query: Query,
): Promise<EventsQuery> {
  const { from, since, until, type, board, player, request, limit, follow } = query
  if (board !== undefined && (await findBoard(queries, board, true))?.game !== game) {
    throw new Refusal('not_found', 'leaderboard_not_found', 'There is no such leaderboard in this game.')
  }
  await requireKnownPosition(events, from)
  return {
    game,
    board: board ?? null,
    player: player ?? null,
    type: type ?? null,
    request: request ?? null,
    since: since ?? null,
    until: until?.before ?? null,
    after: from ?? null,
    limit: limit ?? Number.POSITIVE_INFINITY,
    follow: follow !== undefined,
  }
}

function answer(
  deps: Pick<RouteDeps, 'mayStill' | 'events'>,
  call: Call<Query, undefined>,
  requested: EventsQuery,
): Answer {
  const { events } = deps
  const { stopping, followers, heartbeatEveryMs = HEARTBEAT_EVERY_MS } = events
  const over = followers.enter(requested.game)
  const body = linesBody((ending) => eventLines(events, requested, heartbeatEveryMs, ending), {
    isStillAllowed: accessRecheck(deps, call, `gm:${requested.game}:history`),
    over,
    stopping: requested.follow ? stopping : undefined,
  })
  return { status: 200, body, headers: UNBUFFERED }
}

/** Events as lines; followed streams also get a heartbeat every `heartbeatEveryMs`. */
export async function* eventLines(
  deps: EventsDeps,
  requested: EventsQuery,
  heartbeatEveryMs: number,
  ending: AbortSignal,
): AsyncGenerator<string> {
  let nextHeartbeatMs = performance.now() + heartbeatEveryMs
  for await (const { events, upTo } of eventPages(deps, requested, ending)) {
    yield* ndjsonChunks(events.map(eventAnswer))
    if (!requested.follow || performance.now() < nextHeartbeatMs || upTo === null) continue
    nextHeartbeatMs = performance.now() + heartbeatEveryMs
    yield* ndjsonChunks([{ heartbeat: upTo }])
  }
}
