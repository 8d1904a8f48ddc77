// A game's history, as its analysts read it: to its end, or as it comes, gone on with wherever the connection is lost.

import { type Caller, pathTo } from './caller.ts'
import { Unreachable } from './problem.ts'

/** Something that was recorded. */
export interface GameEvent {
  /** Place in the log: opaque; `from` takes it. */
  readonly position: string
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly time: string
  readonly data: Readonly<Record<string, unknown>>
  readonly meta: Readonly<Record<string, unknown>>
}

export interface EventsQuery {
  /** After this position; or with `since`, from an instant on. */
  readonly from?: string
  readonly since?: string
  readonly until?: string
  readonly type?: string
  readonly board?: string
  readonly player?: string
  readonly limit?: number
  /** Goes on with what comes, without an end. */
  readonly follow?: boolean
}

export interface Why {
  readonly score: string
  readonly leaderboard: string
  readonly player: string
  readonly hidden: boolean
  readonly events: readonly { readonly effect: string; readonly event: GameEvent }[]
  readonly left_out: number
}

/** Lines of a verification: how far it has come, and at last what it found. */
export interface VerifyLine {
  readonly progress?: {
    readonly phase: string
    readonly done: number
    readonly share: number
    readonly per_second: number
    readonly eta_seconds: number | null
    readonly at: string | null
  }
  readonly result?: VerifyResult
}

export interface VerifyResult {
  readonly equal: boolean
  readonly position: string
  readonly events: number
  readonly documents: number
  readonly ranked: number | null
  readonly parked: number
  readonly behind: boolean
  readonly differences: readonly {
    readonly view: string
    readonly collection: string | null
    readonly id: string | null
    readonly field: string | null
    readonly live: string | null
    readonly rebuilt: string | null
  }[]
  readonly found: number
}

export interface HistoryCalls {
  /**
   * Each event once, in log order. Where the connection is cut it goes on from the last one; where `ending` says so it
   * ends, also while it waits. Needs a server key.
   */
  events(game: string, query?: EventsQuery, ending?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  /**
   * Everything that was recorded up to now, each event once, in log order; `told` comes before the first of them. Ended
   * as `events` is. Operator only.
   */
  wholeLog(told: (log: LogHead) => void, ending?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  /** The events that made a score stand as it does. */
  why(score: string): Promise<Why>
  /** Operator only. Whoever stops reading ends it. */
  verify(): AsyncGenerator<VerifyLine, void, undefined>
}

/** Of the whole log, as it is now. */
export interface LogHead {
  /** Which installation it is: a fingerprint of its root secret. */
  readonly installation: string
  readonly version: string
  /** Its last event. */
  readonly head: string | null
}

/** A stream that was cut is opened again after this long, and given up where nothing came in so many times. */
const AGAIN_AFTER_MS = 500
const CUTS_MAX = 20

export function historyCalls(caller: Caller): HistoryCalls {
  return {
    events: (game, query = {}, ending) => reconnecting(new EventsReading(caller, game, query), ending),
    wholeLog: (told, ending) => reconnecting(new WholeLogReading(caller, told), ending),
    why: (score) => caller.call('GET', pathTo(['score', score, 'why'])),
    async *verify() {
      for await (const line of await caller.lines(pathTo(['sys', 'verify']))) yield line as VerifyLine
    },
  }
}

/** One stream of events, read over as many connections as it takes. */
interface Reading {
  /** Whether all that was asked for came: no connection is needed any more. */
  readonly isComplete: boolean
  /** Reads on after what was read last. `came` is called with each event that came. True where there is no more to read. */
  read(came: () => void, ending: AbortSignal | undefined): AsyncGenerator<GameEvent, boolean, undefined>
}

async function* reconnecting(
  reading: Reading,
  ending: AbortSignal | undefined,
): AsyncGenerator<GameEvent, void, undefined> {
  let cuts = 0
  const came = () => {
    cuts = 0
  }
  for (;;) {
    try {
      if (yield* reading.read(came, ending)) return
    } catch (failure) {
      if (isOver(ending)) return
      if (!(failure instanceof Unreachable) || ++cuts > CUTS_MAX) throw failure
      if (reading.isComplete) return
    }
    await waited(ending)
    if (isOver(ending)) return
  }
}

class EventsReading implements Reading {
  readonly #caller: Caller
  readonly #game: string
  readonly #query: EventsQuery
  #from: string | undefined
  #left: number | undefined

  constructor(caller: Caller, game: string, query: EventsQuery) {
    this.#caller = caller
    this.#game = game
    this.#query = query
    this.#from = query.from
    this.#left = query.limit
  }

  get isComplete(): boolean {
    return this.#left === 0
  }

  async *read(came: () => void, ending: AbortSignal | undefined): AsyncGenerator<GameEvent, boolean, undefined> {
    if (this.isComplete) return true
    const { follow = false, since, from: _, limit, ...filters } = this.#query
    const place = this.#from === undefined ? { since } : { from: this.#from }
    const asked = { ...filters, ...place, limit: this.#left, follow: follow ? 1 : undefined }
    for await (const line of await this.#caller.lines(pathTo(['gm', this.#game, 'events'], asked), ending)) {
      came()
      const told = line as GameEvent & { readonly heartbeat?: string }
      this.#from = told.heartbeat ?? told.position
      if (told.heartbeat !== undefined) continue
      // Read on by position, the service does not filter by the instant any more.
      if (since !== undefined && told.time < new Date(since).toISOString()) continue
      if (this.#left !== undefined) this.#left--
      yield told
    }
    return !follow || this.isComplete
  }
}

class WholeLogReading implements Reading {
  /** Known only at the end of a connection. */
  readonly isComplete = false
  readonly #caller: Caller
  readonly #told: (log: LogHead) => void
  #log: LogHead | null = null
  #from: string | undefined

  constructor(caller: Caller, told: (log: LogHead) => void) {
    this.#caller = caller
    this.#told = told
  }

  async *read(came: () => void, ending: AbortSignal | undefined): AsyncGenerator<GameEvent, boolean, undefined> {
    for await (const line of await this.#caller.lines(pathTo(['sys', 'events'], { from: this.#from }), ending)) {
      const read = line as GameEvent & { readonly log?: LogHead }
      if (read.log !== undefined) {
        if (this.#log === null) this.#told(read.log)
        this.#log ??= read.log
        continue
      }
      // A later connection has a later end: exported is what was there when the first one was made.
      if (this.#log?.head == null || read.position > this.#log.head) return true
      came()
      this.#from = read.position
      yield read
    }
    return true
  }
}

const isOver = (ending: AbortSignal | undefined): boolean => ending?.aborted === true

/** Before it is asked again; shorter where it is to end. */
function waited(ending: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      ending?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, AGAIN_AFTER_MS)
    ending?.addEventListener('abort', done)
  })
}
