// Joins of full rooms in which the player has a seat whose connection may have been lost: they wait a few seconds for
// its answer, and take the seat over if none comes.

import { setTimeout as wait } from 'node:timers/promises'
import type { Joining, JoinRefusal, RoomsNode, Seated } from '../stores/contract/rooms.ts'
import { JOIN_AGAIN_EVERY_MS, JOIN_WAIT_MAX_MS, WAITING_JOINS_PER_PLAYER, WAITING_JOINS_PER_SOCKET } from './limits.ts'
import type { RoomConnection } from './room-connection.ts'

export class WaitingJoins {
  readonly #node: Pick<RoomsNode, 'join'>
  /** Waiting joins of each connection and each player. */
  readonly #waiting = new Map<RoomConnection | string, number>()

  constructor(node: Pick<RoomsNode, 'join'>) {
    this.#node = node
  }

  /** As `join` of the node, after at most JOIN_WAIT_MAX_MS. Beyond the limits it does not wait. */
  async join(connection: RoomConnection, joining: Joining, seated: Seated): Promise<JoinRefusal | null> {
    const first = await this.#node.join(joining, seated)
    if (first !== 'seats_asked') return first
    const player = `${joining.game} ${joining.player?.id}`
    if (this.#count(connection) >= WAITING_JOINS_PER_SOCKET || this.#count(player) >= WAITING_JOINS_PER_PLAYER) {
      return 'room_full'
    }
    for (const of of [connection, player]) this.#waiting.set(of, this.#count(of) + 1)
    try {
      return await this.#again(connection, { ...joining, asks: false }, seated)
    } finally {
      for (const of of [connection, player]) {
        if (this.#count(of) > 1) this.#waiting.set(of, this.#count(of) - 1)
        else this.#waiting.delete(of)
      }
    }
  }

  async #again(connection: RoomConnection, joining: Joining, seated: Seated): Promise<JoinRefusal | null> {
    const untilMs = performance.now() + JOIN_WAIT_MAX_MS
    for (;;) {
      await wait(JOIN_AGAIN_EVERY_MS, undefined, { ref: false })
      if (connection.isGone) return 'room_full'
      const outcome = await this.#node.join(joining, seated)
      if (outcome !== 'seats_asked') return outcome
      if (performance.now() >= untilMs) return 'room_full'
    }
  }

  #count(of: RoomConnection | string): number {
    return this.#waiting.get(of) ?? 0
  }
}
