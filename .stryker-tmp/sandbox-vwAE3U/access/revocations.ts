// What this node knows of revocations: its own at once, those of the others by asking the shared store every second.
// Who has not heard for two seconds asks for each call, and where the store does not answer, nobody is let in.

import { StoreUnavailable } from '../stores/contract/faults.ts'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../stores/contract/revocations.ts'

export const POLL_EVERY_MS = 1_000
/** What was noted this long ago acts on every node. */
export const HEARD_WITHIN_MS = 2_000
/** Noted again in one call. */
const TOLD_AT_ONCE = 500

interface Clocks {
  /** Unix milliseconds: from when on the store may delete the record. */
  now(): number
  /** Milliseconds that never go back: how long ago this node heard, and when it may let go. */
  elapsedMs(): number
}

interface Held {
  readonly noted: Noted
  readonly untilMs: number
}

export class NodeRevocations {
  readonly #store: Revocations
  readonly #clocks: Clocks
  /** In the order of their coming, so that those that end first come first. */
  readonly #held = new Map<Subject, Held>()
  /** What the store may not have: a note that failed, or everything after it was emptied. */
  readonly #untold = new Map<Subject, Noted>()
  readonly #listeners: ((subject: Subject | null) => void)[] = []
  #version: string | null = null
  #heardAtMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(store: Revocations, clocks: Clocks) {
    this.#store = store
    this.#clocks = clocks
  }

  /** Hears first, and then every second. Rejects where the store does not answer the first time. */
  async start(): Promise<void> {
    await this.poll()
    // Not one after the other: one that is not answered must not hold up the next.
    this.#timer = setInterval(() => void this.poll().catch(() => {}), POLL_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Told whenever a subject's status is another one; null: what is remembered of all may be wrong. */
  onChange(listener: (subject: Subject | null) => void): void {
    this.#listeners.push(listener)
  }

  /** Milliseconds by this node's own clock, which never goes back. */
  elapsedMs(): number {
    return this.#clocks.elapsedMs()
  }

  /** Whether at this time everything noted more than two seconds before is known here. */
  isHeard(atMs: number): boolean {
    return atMs - this.#heardAtMs <= HEARD_WITHIN_MS
  }

  /** Milliseconds since everything was known here. */
  heardAgeMs(): number {
    return this.#clocks.elapsedMs() - this.#heardAtMs
  }

  /** How many statuses the store may not have yet. */
  get untold(): number {
    return this.#untold.size
  }

  /** How many statuses are held. */
  get size(): number {
    return this.#held.size
  }

  /** What is known of a subject, where that is newer than a document at `pos`. */
  newerThan(pos: string, subject: Subject): Noted | null {
    const noted = this.#held.get(subject)?.noted
    return noted !== undefined && noted.pos > pos ? noted : null
  }

  /**
   * Makes statuses known: here at once, and to all nodes by the store. Throws StoreUnavailable where it did not take them;
   * they are noted again with each poll, and sending the call again is safe.
   */
  async note(changes: readonly Noted[]): Promise<void> {
    if (changes.length === 0) return
    this.#hold(changes)
    for (const noted of changes) {
      const before = this.#untold.get(noted.subject)
      if (before === undefined || before.pos < noted.pos) this.#untold.set(noted.subject, noted)
    }
    await this.#tell(changes)
  }

  /** Asks the store for these; after that they are as known as can be. Throws StoreUnavailable. */
  async lookUp(subjects: readonly Subject[]): Promise<void> {
    this.#hold(await this.#store.find(subjects).catch(away))
  }

  /** Hears what is new since the last time, and tells what the store may not have. Throws StoreUnavailable. */
  async poll(): Promise<void> {
    this.#sweep()
    await this.#hear().catch(away)
    const untold = [...this.#untold.values()]
    for (let from = 0; from < untold.length; from += TOLD_AT_ONCE) {
      await this.#tell(untold.slice(from, from + TOLD_AT_ONCE))
    }
  }

  async #hear(): Promise<void> {
    for (let more = true; more; ) {
      const askedAtMs = this.#clocks.elapsedMs()
      const asked = this.#version
      const heard = await this.#store.since(asked)
      this.#hold(heard.changes)
      if (heard.whole && asked !== null) this.#storeWasEmptied()
      more = heard.more
      // One that was overtaken by a later one says nothing new.
      if (askedAtMs < this.#heardAtMs) return
      this.#version = heard.version
      if (!more) this.#heardAtMs = askedAtMs
    }
  }

  /** The store may have lost its records: every node publishes again what it holds. */
  #storeWasEmptied(): void {
    for (const [subject, { noted }] of this.#held) this.#untold.set(subject, noted)
    for (const listener of this.#listeners) listener(null)
  }

  async #tell(changes: readonly Noted[]): Promise<void> {
    await this.#store.note(changes, this.#clocks.now()).catch(away)
    for (const { subject, pos } of changes) {
      if (pos >= (this.#untold.get(subject)?.pos ?? pos)) this.#untold.delete(subject)
    }
  }

  #hold(changes: readonly Noted[]): void {
    const untilMs = this.#clocks.elapsedMs() + REVOCATIONS_KEPT_MS
    for (const noted of changes) {
      const { subject, pos } = noted
      const before = this.#held.get(subject)
      if (before !== undefined && before.noted.pos >= pos) continue
      this.#held.delete(subject)
      this.#held.set(subject, { noted, untilMs })
      for (const listener of this.#listeners) listener(subject)
    }
  }

  #sweep(): void {
    const nowMs = this.#clocks.elapsedMs()
    for (const [subject, { untilMs }] of this.#held) {
      if (untilMs > nowMs) return
      this.#held.delete(subject)
      this.#untold.delete(subject)
    }
  }
}

/** Any failure of the store becomes StoreUnavailable: whether the revocation was published is then unknown. */
function away(why: unknown): never {
  if (why instanceof StoreUnavailable) throw why
  throw new StoreUnavailable(`Revocations: ${why instanceof Error ? why.message : String(why)}`, why)
}
