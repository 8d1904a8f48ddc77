// What this node knows of revocations: its own at once, those of the others by asking the shared store every second.
// Who has not heard for two seconds asks for each call, and where the store does not answer, nobody is let in.

import { StoreUnavailable } from '../stores/contract/faults.ts'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../stores/contract/revocations.ts'

export const POLL_EVERY_MS = 1_000
/** What was noted this long ago acts on every node. */
export const SYNCED_WITHIN_MS = 2_000
/** Noted again in one call. */
const NOTES_PER_CALL = 500

interface Clocks {
  /** Unix milliseconds: from when on the store may delete the record. */
  now(): number
  /** Milliseconds that never go back: how long ago this node heard, and when it may let go. */
  elapsedMs(): number
}

interface KnownStatus {
  readonly noted: Noted
  readonly untilMs: number
}

export class NodeRevocations {
  readonly #store: Revocations
  readonly #clocks: Clocks
  /** In the order of their coming, so that those that end first come first. */
  readonly #known = new Map<Subject, KnownStatus>()
  /** What the store may not have: a note that failed, or everything after it was emptied. */
  readonly #unpublished = new Map<Subject, Noted>()
  readonly #listeners: ((subject: Subject | null) => void)[] = []
  #version: string | null = null
  #syncedAtMs = Number.NEGATIVE_INFINITY
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
  isSynced(atMs: number): boolean {
    return atMs - this.#syncedAtMs <= SYNCED_WITHIN_MS
  }

  /** Milliseconds since everything was known here. */
  syncAgeMs(): number {
    return this.#clocks.elapsedMs() - this.#syncedAtMs
  }

  /** How many statuses the store may not have yet. */
  get unpublished(): number {
    return this.#unpublished.size
  }

  /** How many statuses are held. */
  get size(): number {
    return this.#known.size
  }

  /** What is known of a subject, where that is newer than a document at `pos`. */
  newerThan(pos: string, subject: Subject): Noted | null {
    const noted = this.#known.get(subject)?.noted
    return noted !== undefined && noted.pos > pos ? noted : null
  }

  /**
   * Makes statuses known: here at once, and to all nodes by the store. Throws StoreUnavailable where it did not take them;
   * they are noted again with each poll, and sending the call again is safe.
   */
  async note(changes: readonly Noted[]): Promise<void> {
    if (changes.length === 0) return
    this.#remember(changes)
    for (const noted of changes) {
      const before = this.#unpublished.get(noted.subject)
      if (before === undefined || before.pos < noted.pos) this.#unpublished.set(noted.subject, noted)
    }
    await this.#publish(changes)
  }

  /** Asks the store for these; after that they are as known as can be. Throws StoreUnavailable. */
  async lookUp(subjects: readonly Subject[]): Promise<void> {
    this.#remember(await this.#store.find(subjects).catch(toUnavailable))
  }

  /** Hears what is new since the last time, and tells what the store may not have. Throws StoreUnavailable. */
  async poll(): Promise<void> {
    this.#sweep()
    await this.#sync().catch(toUnavailable)
    const unpublished = [...this.#unpublished.values()]
    for (let from = 0; from < unpublished.length; from += NOTES_PER_CALL) {
      await this.#publish(unpublished.slice(from, from + NOTES_PER_CALL))
    }
  }

  async #sync(): Promise<void> {
    for (let more = true; more; ) {
      const startedAtMs = this.#clocks.elapsedMs()
      const since = this.#version
      const answer = await this.#store.since(since)
      this.#remember(answer.changes)
      if (answer.whole && since !== null) this.#storeWasEmptied()
      more = answer.more
      // One that was overtaken by a later one says nothing new.
      if (startedAtMs < this.#syncedAtMs) return
      this.#version = answer.version
      if (!more) this.#syncedAtMs = startedAtMs
    }
  }

  /** The store may have lost its records: every node publishes again what it holds. */
  #storeWasEmptied(): void {
    for (const [subject, { noted }] of this.#known) this.#unpublished.set(subject, noted)
    for (const listener of this.#listeners) listener(null)
  }

  async #publish(changes: readonly Noted[]): Promise<void> {
    await this.#store.note(changes, this.#clocks.now()).catch(toUnavailable)
    for (const { subject, pos } of changes) {
      if (pos >= (this.#unpublished.get(subject)?.pos ?? pos)) this.#unpublished.delete(subject)
    }
  }

  #remember(changes: readonly Noted[]): void {
    const untilMs = this.#clocks.elapsedMs() + REVOCATIONS_KEPT_MS
    for (const noted of changes) {
      const { subject, pos } = noted
      const before = this.#known.get(subject)
      if (before !== undefined && before.noted.pos >= pos) continue
      this.#known.delete(subject)
      this.#known.set(subject, { noted, untilMs })
      for (const listener of this.#listeners) listener(subject)
    }
  }

  #sweep(): void {
    const nowMs = this.#clocks.elapsedMs()
    for (const [subject, { untilMs }] of this.#known) {
      if (untilMs > nowMs) return
      this.#known.delete(subject)
      this.#unpublished.delete(subject)
    }
  }
}

/** Any failure of the store becomes StoreUnavailable: whether the revocation was published is then unknown. */
function toUnavailable(error: unknown): never {
  if (error instanceof StoreUnavailable) throw error
  throw new StoreUnavailable(`Revocations: ${error instanceof Error ? error.message : String(error)}`, error)
}
