// Event history of a game as NDJSON, the events behind a score, and the whole log for the operator.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { EVENT_TYPES } from '../../domain/event-types.ts'
import { boardIdOf } from '../../queries/board-key.ts'
import { type EventsDeps, type EventsQuery, eventAnswer, eventPages } from '../../queries/events.ts'
import { explainScore } from '../../queries/explain-score.ts'
import { findBoard } from '../../queries/leaderboard.ts'
import { existingScore } from '../../queries/scores/read-score.ts'
import { wholeLog } from '../../queries/whole-log.ts'
import type { TimeSlices } from '../../runtime/time-slices.ts'
import { VERSION } from '../../runtime/version.ts'
import {
  count,
  fields,
  id,
  idText,
  inOrder,
  isoTime,
  nextOffset,
  paging,
  sinceInstant,
  type Until,
  untilInstant,
  wholeNumber,
} from '../fields.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { malformed } from '../problem.ts'
import { type Answer, type Call, type Route, route } from '../route.ts'
import { accessRecheck, type RouteDeps } from './deps.ts'
import { ownGame } from './own.ts'
import { readCaller } from './read-caller.ts'
import { isReversed } from './scores-query.ts'

const eventShape = fields({
  position: z.string().meta({ description: 'Opaque position in the log; can be sent as `from`.' }),
  stream: z.string(),
  revision: count,
  id: z.string(),
  type: z.string(),
  time: isoTime,
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: 'Player names are decrypted; those of deleted players are null.' }),
  meta: z.record(z.string(), z.unknown()),
}).meta({ id: 'Event' })

const heartbeatShape = fields({
  heartbeat: z.string().meta({ description: 'All events up to this position have been sent. Can be sent as `from`.' }),
}).meta({ id: 'Heartbeat' })

const eventLineShape = z.union([eventShape, heartbeatShape]).meta({ id: 'EventLine' })

const whyShape = fields({
  score: id,
  leaderboard: id,
  player: id,
  hidden: z.boolean().meta({ description: 'Whether the score is hidden because the player is banned.' }),
  events: z.array(
    fields({
      effect: z.enum(['rules', 'removed', 'began', 'improved', 'replaced', 'counted', 'hidden', 'shown']).meta({
        description:
          'What the event did to this score, under the current rules. replaced: a later submission took the place of the one before, where ' +
          'the latest is kept. counted: the submission is part of the total.',
      }),
      event: eventShape,
    }).meta({ id: 'Explanation' }),
  ),
  left_out: count.meta({ description: 'How many of the oldest events are left out. Absent of a total.' }).optional(),
  count: count.meta({ description: 'Of a total: how many submissions are counted.' }).optional(),
  offset: count.optional(),
  limit: count.optional(),
  next_offset: nextOffset.optional(),
}).meta({ id: 'Why' })

const DETAIL = 'is not a position of this log, or is beyond its end: send one from an event or a heartbeat'

/**
 * Checks a position that a caller sends against the log. Throws 400: `position_unknown` for a position from before a
 * restore, `malformed` for other text.
 */
async function requireKnownPosition(
  { isPosition, isFromBeforeRestore }: Pick<EventsDeps, 'isPosition' | 'isFromBeforeRestore'>,
  position: string | undefined,
): Promise<void> {
  if (position === undefined || (await isPosition(position))) return
  if (await isFromBeforeRestore(position)) {
    throw new Refusal(
      'malformed',
      'position_unknown',
      'This position is from before this installation was restored from a backup. Read from the beginning.',
    )
  }
  throw malformed([{ pointer: '/from', detail: DETAIL }], 'The query')
}

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
  board: idText.optional().meta({
    description: 'Only events of this leaderboard: by id, archived or not, or by its key.',
  }),
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
      query: paging,
      answers: { 200: whyShape },
      refusals: ['score_not_found', 'reads_busy'],
      async handle(call) {
        const found = await existingScore(deps.queries, call.params.score ?? '', call.caller.game, true)
        const answer = (slices: TimeSlices) => explainScore(deps.commands.log, found, call.query, slices)
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
  const { from, since, until, type, player, request, limit, follow } = query
  const board = query.board === undefined ? undefined : await boardIdOf(queries, game, query.board)
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

// The whole event log for the operator, for full exports while the server runs.

const lineShape = z
  .union([
    fields({
      log: fields({
        installation: z
          .string()
          .meta({ description: 'Identifies the installation: a fingerprint of its root secret.' }),
        version: z.string(),
        head: z.string().nullable().meta({ description: 'Position of the last event in this answer.' }),
      }),
    }).meta({ id: 'LogHead' }),
    eventShape,
  ])
  .meta({ id: 'LogLine' })

export function wholeLogRoutes(deps: RouteDeps): Route[] {
  const { commands, events } = deps
  return [
    route({
      method: 'GET',
      path: '/api/sys/events/',
      summary: 'Read the event log of all games',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      query: fields({
        from: z
          .string()
          .max(POSITION_MAX_CHARACTERS, 'is not a position of this log: send one from an event')
          .optional()
          .meta({ description: 'A position from an event: sends the events after it.' }),
      }),
      answers: { 200: lineShape },
      lines: true,
      refusals: ['position_unknown', 'too_many_followers'],
      async handle(call) {
        const { from } = call.query
        await requireKnownPosition(events, from)
        const over = events.followers.enter('')
        const body = linesBody((ending) => lines(commands, from ?? null, ending), {
          isStillAllowed: accessRecheck(deps, call, 'sys:games'),
          over,
        })
        return { status: 200, body, headers: UNBUFFERED }
      },
    }),
  ]
}

async function* lines({ log, keys }: RouteDeps['commands'], from: string | null, ending: AbortSignal) {
  const head = await log.head()
  yield* ndjsonChunks([{ log: { installation: keys.installation, version: VERSION, head } }])
  for await (const events of wholeLog(log, from, head)) {
    if (ending.aborted) return
    yield* ndjsonChunks(events.map(eventAnswer))
  }
}
