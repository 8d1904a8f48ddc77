// Long reading and computing in slices, between which requests are answered; and given up where nobody waits for it any more.

import type { Position, StoredEvent } from '../../domain/event.ts'
import { type History, historyPages, upTo } from '../../stores/contract/history.ts'
import { eventsFrom, type Log } from '../../stores/contract/log.ts'

/** Events read at once, and how long they are worked on before others have their turn. */
const PAGE = 250
const SLICE_MS = 4

export class Slices {
  readonly #signal: AbortSignal
  #until = performance.now() + SLICE_MS

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Whether others should have their turn now. */
  get due(): boolean {
    return performance.now() >= this.#until
  }

  /** Lets others have their turn. Throws the signal's reason where it has aborted. */
  async turn(): Promise<void> {
    await this.pause()
    this.#signal.throwIfAborted()
  }

  /** As `turn`, for what must not be broken off in the middle. */
  async pause(): Promise<void> {
    await new Promise((next) => setImmediate(next))
    this.#until = performance.now() + SLICE_MS
  }

  /** Runs something to its end, with turns in between. */
  async all(steps: Iterable<unknown>): Promise<void> {
    for (const _ of steps) if (this.due) await this.turn()
  }

  /** As `all`, and gives what comes of it. */
  async result<Result>(steps: Generator<unknown, Result>): Promise<Result> {
    for (;;) {
      const next = steps.next()
      if (next.done) return next.value
      if (this.due) await this.turn()
    }
  }
}

/** Reads a history without what players write about themselves, where that spares work. */
export const unopened = (history: History): History['part'] => history.unopened ?? history.part

/** A board's events after a position (null: from the beginning) up to and with another, with a turn between pages. */
export const eventsOf = (
  read: History['part'],
  board: string,
  after: Position | null,
  last: Position,
  slices: Slices,
): AsyncGenerator<readonly StoredEvent[]> =>
  historyPages(read, { board }, { after, isIn: upTo(last), limit: PAGE }, () => slices.turn())

/** The events of one stream that had happened by an instant: those are its first ones, as its times never run backwards. */
export async function streamBy(log: Pick<Log, 'readStream'>, stream: string, instant: string): Promise<StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of eventsFrom(log, stream)) {
    if (event.meta.time > instant) break
    events.push(event)
  }
  return events
}
