// Finds and removes what a deleted game's events left outside the log and the views: vault secrets and file bytes.

import type { GameSecretKind, GameSecrets } from '../domain/deleted-games.ts'
import { type StoredEvent, unsafeCast } from '../domain/event.ts'
import type { Replaced } from '../domain/file.ts'
import { filesKeyOf, ownerOf } from '../domain/personal.ts'
import { idIn } from '../domain/streams.ts'
import type { Vault } from '../stores/contract/vault.ts'

/** The secrets that the events name, without duplicates. */
export function secretsOf(events: readonly StoredEvent[]): GameSecrets {
  const ids: Partial<Record<GameSecretKind, string[]>> = {}
  const named = new Set<string>()
  for (const { kind, id } of events.flatMap((event) => [...secretsNamedBy(event), ...sealingKeysOf(event)])) {
    if (named.has(`${kind} ${id}`)) continue
    named.add(`${kind} ${id}`)
    ids[kind] = [...(ids[kind] ?? []), id]
  }
  return ids
}

/**
 * Returns how many secrets it destroyed. Sealing keys leave an empty row, because a late append from another node
 * would otherwise create the key again. Idempotent.
 */
export async function destroySecrets(vault: Vault, secrets: GameSecrets): Promise<number> {
  const destroy = async (kind: GameSecretKind, id: string): Promise<number> => {
    const value = await vault.get(kind, id)
    if (kind === 'key-secret') await vault.destroy('last-used', id)
    if (kind === 'login') await vault.destroy('login-addresses', id)
    if (kind === 'refresh-token') await vault.destroy('session-used', id)
    if (kind === 'player-key') await (value?.length === 0 ? null : vault.destroyForGood(kind, id))
    else if (value !== null) await vault.destroy(kind, id)
    return value === null || value.length === 0 ? 0 : 1
  }
  const all = KINDS.flatMap((kind) => (secrets[kind] ?? []).map((id) => destroy(kind, id)))
  return (await Promise.all(all)).reduce((sum, one) => sum + one, 0)
}

interface Named {
  readonly kind: GameSecretKind
  readonly id: string
}

function secretsNamedBy({ type, stream, data, meta }: StoredEvent): readonly Named[] {
  const secret = String(data.secret)
  switch (type) {
    case 'KeyIssued':
      return [{ kind: 'key-secret', id: idIn(stream) }]
    // Recorded before the key's secret is stored: if the call died after that, no KeyIssued names the secret.
    case 'SlotTaken':
      return data.kind === 'keys' ? [{ kind: 'key-secret', id: String(data.id) }] : []
    case 'SessionStarted':
      return [{ kind: 'refresh-token', id: idIn(stream) }]
    case 'LoginBegun':
    case 'LoginClaimed':
      return OF_CLAIMS.map((kind) => ({ kind, id: secret }))
    case 'PlayerCreated':
      return [{ kind: 'guest-token', id: meta.player ?? '' }]
    default:
      return []
  }
}

/**
 * The keys that encrypt a player's text. Checks only event types that can be a player's first: every player has one.
 */
function sealingKeysOf(event: StoredEvent): readonly Named[] {
  const player = BRINGS_PLAYER.has(event.type) ? ownerOf(event) : null
  return player === null ? [] : [player, filesKeyOf(player)].map((id) => ({ kind: 'player-key', id }))
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
const KINDS = [...OF_CLAIMS, 'key-secret', 'refresh-token', 'guest-token', 'player-key'] as const

/** All blobs that the event names, including replaced ones. */
export function blobsOf({ type, data }: StoredEvent): readonly string[] {
  const isFiles = ['UploadOpened', 'UploadExpired', 'FileStored', 'FileOverwritten', 'FileDeleted'].includes(type)
  if (!isFiles) return []
  const { blob, replaced } = unsafeCast<{ readonly blob: string | null; readonly replaced?: Replaced | null }>(data)
  return [blob, replaced?.blob ?? null].filter((one) => one !== null)
}
