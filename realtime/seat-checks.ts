// Finds out whether the connections of seats still answer, for players who join a room again. A seat whose connection
// does not is freed.

import { REPLACED, type RoomsNode, type Seat } from '../stores/contract/rooms.ts'
import { SEAT_ANSWER_MAX_MS } from './limits.ts'
import type { RoomConnection } from './room-connection.ts'
import type { RoomRegistry } from './room-registry.ts'

interface SeatChecksDeps {
  readonly node: Pick<RoomsNode, 'answered' | 'leave'>
  readonly roomRegistry: Pick<RoomRegistry, 'connectionOf'>
}

export class SeatChecks {
  readonly #deps: SeatChecksDeps
  /** Seats that wait for an answer, with their deadlines: at most one of each room of the connection. */
  readonly #asked = new WeakMap<RoomConnection, Map<Seat['member'], { readonly seat: Seat; timer: NodeJS.Timeout }>>()

  constructor(deps: SeatChecksDeps) {
    this.#deps = deps
  }

  /** Pings the connection of the seat. A seat that is being checked is not checked twice. */
  asked(seat: Seat): void {
    const connection = this.#deps.roomRegistry.connectionOf(seat)
    if (connection === undefined || connection.isGone) return
    const asked = this.#asked.get(connection) ?? new Map()
    this.#asked.set(connection, asked)
    if (asked.has(seat.member)) return
    // After the I/O phase of the event loop: data that has arrived may contain the pong.
    const timer = setTimeout(() => setImmediate(() => this.#judge(connection, seat)), SEAT_ANSWER_MAX_MS).unref()
    asked.set(seat.member, { seat, timer })
    connection.onPong = () => this.#answered(connection)
    connection.ping()
  }

  #answered(connection: RoomConnection): void {
    const asked = this.#asked.get(connection)
    if (asked === undefined) return
    for (const { seat, timer } of asked.values()) {
      clearTimeout(timer)
      this.#isAlive(seat)
    }
    this.#asked.delete(connection)
  }

  #judge(connection: RoomConnection, seat: Seat): void {
    const asked = this.#asked.get(connection)
    if (asked?.delete(seat.member) !== true || connection.isGone) return
    // A client that sends too fast is not read for a while: its pong may be on the way.
    if (connection.isPaused) this.#isAlive(seat)
    // The node tries again with its heartbeats if the store does not answer.
    else void this.#deps.node.leave(seat, REPLACED).catch(() => {})
  }

  /** If the store does not learn of it, the seat may be taken over, by the same player only. */
  #isAlive(seat: Seat): void {
    void this.#deps.node.answered(seat).catch(() => {})
  }
}
