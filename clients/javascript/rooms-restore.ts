// After a lost connection: joins a room or watches a leaderboard again, and repeats it while a refusal may pass.

import { RoomsError } from './room-shapes.ts'
import type { RoomsConnection } from './rooms-connection.ts'

/** The seat of the lost connection may fill a room until the server notices its loss. */
const FULL_ROOM_MS = 60_000
const WAIT_MS = 1_000
const PASSING: ReadonlySet<string> = new Set(['too_fast', 'unavailable'])
/** The connection is over: the next one restores everything. Or the caller has joined the room meanwhile. */
const NO_REFUSAL: ReadonlySet<string> = new Set(['disconnected', 'closing', 'rooms_lost', 'already_in_room'])

/** Resolves with the code of the refusal, such as `room_not_found` if the room has ended; null if there is none. */
export async function rejoin(
  connection: RoomsConnection,
  body: { readonly room: string; readonly since: number },
): Promise<string | null> {
  const fullUntilMs = Date.now() + FULL_ROOM_MS
  return repeated(connection, 'join', body, (code) => code === 'room_full' && Date.now() < fullUntilMs)
}

/** Resolves with true if the leaderboard can no longer be watched. */
export async function rewatch(connection: RoomsConnection, body: object): Promise<boolean> {
  return (await repeated(connection, 'watch', body, () => false)) !== null
}

async function repeated(
  connection: RoomsConnection,
  event: string,
  body: object,
  isPassing: (code: string) => boolean,
): Promise<string | null> {
  for (;;) {
    try {
      await connection.request(event, body)
      return null
    } catch (failure) {
      const code = failure instanceof RoomsError ? failure.code : 'disconnected'
      if (connection.isOver || NO_REFUSAL.has(code)) return null
      if (!PASSING.has(code) && !isPassing(code)) return code
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
