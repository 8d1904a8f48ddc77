// Streams what a backup of embedded stores needs, while the server runs: the log as stored and the encrypted secrets.
// Personal text and secrets stay encrypted; the master key, which opens them, never leaves the server.

import { z } from 'zod'
import { Refusal } from '../../domain/decider.ts'
import { count, fields, isoTime } from '../fields.ts'
import { linesBody, ndjsonChunks, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import { accessRecheck, type BackupRouteDeps, type RouteDeps } from './deps.ts'
import { revisionFaultsShape } from './system-shapes.ts'

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

const placeShape = fields({ position: z.string(), stream: z.string(), revision: count }).meta({
  id: 'RepairedRevision',
})

const lineShape = z
  .union([
    fields({
      checked: fields({
        events: count.meta({ description: 'Events whose revisions were checked before the log is sent: progress.' }),
      }),
    }).meta({ id: 'BackupChecked' }),
    fields({
      faulty: revisionFaultsShape.meta({
        description: 'Revisions of the log have gaps or duplicates: nothing follows.',
      }),
    }).meta({ id: 'BackupFaulty' }),
    fields({
      log: fields({
        installation: z.string().meta({ description: 'Identifies the installation.' }),
        version: z.string(),
        time: isoTime.meta({ description: 'The time of the server before `head` was read.' }),
        head: z.string().nullable().meta({ description: 'Position of the last event in this answer.' }),
        anchor: z.string().nullable().meta({ description: 'Id of the event at `from`; null if there is none.' }),
        continues: z.boolean().optional().meta({
          description: 'With `after`: whether this installation made its code. If not, no events and secrets follow.',
        }),
        repaired: z.array(placeShape).meta({
          description: 'Of each repair of the log, an event whose revision it changed, with the present one.',
        }),
      }),
    }).meta({ id: 'BackupLog' }),
    fields({ event: storedEventShape }).meta({ id: 'BackupEvent' }),
    fields({
      chunk: fields({
        after: z.string().nullable(),
        last: z.string(),
        last_id: z.string(),
        events: count,
        lines_sha256: z.string().meta({ description: 'SHA-256 of the events as lines.' }),
        games: z.array(z.string()).nullable(),
        clear: z.boolean(),
        code: z.string().meta({ description: 'Authentication code of the log up to here.' }),
      }).meta({ description: 'With `after`: ends a chunk of the log.' }),
    }).meta({ id: 'BackupChunk' }),
    fields({
      secret: fields({
        kind: z.string(),
        id: z.string(),
        value: z.string().meta({ description: 'Encrypted under the master key, base64.' }),
      }),
    }).meta({ id: 'BackupSecret' }),
    fields({
      end: fields({
        events: count,
        secrets: count,
        backup: fields({
          events: count,
          until: isoTime.nullable(),
          log_chain: z.string().meta({ description: 'Hash chain of the log.' }),
          secrets_sha256: z.string().meta({ description: 'SHA-256 of the secrets as lines.' }),
          key: z.string().meta({ description: 'Key for the code of the manifest of this backup.' }),
        })
          .optional()
          .meta({ description: 'With `after`.' }),
      }),
    }).meta({ id: 'BackupEnd' }),
  ])
  .meta({ id: 'BackupLine' })

/** In `after`: everything follows. */
const BEGINNING = 'beginning'
const AFTER = /^(?:beginning|[0-9a-f-]{1,64}_[0-9]{1,15}_[0-9a-f]{64}_[0-9a-f]{64})$/

const queryShape = fields({
  from: z.string().max(POSITION_MAX_CHARACTERS).optional().meta({
    description: 'A position from an event: sends the events after it; none if `anchor` is null.',
  }),
  after: z
    .string()
    .regex(AFTER, 'must be `beginning`, or `<last>_<events>_<chain>_<code>` of a chunk')
    .optional()
    .meta({
      description:
        'Sends authentication codes too, and events after this instead of those after `from`: `beginning`, or the end of a chunk as ' +
        '`<last>_<events>_<chain>_<code>`: its last position, the number of events up to it, the hash chain, and its code.',
    }),
})

/** One backup at a time: a second one would double the load and help nobody. */
export function backupRoutes(deps: Pick<RouteDeps, 'backup' | 'mayStill'>): Route[] {
  const { backup } = deps
  let isRunning = false
  return [
    route({
      method: 'GET',
      path: '/api/sys/backup/',
      summary: 'Read what a backup needs',
      needs: { permission: 'sys:games' },
      tenantOnly: true,
      records: false,
      isOff: backup === null,
      query: queryShape,
      answers: { 200: lineShape },
      lines: true,
      refusals: ['backup_running'],
      async handle(call) {
        if (backup === null) throw new Refusal('not_found', 'not_found', 'This server keeps its data on other servers.')
        if (isRunning) {
          const detail = 'This server is already being backed up. Wait until it is done.'
          throw new Refusal('conflict', 'backup_running', detail)
        }
        const request = requestOf(call.query)
        isRunning = true
        const body = linesBody((ending) => chunks(backup, request, ending), {
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

function requestOf({ after, ...query }: z.output<typeof queryShape>): Parameters<Backup>[0] {
  const from = query.from ?? null
  if (after === undefined) return { from, coded: null }
  if (after === BEGINNING) return { from, coded: { after: null } }
  const [last = '', events = '', chain = '', code = ''] = after.split('_')
  return { from, coded: { after: { last, events: Number(events), chain, code } } }
}

type Backup = NonNullable<BackupRouteDeps>

async function* chunks(backup: Backup, request: Parameters<Backup>[0], ending: AbortSignal) {
  for await (const lines of backup(request, ending)) yield* ndjsonChunks(lines)
}
