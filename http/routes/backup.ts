// Streams what a backup of embedded stores needs, while the server runs: the log as stored and the encrypted secrets. Personal
// text and secrets stay encrypted; the master key, which opens them, never leaves the server.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { count, fields, isoTime } from '../fields.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import { accessRecheck } from './access-recheck.ts'
import type { BackupRouteDeps, RouteDeps } from './deps.ts'
import { revisionFaultsShape } from './verify-shapes.ts'

const POSITION_MAX_CHARACTERS = 64

const storedEventShape = fields({
  position: z.string(),
  stream: z.string(),
  revision: count,
  id: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Personal text is encrypted.' }),
  meta: z.record(z.string(), z.unknown()),
}).meta({ id: 'StoredEvent' })

const placeShape = fields({ position: z.string(), stream: z.string(), revision: count })

const lineShape = z
  .union([
    fields({
      checked: fields({
        events: count.meta({ description: 'Events whose revisions were checked before the log is sent: progress.' }),
      }),
    }),
    fields({
      faulty: revisionFaultsShape.meta({ description: 'Revisions of the log have gaps or doubles: nothing follows.' }),
    }),
    fields({
      log: fields({
        installation: z.string().meta({ description: 'Identifies the installation.' }),
        version: z.string(),
        time: isoTime.meta({ description: 'The time of the server before `head` was read.' }),
        head: z.string().nullable().meta({ description: 'Position of the last event in this answer.' }),
        anchor: z.string().nullable().meta({ description: 'Id of the event at `from`; null if there is none.' }),
        repaired: z.array(placeShape).meta({
          description: 'Of each repair of the log, an event whose revision it changed, with the present one.',
        }),
      }),
    }),
    fields({ event: storedEventShape }),
    fields({
      secret: fields({
        kind: z.string(),
        id: z.string(),
        value: z.string().meta({ description: 'Encrypted under the master key, base64.' }),
      }),
    }),
    fields({ end: fields({ events: count, secrets: count }) }),
  ])
  .meta({ id: 'BackupLine' })

/** One backup at a time: a second one would double the load and help nobody. */
export function backupRoutes(deps: Pick<RouteDeps, 'backup' | 'mayStill'>): Route[] {
  const { backup } = deps
  let isRunning = false
  return [
    route({
      method: 'GET',
      path: '/api/sys/backup/',
      summary: 'Read what a backup needs: the event log as stored, then the encrypted secrets, one per line',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      isOff: backup === null,
      query: fields({
        from: z.string().max(POSITION_MAX_CHARACTERS).optional().meta({
          description: 'A position from an event: sends the events after it; none if `anchor` is null.',
        }),
      }),
      answers: { 200: lineShape },
      lines: true,
      refusals: ['backup_running'],
      async handle(call) {
        if (backup === null) throw new Refusal('not_found', 'not_found', 'This server keeps its data on other servers.')
        if (isRunning) {
          const detail = 'This server is already being backed up. Wait until it is done.'
          throw new Refusal('conflict', 'backup_running', detail)
        }
        isRunning = true
        const { from } = call.query
        const body = linesBody((ending) => chunks(backup, from ?? null, ending), {
          isStillAllowed: accessRecheck(deps, call, 'sys:games'),
          over: () => {
            isRunning = false
          },
        })
        return { status: 200, body, headers: UNBUFFERED }
      },
    }),
  ]
}

async function* chunks(backup: NonNullable<BackupRouteDeps>, from: string | null, ending: AbortSignal) {
  for await (const lines of backup(from, ending)) yield* ndjsonChunks(lines)
}
