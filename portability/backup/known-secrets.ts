// Decides which secrets belong to a restored log. The vault or the backup may be newer than that log, so it also has
// secrets of players, logins and keys that do not exist in it.

import type { StoredEvent } from '../../domain/event.ts'
import { ownerOf, playerOfKey } from '../../domain/personal.ts'
import { idIn } from '../../domain/streams.ts'
import type { SecretKind, SecretReference } from '../../stores/contract/vault.ts'

export interface KnownSecrets {
  /** Call it for every event of the restored log. */
  add(event: StoredEvent): void
  /** Whether an event names this player, who may be deleted. */
  hasPlayer(id: string): boolean
  /**
   * Whether the secret belongs to a player, a login or a key of the log. False for sessions, which end with a restore.
   */
  has(secret: SecretReference): boolean
}

/** Takes some 100 bytes for each player, login and key. */
export function collectKnownSecrets(): KnownSecrets {
  const [players, claims, keys] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const isClaim = (id: string) => claims.has(id)
  const isKey = (id: string) => keys.has(id)
  const isOfSession = () => false
  const knows: Readonly<Record<SecretKind, (id: string) => boolean>> = {
    'player-key': (id) => players.has(playerOfKey(id)),
    'guest-token': (id) => players.has(id),
    password: isClaim,
    login: isClaim,
    'login-addresses': isClaim,
    email: isClaim,
    'key-secret': isKey,
    'last-used': isKey,
    'refresh-token': isOfSession,
    'session-used': isOfSession,
    // The log may be older than the deletion. If it is not, the deletion is recorded again.
    'blob-deletion': () => false,
    installation: () => true,
  }

  return {
    add(event) {
      const { type, data, stream } = event
      // A claim that has only begun names no player yet. If its call is repeated, it stores the secrets again.
      if (type === 'LoginBegun') return
      const player = ownerOf(event)
      if (player !== null) players.add(player)
      if (type === 'LoginClaimed') claims.add(String(data.secret))
      if (type === 'KeyIssued') keys.add(idIn(stream))
    },
    hasPlayer: (id) => players.has(id),
    // Only a newer version knows whom a secret of another kind belongs to.
    has: ({ kind, id }) => !Object.hasOwn(knows, kind) || knows[kind](id),
  }
}
