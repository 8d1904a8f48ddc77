// Reads a game's history, to its end or following it. Resumes after a lost connection.

import { type Caller, pathTo } from './caller.ts'
import { Unreachable } from './problem.ts'
import type { Paging } from './shapes.ts'
import type { VerifyLine } from './verify-shapes.ts'

/** A recorded event. */
export interface GameEvent {
  /** Opaque position in the log, for `from`. */
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
  /** Only events after this position; or use `since` for a start time. */
  readonly from?: string
  readonly since?: string
  readonly until?: string
  readonly type?: string
  /** A leaderboard, by id or key. */
  readonly board?: string
  readonly player?: string
  /**
   * The request id of an API call, as a problem document or the header X-Request-Id has it: the events that it
   * recorded.
   */
  readonly request?: string
  readonly limit?: number
  /** Follows new events without end. */
  readonly follow?: boolean
}

/**
 * What an event did to a score. `removed`: it ended the score before, so that this one could begin. `replaced`: on a
 * leaderboard that keeps the latest submission, this one took the place of the one before. `counted`: it is part of a
 * total.
 */
export type ScoreEffect = 'rules' | 'removed' | 'began' | 'improved' | 'replaced' | 'counted' | 'hidden' | 'shown'

export interface ScoreExplanation {
  readonly score: string
  readonly leaderboard: string
  readonly player: string
  readonly hidden: boolean
  /** In log order; of a total a page of the counted submissions, newest first. */
  readonly events: readonly { readonly effect: ScoreEffect; readonly event: GameEvent }[]
  /** How many of the oldest events are left out; absent of a total. */
  readonly left_out?: number
  /** These four only of a total. `count`: how many submissions it counts. */
  readonly count?: number
  readonly offset?: number
  readonly limit?: number
  readonly next_offset?: number | null
}

export interface BackupQuery {
  /** Position of the last event that the reader has. */
  readonly from?: string | undefined
  /** With authentication codes: `beginning`, or the end of a chunk with its code. */
  readonly after?: string | undefined
}

export interface HistoryCalls {
  /**
   * Yields each event once, in log order. Resumes after a cut connection; ends when `ending` aborts, even while it
   * waits. Needs a server key.
   */
  events(game: string, query?: EventsQuery, ending?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  /** Like `events`, over one connection: does not resume, and rejects when it is cut. */
  eventsOnce(game: string, query?: EventsQuery, ending?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  /**
   * Yields all events recorded up to now, each once, in log order. Calls `onHead` before the first one. Ends like
   * `events`. Operator only.
   */
  wholeLog(onHead: (log: LogHead) => void, ending?: AbortSignal): AsyncGenerator<GameEvent, void, undefined>
  /** The lines of a backup (`GET /api/sys/backup/` with this query). Operator only; does not resume. */
  backup(query?: BackupQuery, ending?: AbortSignal): AsyncGenerator<unknown, void, undefined>
  /** The events that determine a score. Only those of a total come in pages. */
  why(score: string, paging?: Paging): Promise<ScoreExplanation>
  /** Operator only. Ends if the caller stops reading. */
  verify(): AsyncGenerator<VerifyLine, void, undefined>
}

/** The state of the whole log. */
export interface LogHead {
  /** Identifies the installation: a fingerprint of its root secret. */
  readonly installation: string
  readonly version: string
  /** Position of the last event. */
  readonly head: string | null
}

/** Delay before a cut stream is reopened, and maximum consecutive attempts without an event. */
const AGAIN_AFTER_MS = 500
const CUTS_MAX = 20

export function historyCalls(caller: Caller): HistoryCalls {
  return {
    events: (game, query = {}, ending) => reconnecting(new EventsReading(caller, game, query), ending),
    async *eventsOnce(game, { follow, ...query } = {}, ending) {
      const path = pathTo(['gm', game, 'events'], { ...query, follow: follow === true ? 1 : undefined })
      for await (const line of await caller.lines(path, ending)) {
        const event = line as GameEvent & { readonly heartbeat?: string }
        if (event.heartbeat === undefined) yield event
      }
    },
    wholeLog: (onHead, ending) => reconnecting(new WholeLogReading(caller, onHead), ending),
    backup: (query = {}, ending) => backupLines(caller, query, ending),
    why: (score, paging = {}) => caller.call('GET', pathTo(['score', score, 'why'], { ...paging })),
    async *verify() {
      for await (const line of await caller.lines(pathTo(['sys', 'verify']))) yield line as VerifyLine
    },
  }
}

async function* backupLines(caller: Caller, query: BackupQuery, ending?: AbortSignal) {
  yield* await caller.lines(pathTo(['sys', 'backup'], { ...query }), ending)
}

/** A stream of events that is read over several connections if needed. */
interface Reading {
  /** Whether all requested events were read. */
  readonly isComplete: boolean
  /** Continues after the last event. Calls `came` for each line. Returns true at the end. */
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
    const start = this.#from === undefined ? { since } : { from: this.#from }
    const parameters = { ...filters, ...start, limit: this.#left, follow: follow ? 1 : undefined }
    for await (const line of await this.#caller.lines(pathTo(['gm', this.#game, 'events'], parameters), ending)) {
      came()
      const onHead = line as GameEvent & { readonly heartbeat?: string }
      this.#from = onHead.heartbeat ?? onHead.position
      if (onHead.heartbeat !== undefined) continue
      // After resuming by position, the server no longer filters by time.
      if (since !== undefined && onHead.time < toIso(since)) continue
      if (this.#left !== undefined) this.#left--
      yield onHead
    }
    return !follow || this.isComplete
  }
}

/** A date or a datetime in a notation that the server reads, as ISO 8601, UTC, milliseconds. */
function toIso(time: string): string {
  // `Date` does not read an offset such as +01 or +0100, nor letters in lower case.
  const offset = /(t.*[+-]\d\d):?(\d\d)?$/i
  return new Date(time.replace(offset, (_, start, minutes = '00') => `${start}:${minutes}`).toUpperCase()).toISOString()
}

class WholeLogReading implements Reading {
  /** Known only when a connection has ended. */
  readonly isComplete = false
  readonly #caller: Caller
  readonly #onHead: (log: LogHead) => void
  #log: LogHead | null = null
  #from: string | undefined

  constructor(caller: Caller, onHead: (log: LogHead) => void) {
    this.#caller = caller
    this.#onHead = onHead
  }

  async *read(came: () => void, ending: AbortSignal | undefined): AsyncGenerator<GameEvent, boolean, undefined> {
    for await (const line of await this.#caller.lines(pathTo(['sys', 'events'], { from: this.#from }), ending)) {
      const read = line as GameEvent & { readonly log?: LogHead }
      if (read.log !== undefined) {
        if (this.#log === null) this.#onHead(read.log)
        this.#log ??= read.log
        continue
      }
      // A later connection has a later head. Export only events up to the head of the first one.
      if (this.#log?.head == null || read.position > this.#log.head) return true
      came()
      this.#from = read.position
      yield read
    }
    return true
  }
}

const isOver = (ending: AbortSignal | undefined): boolean => ending?.aborted === true

/** Waits before reconnecting; ends early if `ending` aborts. */
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
