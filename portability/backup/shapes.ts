// The shapes of what a destination has beside events and secrets: anyone who can write there can write anything with
// the right sums, so each object and each row is checked before a field of it is used.

import { z } from 'zod'
import { isBackupId, isInstallation, POSITION } from './objects.ts'

/** More than any id, version or time has. */
const MAX_TEXT = 256
/** A chunk lists no more games. */
export const GAMES_LISTED = 64

const text = z.string().max(MAX_TEXT)
const count = z.int().min(0)
/** SHA-256, in hexadecimal. */
const sum = z.string().regex(/^[0-9a-f]{64}$/)
const position = z.string().regex(new RegExp(`^${POSITION}$`))

const statement = {
  after: position.nullable(),
  last: position,
  last_id: text,
  events: count,
  lines_sha256: text,
  games: z.array(text).max(GAMES_LISTED).nullable(),
  clear: z.boolean(),
  code: text,
}

/** At the end of a chunk. */
export const codedStatement = z.object(statement)

export const chunkEntry = z
  .object({ ...statement, sha256: sum, bytes: count })
  .partial({ last_id: true, lines_sha256: true, code: true })

export const secretsEntry = z.object({ sha256: sum, bytes: count, secrets: count })

const listObjects = z.array(z.object({ sha256: sum, entries: count }))
const lists = { chunk_lists: listObjects, secret_lists: listObjects }

const heading = {
  id: z.string().refine(isBackupId),
  version: text,
  installation: z.string().refine(isInstallation),
  begun: text,
  made: text,
  events: count,
  head: text.nullable(),
  until: text.nullable(),
}

/** A stored manifest of any format, without the sum over itself. */
export const manifest = z.discriminatedUnion('scorebook_backup', [
  z.object({
    scorebook_backup: z.literal(1),
    ...heading,
    chunks: z.array(chunkEntry),
    secrets: z.array(secretsEntry),
  }),
  z.object({ scorebook_backup: z.literal(2), ...heading, bytes: count, ...lists }),
  z.object({
    scorebook_backup: z.literal(3),
    ...heading,
    bytes: count,
    log_chain: text,
    secrets_sha256: text,
    ...lists,
    code: text,
  }),
])
