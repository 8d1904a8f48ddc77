// Finds the keys whose permissions were narrowed after the restore point. A restore revives no revoked
// key, and gives back no withdrawn permission: a key gets the permissions that it had at the point and has in the
// newest backup.

import { recordedAt, type StoredEvent, unsafeCast } from '../../domain/event.ts'
import { type Key, type KeyEvent, key } from '../../domain/key.ts'
import { commonPermissions, coversGrant } from '../../domain/permissions.ts'
import { idIn } from '../../domain/streams.ts'

export interface NarrowedKey {
  readonly prefix: string
  readonly game: string | null
  readonly permissions: readonly string[]
}

interface NarrowedKeys {
  /** Call it for every event in log order. */
  add(event: StoredEvent, isUpToPoint: boolean): void
  /** The narrowed keys, without revoked ones and those of these games. */
  list(deletedGames: ReadonlySet<string>): readonly NarrowedKey[]
}

interface TwoStates {
  readonly game: string | null
  readonly atPoint: Key | null
  readonly latest: Key | null
}

export function collectNarrowedKeys(): NarrowedKeys {
  const states = new Map<string, TwoStates>()

  return {
    add(event, isUpToPoint) {
      if (!TYPES.has(event.type)) return
      const prefix = idIn(event.stream)
      const { atPoint, latest } = states.get(prefix) ?? { atPoint: null, latest: null }
      const { game } = event.meta
      const after = key.evolve(latest, unsafeCast<KeyEvent>(event), recordedAt(event))
      states.set(prefix, { game, atPoint: isUpToPoint ? after : atPoint, latest: after })
    },
    list(deletedGames) {
      const narrowed: NarrowedKey[] = []
      for (const [prefix, { game, atPoint, latest }] of states) {
        // The events of a deleted game may have no data any more.
        if (game !== null && deletedGames.has(game)) continue
        if (atPoint === null || latest === null || latest.revoked) continue
        const isCovered = (one: string) => latest.permissions.some((held) => coversGrant(held, one))
        if (atPoint.permissions.every(isCovered)) continue
        const permissions = commonPermissions(atPoint.permissions, latest.permissions)
        narrowed.push({ prefix, game, permissions })
      }
      return narrowed
    },
  }
}

const TYPES: ReadonlySet<string> = new Set(['KeyIssued', 'KeyPermissionsChanged', 'KeyRevoked'])
