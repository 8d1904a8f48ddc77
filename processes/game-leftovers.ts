// What an event of a deleted game left outside the log and the views: secrets in the vault, and files' bytes.

import { type StoredEvent, shaped } from '../domain/event.ts'
import type { Replaced } from '../domain/file.ts'
import { filesKeyOf, ownerOf } from '../domain/personal.ts'
import { idIn } from '../domain/streams.ts'
import type { Placed } from '../stores/contract/vault.ts'

/** Secrets that are named by what the event made, but for the sealing keys of players. */
export function secretsOf({ type, stream, data, meta }: StoredEvent): readonly Placed[] {
  const secret = String(data.secret)
  const player = meta.player ?? ''
  switch (type) {
    case 'KeyIssued':
      return [{ kind: 'key-secret', id: idIn(stream) }]
    case 'SessionStarted':
      return [{ kind: 'refresh-token', id: idIn(stream) }]
    case 'LoginBegun':
    case 'LoginClaimed':
      return OF_CLAIMS.map((kind) => ({ kind, id: secret }))
    case 'PlayerCreated':
      return [{ kind: 'guest-token', id: player }]
    default:
      return []
  }
}

/**
 * Ids of the keys that seal the text of the player whom the event names: also those that no event here is sealed under. Only
 * events that come first are read for it: each player has one of them.
 */
export function sealingKeysOf(event: StoredEvent): readonly string[] {
  if (!BRINGS_PLAYER.has(event.type)) return []
  const player = ownerOf(event)
  return player === null ? [] : [player, filesKeyOf(player)]
}

const BRINGS_PLAYER: ReadonlySet<string> = new Set([
  'PlayerCreated',
  'LoginClaimed',
  'ExternalClaimed',
  'UploadOpened',
  'FileStored',
  'FolderCreated',
])

const OF_CLAIMS = ['password', 'login', 'email'] as const

/** Blobs that the event names, also those of before. */
export function blobsOf({ type, data }: StoredEvent): readonly string[] {
  const isFiles = ['UploadOpened', 'UploadExpired', 'FileStored', 'FileOverwritten', 'FileDeleted'].includes(type)
  if (!isFiles) return []
  const { blob, replaced } = shaped<{ readonly blob: string | null; readonly replaced?: Replaced | null }>(data)
  return [blob, replaced?.blob ?? null].filter((one) => one !== null)
}
