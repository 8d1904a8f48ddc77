// What an event of a deleted game left outside the log and the views: secrets in the vault, and files' bytes.

import { type StoredEvent, shaped } from '../domain/event.ts'
import type { Replaced } from '../domain/file.ts'
import { idIn } from '../domain/streams.ts'
import type { Placed } from '../stores/contract/vault.ts'

/** Secrets that are named by what the event made. */
export function secretsOf({ type, stream, data, meta }: StoredEvent): readonly Placed[] {
  const secret = String(data.secret)
  const player = meta.player ?? ''
  switch (type) {
    case 'KeyIssued':
      return [{ kind: 'key-secret', id: idIn(stream) }]
    case 'SessionStarted':
      return [{ kind: 'refresh-token', id: idIn(stream) }]
    case 'LoginBegun':
      return OF_CLAIMS.map((kind) => ({ kind, id: secret }))
    case 'LoginClaimed':
      return [...OF_CLAIMS.map((kind) => ({ kind, id: secret })), { kind: 'player-key', id: player }]
    // A player's sealing key is made with the first text of theirs, which is one of these events.
    case 'ExternalClaimed':
      return [{ kind: 'player-key', id: player }]
    case 'PlayerCreated':
      return [
        { kind: 'player-key', id: player },
        { kind: 'guest-token', id: player },
      ]
    default:
      return []
  }
}

const OF_CLAIMS = ['password', 'login', 'email'] as const

/** Blobs that the event names, also those of before. */
export function blobsOf({ type, data }: StoredEvent): readonly string[] {
  const isFiles = ['UploadOpened', 'UploadExpired', 'FileStored', 'FileOverwritten', 'FileDeleted'].includes(type)
  if (!isFiles) return []
  const { blob, replaced } = shaped<{ readonly blob: string | null; readonly replaced?: Replaced | null }>(data)
  return [blob, replaced?.blob ?? null].filter((one) => one !== null)
}
