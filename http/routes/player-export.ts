// Exports all data about one player, for data subject access requests.

import { z } from 'zod'
import { playerRecord } from '../../queries/player-record.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { count, fields, id, isoTime } from '../fields.ts'
import { linesBody, UNBUFFERED } from '../pipeline/lines.ts'
import { type Route, route } from '../route.ts'
import { accessRecheck, type RouteDeps } from './deps.ts'
import { fileShape, folderShape } from './file-shapes.ts'
import { playerOf } from './players.ts'
import { readCaller } from './read-caller.ts'
import { contentFields, scoreShape } from './score-fields.ts'
import { playerShape } from './shapes.ts'

const when = { time: isoTime }

const signInShape = fields({
  login: z.string().nullable().meta({ description: 'Null also if it was last used before version 0.2.0.' }),
  has_password: z.boolean(),
  email: z.string().nullable(),
  email_confirmed: z.boolean(),
  external_id: z.string().nullable(),
  has_guest_token: z.boolean(),
})

const submissionShape = fields({
  leaderboard: id,
  id,
  ...contentFields,
  ...when,
}).meta({ id: 'ExportedSubmission' })

const deletedScoreShape = fields({
  leaderboard: id,
  score: id,
  with_all_before: z
    .boolean()
    .meta({ description: 'Whether it also deleted all earlier submissions to that leaderboard.' }),
  ...when,
}).meta({ id: 'DeletedScore' })

const uploadShape = fields({
  id,
  bucket: id,
  path: z.string(),
  size: count,
  content_type: z.string(),
  sha256: z.string().nullable(),
  started: isoTime,
  expires: isoTime,
}).meta({ id: 'ExportedUpload' })

const exportShape = fields({
  player: playerShape,
  exported: fields({ game: id, ...when }),
  sign_in: signInShape,
  names: z.array(fields({ name: z.string().nullable(), since: isoTime }).meta({ id: 'ExportedName' })),
  bans: z.array(
    fields({ ...when, banned: z.boolean(), until: isoTime.nullable(), reason: z.string().nullable() }).meta({
      id: 'ExportedBan',
    }),
  ),
  sessions: z.array(
    fields({
      id,
      key: z.string().meta({ description: 'Prefix of the API key that started it.' }),
      permissions: z.array(z.string()),
      started: isoTime,
      expires: isoTime,
      ended: z.boolean(),
    }).meta({ id: 'ExportedSession' }),
  ),
  events: z.array(
    fields({
      position: z.string(),
      type: z.string(),
      ...when,
      leaderboard: id.nullable(),
      actor: z
        .string()
        .nullable()
        .meta({ description: 'Prefix of the API key of the call; null: the service itself.' }),
      data: z.record(z.string(), z.unknown()),
    }).meta({ id: 'ExportedEvent' }),
  ),
  entries: z.array(
    fields({ leaderboard: id, leaderboard_name: z.string(), hidden: z.boolean(), ...scoreShape.shape }).meta({
      id: 'ExportedEntry',
    }),
  ),
  submissions: z.array(submissionShape),
  deleted_scores: z.array(deletedScoreShape),
  folders: z.array(fields({ bucket: id, ...folderShape.shape }).meta({ id: 'ExportedFolder' })),
  files: z.array(
    fields({
      bucket: id,
      ...fileShape.shape,
      download: z.string().meta({ description: 'Path of the call that returns a download link.' }),
    }).meta({ id: 'ExportedFile' }),
  ),
  uploads: z.array(uploadShape),
}).meta({ id: 'PlayerExport' })

export function playerExportRoute(deps: Pick<RouteDeps, 'commands' | 'queries' | 'events' | 'mayStill'>): Route {
  return route({
    method: 'GET',
    path: '/api/gm/:game/players/:player/export/',
    summary: 'Export all recorded data about a player',
    needs: { permission: 'gm:{game}:players' },
    tenantOnly: true,
    records: false,
    answers: { 200: exportShape },
    refusals: ['too_many_followers'],
    async handle(call) {
      const player = await playerOf(deps, call.caller, call.params)
      const { queries, events, commands } = deps
      const { log, vault } = commands
      const over = events.followers.enter(player.game)
      const slices = new TimeSlices(undefined, readCaller(call).path)
      const sections = () => playerRecord({ queries, log, vault, slices }, player, events.now())
      const body = linesBody((ending) => jsonChunks(sections(), ending), {
        isStillAllowed: accessRecheck(deps, call, `gm:${player.game}:players`),
        over,
      })
      return { status: 200, body, headers: { 'Content-Type': 'application/json; charset=utf-8', ...UNBUFFERED } }
    },
  })
}

/** A field with its value, or with pages of rows, which become an array. */
type JsonSection = readonly [name: string, content: object | AsyncIterable<readonly unknown[]>]

const CHUNK_LENGTH = 65_536

/**
 * Serialises one JSON object as a stream of text chunks, for answers that are too large for memory. One row per line.
 * If the signal aborts, it ends early and the text is not valid JSON.
 */
async function* jsonChunks(sections: AsyncIterable<JsonSection>, ending: AbortSignal): AsyncGenerator<string> {
  let chunk = '{'
  let isFirst = true
  for await (const [name, content] of sections) {
    chunk += `${isFirst ? '' : ','}\n${JSON.stringify(name)}:`
    isFirst = false
    if (!(Symbol.asyncIterator in content)) {
      chunk += JSON.stringify(content)
      continue
    }
    let separator = '['
    for await (const rows of content) {
      if (ending.aborted) return
      for (const row of rows) {
        chunk += `${separator}\n${JSON.stringify(row)}`
        separator = ','
        if (chunk.length < CHUNK_LENGTH) continue
        yield chunk
        chunk = ''
      }
    }
    chunk += separator === '[' ? '[]' : '\n]'
  }
  yield `${chunk}\n}\n`
}
