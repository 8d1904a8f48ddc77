// Ends connections that may be here no longer: whose key, session or player was revoked, and those of games whose rooms were
// switched off. And gives each the settings of its game as they are now.

import type { RoomGame } from '../access/room-entry.ts'
import type { RoomHolder } from '../commands/room-ticket.ts'
import type { Connection } from './connection.ts'
import { REVOKED_LOOK_EVERY_MS, SETTINGS_LOOK_EVERY_MS } from './limits.ts'

export interface RevokedDeps {
  stillStands(holder: RoomHolder): Promise<boolean>
  roomGame(game: string): Promise<RoomGame | null>
  onRevoked(listener: (subject: string | null) => void): void
  readonly connections: ReadonlySet<Connection>
}

export interface RevokedWatch {
  /** Looks at one at once: what was revoked while it came in was told to nobody. */
  look(connection: Connection): void
  stop(): void
}

export function watchRevoked(deps: RevokedDeps): RevokedWatch {
  const { connections } = deps
  const look = (connection: Connection) => {
    deps.stillStands(connection.holder).then(
      (stands) => {
        if (!stands) connection.cut('revoked')
      },
      // Nobody can tell: they are looked at again, and get in nowhere meanwhile.
      () => {},
    )
  }
  deps.onRevoked((subject) => {
    for (const connection of [...connections]) if (isAbout(connection.holder, subject)) look(connection)
  })
  const lookAtAll = setInterval(() => {
    for (const connection of [...connections]) look(connection)
  }, REVOKED_LOOK_EVERY_MS)

  let isLooking = false
  const lookAtGames = async () => {
    for (const game of new Set(Array.from(connections, ({ holder }) => holder.game))) {
      const now = await deps.roomGame(game)
      settle(
        now,
        Array.from(connections).filter(({ holder }) => holder.game === game),
      )
    }
  }
  const settings = setInterval(() => {
    if (isLooking || connections.size === 0) return
    isLooking = true
    lookAtGames()
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, SETTINGS_LOOK_EVERY_MS)
  return {
    look,
    stop: () => {
      clearInterval(lookAtAll)
      clearInterval(settings)
    },
  }
}

function settle(game: RoomGame | null, connections: readonly Connection[]): void {
  for (const connection of connections) {
    if (game === null) connection.cut('rooms_off')
    else if (game.settings.require_player && connection.player === null) connection.cut('revoked')
    else connection.game = game
  }
}

function isAbout({ key, session, player }: RoomHolder, subject: string | null): boolean {
  return (
    subject === null || subject === `key:${key}` || subject === `session:${session}` || subject === `player:${player}`
  )
}
