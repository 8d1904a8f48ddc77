// Compares this node's clock with the latest time of the events that it knows of. A clock that is behind is reported;
// while it is far behind, the node does not start and records nothing, unless its operator has accepted the clock.

import type { Logger } from 'pino'
import { behindMs, clockWarning, REFUSED_BEHIND_MS, REPORTED_BEHIND_MS } from '../domain/clock.ts'
import type { StoredEvent } from '../domain/event.ts'
import { StoresFault } from '../stores/contract/faults.ts'
import type { Log } from '../stores/contract/log.ts'
import type { LogStores } from '../stores/contract/stores.ts'
import type { Views } from '../stores/contract/views.ts'

/** The time of a log's last event, ISO 8601; null while the log is empty. */
export async function timeOfHead(log: Pick<Log, 'head' | 'eventAt'>): Promise<string | null> {
  const head = await log.head()
  return (head === null ? null : await log.eventAt(head))?.meta.time ?? null
}

const VIEW = { key: 'clock@1', collections: [{ name: 'clock', indexes: {} }] }
const [COLLECTION, ID] = ['clock', 'newest']

/**
 * The latest time of all events, noted beside the views while it is later than a node's clock: a log on a server has no
 * index by time, so later events would hide it from the next start. If it is lost together with the views, their
 * rebuild reads every event again.
 */
export function createNewestNote(views: Views) {
  return {
    /** ISO 8601; null if none was noted. */
    async read(): Promise<string | null> {
      if (!(await views.list()).includes(VIEW.key)) return null
      const [document] = await views.get(VIEW.key, COLLECTION, [ID])
      return document?.pos ?? null
    },
    async write(time: string): Promise<void> {
      await views.prepare(VIEW)
      // The time is the position, so the store skips an earlier one.
      const write = { collection: COLLECTION, id: ID, pos: time, body: {} }
      await views.commit([{ view: VIEW.key, writes: [write], checkpoints: new Map() }])
      await views.durable()
    },
  }
}

export interface NewestStores extends Pick<LogStores, 'newestTime' | 'history'> {
  readonly views: Views
}

/** The latest time of all events of a log with its views, as far as it can be known without reading the log. */
export async function newestTimeOf(
  { newestTime, history, views }: NewestStores,
  plausibleUntil: string,
): Promise<string | null> {
  const newest = await newestTime(plausibleUntil)
  // The log in the data folder has an index by time.
  const noted = history === null ? await createNewestNote(views).read() : null
  return newest === null || (noted !== null && noted > newest) ? noted : newest
}

/**
 * Milliseconds between two looks at the clock for the log lines, and at the last event of a log that other nodes write
 * too.
 */
const CHECK_EVERY_MS = 10_000

interface ClockOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Whether the operator has accepted the clock, for as long as this process runs. */
  readonly isAccepted: boolean
}

export class NodeClock {
  readonly #options: ClockOptions
  #newest: string | null
  #newestMs = Number.NEGATIVE_INFINITY

  /** `newest`: the latest time of all events, ISO 8601; null if there is none. */
  constructor(newest: string | null, options: ClockOptions) {
    this.#options = options
    this.#newest = null
    if (newest !== null) this.note(newest)
  }

  /** The latest time of the events that this node knows of. */
  get newest(): string | null {
    return this.#newest
  }

  get behindMs(): number {
    return behindMs(this.#options.now(), this.#newest)
  }

  /** What is wrong with the clock, for operators; null if it is right. */
  get warning(): string | null {
    const warning = clockWarning(this.#options.now(), this.#newest)
    return warning === null || !this.#options.isAccepted ? warning : `${warning}; accepted by --accept-clock`
  }

  /** Whether this node must record nothing. O(1). */
  readonly refusesWrites = (): boolean =>
    this.#newestMs - this.#options.now() > REFUSED_BEHIND_MS && !this.#options.isAccepted

  note(time: string): void {
    if (this.#newest !== null && time <= this.#newest) return
    this.#newest = time
    this.#newestMs = Date.parse(time)
  }

  /** The same log, of which all events that are read in its order are noted. What this node appends is among them. */
  watching(log: Log): Log {
    const noteAll = (events: readonly Pick<StoredEvent, 'meta'>[]) => {
      for (const { meta } of events) this.note(meta.time)
    }
    async function* subscribe(...args: Parameters<Log['subscribe']>) {
      for await (const events of log.subscribe(...args)) {
        noteAll(events)
        yield events
      }
    }
    return {
      ...log,
      readAll: async (after, limit) => {
        const events = await log.readAll(after, limit)
        noteAll(events)
        return events
      },
      subscribe,
    }
  }
}

/** Throws a StoresFault if the clock is so far behind the newest event that the node must not start. */
export async function openNodeClock(stores: NewestStores, options: ClockOptions): Promise<NodeClock> {
  const plausibleUntil = new Date(options.now() + REPORTED_BEHIND_MS).toISOString()
  const clock = new NodeClock(await newestTimeOf(stores, plausibleUntil), options)
  if (!clock.refusesWrites()) return clock
  throw new StoresFault(
    `${clock.warning}. Set the clock, and keep it set (NTP). If the clock is right, an earlier clock was ahead: start with ` +
      '`scorebook serve --accept-clock`.',
  )
}

type State = 'right' | 'behind' | 'refusing'

/** Logs what is wrong with the clock, at once and whenever that changes. Call the result to stop. */
export function followClock(clock: NodeClock, stores: NewestStores, log: Logger): () => Promise<void> {
  const note = stores.history === null ? createNewestNote(stores.views) : null
  let state: State = 'right'
  let noted = ''
  const report = () => {
    const { warning } = clock
    const next = clock.refusesWrites() ? 'refusing' : warning === null ? 'right' : 'behind'
    if (next === state) return
    state = next
    if (next === 'right') log.info('the clock is no longer behind the newest event')
    else if (next === 'behind') log.warn(warning)
    else log.error(`${warning}: nothing is recorded (503 clock_behind) until it is set`)
  }
  const check = async () => {
    // Other nodes write to a log on a server.
    const time = note === null ? null : await stores.newestTime('')
    if (time !== null) clock.note(time)
    report()
    const { newest } = clock
    if (note === null || newest === null || newest === noted || clock.behindMs <= REPORTED_BEHIND_MS) return
    await note.write(newest)
    noted = newest
  }
  let checked = Promise.resolve()
  // One check after the other. A store that does not answer is reported by others.
  const checkAgain = () => {
    checked = checked.then(check).catch(() => {})
  }
  report()
  checkAgain()
  const checking = setInterval(checkAgain, CHECK_EVERY_MS)
  checking.unref()
  return () => {
    clearInterval(checking)
    return checked
  }
}
