// What outlives a connection to the rooms: the listeners, the rooms that were joined with their last `seq`, and the
// watched leaderboards. Reconnects until the server refuses a ticket for good. After each reconnection it joins the
// rooms and watches the leaderboards again, and repeats that while a refusal may pass.

import { ProblemError } from './problem.ts'
import { type JoinedRoom, RoomsError, type RoomsHeard } from './room-shapes.ts'
import { type HeardEvent, type Io, openConnection, type RoomsConnection } from './rooms-connection.ts'
import type { RoomTicket } from './shapes.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000
/** A request waits this long for the connection to come back. */
const REQUEST_WAIT_MS = 10_000
/** The seat of the lost connection may fill a room until the server notices its loss. */
const FULL_ROOM_MS = 60_000
const REPEAT_AFTER_MS = 1_000
const PASSING: ReadonlySet<string> = new Set(['too_fast', 'unavailable'])
/** The connection is over: the next one restores everything. Or the caller has joined the room meanwhile. */
const NO_REFUSAL: ReadonlySet<string> = new Set(['disconnected', 'closing', 'rooms_lost', 'already_in_room'])

/** What is watched of a leaderboard. */
interface Watch {
  readonly top: number | undefined
  readonly season: 'current' | undefined
}

interface Watched {
  readonly watch: Watch
  seq: number
}

type Listener = (body: unknown) => void

export class RoomsSession {
  /** Resolves with null after `close`, else with the code for which the server admits no new connection. */
  readonly over: Promise<string | null>
  readonly #open: () => Promise<RoomsConnection>
  readonly #listeners = new Map<keyof RoomsHeard, Set<Listener>>()
  /** The last `seq` of each joined room. */
  readonly #rooms = new Map<string, number>()
  readonly #boards = new Map<string, Watched>()
  /** Those that wait for a connection; called with null if there will be none in time. */
  readonly #waiting = new Set<(connection: RoomsConnection | null) => void>()
  #connection: RoomsConnection | null = null
  #end: ((code: string | null) => void) | null = null

  constructor(io: Io, ticket: () => Promise<RoomTicket>) {
    this.#open = async () => openConnection(io, await ticket(), (heard) => this.#hear(heard))
    this.over = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  /** Rejects if the connection fails. */
  async begin(): Promise<void> {
    this.#use(await this.#open())
  }

  async request<Answer>(event: string, body: object): Promise<Answer> {
    return (this.#connection ?? (await this.#nextConnection())).request<Answer>(event, body)
  }

  async watch(leaderboard: string, watch: Watch): Promise<RoomsHeard['board']> {
    const board = await this.request<RoomsHeard['board']>('watch', watchBody(leaderboard, watch))
    // The answer and all changes have the id, also of a leaderboard that was named by its key.
    const { leaderboard: id, seq } = board
    this.#boards.set(id, { watch, seq: Math.max(seq, this.#boards.get(id)?.seq ?? 0) })
    return board
  }

  on<Event extends keyof RoomsHeard>(event: Event, heard: (body: RoomsHeard[Event]) => void): () => void {
    // The payload of this event has this shape.
    const listener = heard as Listener
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  close(): void {
    this.#finish(null)
  }

  #tell<Event extends keyof RoomsHeard>(event: Event, body: RoomsHeard[Event]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(body)
  }

  #finish(code: string | null): void {
    this.#end?.(code)
    this.#end = null
    this.#connection?.close()
    this.#connection = null
    for (const give of this.#waiting) give(null)
  }

  #nextConnection(): Promise<RoomsConnection> {
    return new Promise((resolve, reject) => {
      const give = (connection: RoomsConnection | null) => {
        clearTimeout(timer)
        this.#waiting.delete(give)
        if (connection === null) reject(new RoomsError('disconnected', 'There is no connection to the rooms.'))
        else resolve(connection)
      }
      const timer = setTimeout(() => give(null), this.#end === null ? 0 : REQUEST_WAIT_MS)
      this.#waiting.add(give)
    })
  }

  #use(connection: RoomsConnection): void {
    this.#connection = connection
    void connection.over.then((code) => {
      if (this.#connection !== connection) return
      this.#connection = null
      this.#tell('disconnected', { code })
      void this.#reconnect()
    })
    for (const give of this.#waiting) give(connection)
  }

  async #reconnect(): Promise<void> {
    for (let times = 0; this.#end !== null; times++) {
      const longestMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times)
      await new Promise((resolve) => setTimeout(resolve, longestMs * (0.5 + Math.random() / 2)))
      try {
        const connection = await this.#open()
        // Closed meanwhile.
        if (this.#end === null) connection.close()
        else await this.#restore(connection)
        return
      } catch (failure) {
        if (isFinal(failure)) this.#finish(failure.code)
      }
    }
  }

  /** Joins the rooms again, from the last message of each, and watches the boards again. */
  async #restore(connection: RoomsConnection): Promise<void> {
    // Those of before the loss: waiting requests may add others now.
    const [rooms, boards] = [[...this.#rooms], [...this.#boards]]
    this.#use(connection)
    for (const [leaderboard, { watch }] of boards) {
      void rewatch(connection, watchBody(leaderboard, watch)).then((refused) => {
        if (refused && this.#boards.delete(leaderboard)) this.#tell('unwatched', { leaderboard })
      })
    }
    for (const [room, since] of rooms) {
      void rejoin(connection, { room, since }).then((code) => {
        if (code !== null && this.#rooms.delete(room)) this.#tell('left', { room, code })
      })
    }
  }

  #hear({ event, body }: HeardEvent): void {
    switch (event) {
      case 'joined':
        this.#joined(body)
        return
      case 'left':
        this.#rooms.delete(body.room)
        break
      case 'message': {
        const last = this.#rooms.get(body.room)
        if (body.seq !== null && last !== undefined) {
          if (body.seq <= last) return
          this.#rooms.set(body.room, body.seq)
        }
        break
      }
      case 'board':
      case 'board_changed':
        this.#count(body)
        break
      case 'unwatched':
        this.#boards.delete(body.leaderboard)
        break
      default:
        break
    }
    this.#tell(event, body)
  }

  /** The server sends it between the missed messages and the first new one. */
  #joined(joined: JoinedRoom): void {
    const { id } = joined.room
    const last = this.#rooms.get(id)
    this.#rooms.set(id, joined.seq)
    if (last === undefined) {
      this.#tell('joined', joined)
      return
    }
    for (const message of joined.missed ?? []) {
      if (message.seq !== null && message.seq > last) this.#tell('message', message)
    }
    this.#tell('rejoined', joined)
  }

  /** Watches a board again after a gap in its changes. */
  #count(body: RoomsHeard['board'] | RoomsHeard['board_changed']): void {
    const watched = this.#boards.get(body.leaderboard)
    if (watched === undefined) return
    const isGap = 'changes' in body && body.seq !== watched.seq + 1
    watched.seq = body.seq
    if (isGap) void this.watch(body.leaderboard, watched.watch).catch(() => {})
  }
}

const watchBody = (leaderboard: string, { top, season }: Watch) => ({
  leaderboard,
  ...(top !== undefined && { top }),
  ...(season !== undefined && { season }),
})

/** Whether no later ticket will be given: the player is signed out, the rooms are off, the key is revoked. */
function isFinal(failure: unknown): failure is ProblemError {
  if (!(failure instanceof ProblemError) || failure.code === 'no_problem_document') return false
  return failure.status < 500 && failure.status !== 408 && failure.status !== 429
}

/** Resolves with the code of the refusal, such as `room_not_found` if the room has ended; null if there is none. */
async function rejoin(
  connection: RoomsConnection,
  body: { readonly room: string; readonly since: number },
): Promise<string | null> {
  const fullUntilMs = Date.now() + FULL_ROOM_MS
  return repeated(connection, 'join', body, (code) => code === 'room_full' && Date.now() < fullUntilMs)
}

/** Resolves with true if the leaderboard can no longer be watched. */
async function rewatch(connection: RoomsConnection, body: object): Promise<boolean> {
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
      await new Promise((resolve) => setTimeout(resolve, REPEAT_AFTER_MS))
    }
  }
}
