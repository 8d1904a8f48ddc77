// The revocations known to this node: its own at once, those of other nodes by polling the shared store every second.
// If the last poll is older than two seconds, every call queries the store, and is refused if the store does not
// answer.

import { StoreUnavailable } from '../stores/contract/faults.ts'
import { type Noted, REVOCATIONS_KEPT_MS, type Revocations, type Subject } from '../stores/contract/revocations.ts'

export const POLL_EVERY_MS = 1_000
/** A revocation published longer ago than this is in force on every node. */
export const SYNCED_WITHIN_MS = 2_000
/** Statuses that one retry publishes together. */
const NOTES_PER_CALL = 500

interface Clocks {
  /** Unix milliseconds, from which the store computes the expiry of a record. */
  now(): number
  /** A monotonic clock in milliseconds, for the age of the last poll and for expiry on this node. */
  elapsedMs(): number
}

interface KnownStatus {
  readonly noted: Noted
  readonly untilMs: number
}

export class NodeRevocations {
  readonly #store: Revocations
  readonly #clocks: Clocks
  /** In order of arrival, so the first to expire come first. */
  readonly #known = new Map<Subject, KnownStatus>()
  /** Statuses that the store may lack: those whose publication failed, or all after the store was emptied. */
  readonly #unpublished = new Map<Subject, Noted>()
  readonly #listeners: ((subject: Subject | null) => void)[] = []
  #version: string | null = null
  #syncedAtMs = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(store: Revocations, clocks: Clocks) {
    this.#store = store
    this.#clocks = clocks
  }

  /** Polls once, then every second. Rejects if the first poll fails. */
  async start(): Promise<void> {
    await this.poll()
    // Polls may overlap: one without an answer must not delay the next.
    this.#timer = setInterval(() => void this.poll().catch(() => {}), POLL_EVERY_MS)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** The listener is called when a subject's status changes, or with null when every cached status may be wrong. */
  onChange(listener: (subject: Subject | null) => void): void {
    this.#listeners.push(listener)
  }

  /** Milliseconds of this node's monotonic clock. */
  elapsedMs(): number {
    return this.#clocks.elapsedMs()
  }

  /** Whether this node knows, at `atMs`, everything published more than two seconds before. */
  isSynced(atMs: number): boolean {
    return atMs - this.#syncedAtMs <= SYNCED_WITHIN_MS
  }

  /** Milliseconds since the last successful poll began. */
  syncAgeMs(): number {
    return this.#clocks.elapsedMs() - this.#syncedAtMs
  }

  /** Number of statuses that the store may lack. */
  get unpublished(): number {
    return this.#unpublished.size
  }

  /** Number of known statuses. */
  get size(): number {
    return this.#known.size
  }

  /** The known status of a subject if it is newer than a document at `pos`, else null. */
  newerThan(pos: string, subject: Subject): Noted | null {
    const noted = this.#known.get(subject)?.noted
    return noted !== undefined && noted.pos > pos ? noted : null
  }

  /**
   * Applies statuses on this node at once and publishes them to all nodes through the store. Throws StoreUnavailable if
   * the store did not accept them; each poll publishes them again, and the call can be repeated.
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

  /** Reads the present statuses of these subjects from the store. Throws StoreUnavailable. */
  async lookUp(subjects: readonly Subject[]): Promise<void> {
    this.#remember(await this.#store.find(subjects).catch(toUnavailable))
  }

  /** Reads new statuses and publishes those that the store may lack. Throws StoreUnavailable. */
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
      // A later poll has already finished.
      if (startedAtMs < this.#syncedAtMs) return
      this.#version = answer.version
      if (!more) this.#syncedAtMs = startedAtMs
    }
  }

  /** The store may have lost its records: every node publishes again what it knows. */
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
