// Streams the whole event log to the operator, for full exports while the server runs.

import { z } from 'zod'
import { eventAnswer } from '../../queries/events.ts'
import { wholeLog } from '../../queries/whole-log.ts'
import { VERSION } from '../../runtime/version.ts'
import { fields } from '../fields.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import { accessRecheck } from './access-recheck.ts'
import type { RouteDeps } from './deps.ts'
import { eventShape } from './event-shapes.ts'
import { requireKnownPosition } from './known-position.ts'

const POSITION_MAX_CHARACTERS = 64

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
      summary: 'Read the event log of all games: one line about the log, then one event per line',
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
