// One node's download usage of one bucket: pre-reserved bytes that no download uses yet, and used bytes that are not
// recorded yet.

import { randomIds } from '../credentials/command-ids.ts'
import { monthOf } from '../domain/quota.ts'
import type { CommandDeps } from './command-deps.ts'
import { isUsedUp, recordSent, refundUnsent, reserveBytes } from './download.ts'

export const MAX_PRERESERVED_BYTES = 64 * 1_048_576
/** Downloads recorded in one event. */
const MAX_USED = 1_000

export interface LedgerOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called if releasing pre-reserved bytes or recording used ones fails. */
  readonly failed: (error: unknown) => void
  /** Number of calls within two flush intervals from which bytes are pre-reserved. */
  readonly busyFrom: number
}

/** Reports how many of the reserved bytes were not sent. Call it at most once. */
type ReportUnsent = (unsent: number) => Promise<void>

export class BucketLedger {
  readonly #commands: CommandDeps
  readonly #bucket: string
  readonly #options: LedgerOptions
  /** Pre-reserved bytes that no download uses yet, and their month. */
  #prereserved = { bytes: 0, month: '' }
  /** Download -> used bytes that are not recorded yet. */
  #used = new Map<string, number>()
  /** Requested bytes and calls since the last flush, and in the interval before. */
  #demand = { bytes: 0, bytesBefore: 0, calls: 0, callsBefore: 0 }
  /** Set while more bytes are pre-reserved. */
  #reserving: Promise<unknown> | null = null
  /** Set while pre-reserved bytes are released. */
  #releasing: Promise<boolean> | null = null

  constructor(commands: CommandDeps, bucket: string, options: LedgerOptions) {
    this.#commands = commands
    this.#bucket = bucket
    this.#options = options
  }

  /** See `DownloadUsage.reserveBytes`. */
  async reserveBytes(download: string, bytes: number): Promise<ReportUnsent> {
    this.#demand.bytes += bytes
    this.#demand.calls++
    // One caller at a time pre-reserves. If that was not enough for the waiting ones, each reserves its own bytes.
    if (!this.#handOut(download, bytes)) {
      if (this.#reserving === null) return this.#reserveNow(download, bytes)
      await this.#reserving
      if (!this.#handOut(download, bytes)) return this.#reserveNow(download, bytes)
    }
    return this.#refund(download, this.#prereserved.month)
  }

  /** Releases all pre-reserved bytes and records the used ones. Concurrent calls share one promise. */
  release(): Promise<boolean> {
    this.#releasing ??= this.#empty().finally(() => {
      this.#releasing = null
    })
    return this.#releasing
  }

  /**
   * Records used bytes; also releases pre-reserved ones if there was no call since the last flush, or if `all`. True if
   * nothing is left: the ledger can be dropped if `isIdle` is still true.
   */
  async flush(all: boolean): Promise<boolean> {
    const { bytes, calls } = this.#demand
    const isAtRest = all || bytes === 0
    this.#demand = { bytes: 0, bytesBefore: bytes, calls: 0, callsBefore: calls }
    if (isAtRest) await this.#empty()
    else await this.#recordUsed()
    return isAtRest && this.isIdle
  }

  /** Nothing is pre-reserved or being reserved, and no bytes were requested in the last two intervals. */
  get isIdle(): boolean {
    const { bytes, bytesBefore } = this.#demand
    return this.#prereserved.bytes === 0 && bytes + bytesBefore === 0 && this.#reserving === null
  }

  #handOut(download: string, bytes: number): boolean {
    const prereserved = this.#prereserved
    if (prereserved.bytes < bytes || prereserved.month !== monthOf(this.#options.now())) return false
    prereserved.bytes -= bytes
    this.#used.set(download, (this.#used.get(download) ?? 0) + bytes)
    if (this.#used.size >= MAX_USED) void this.#recordUsed().catch(this.#options.failed)
    return true
  }

  /** Unsent bytes become pre-reserved again, unless they are already recorded as used. */
  #refund(download: string, month: string): ReportUnsent {
    return async (unsent) => {
      const handed = this.#used.get(download) ?? 0
      if (handed < unsent || this.#prereserved.month !== month) return this.#recordUnsent(download, unsent, month)
      this.#used.set(download, handed - unsent)
      this.#prereserved.bytes += unsent
    }
  }

  async #reserveNow(download: string, bytes: number): Promise<ReportUnsent> {
    const demand = this.#demand
    const others = demand.bytes + demand.bytesBefore - bytes
    const isBusy = demand.calls + demand.callsBefore >= this.#options.busyFrom
    const room = MAX_PRERESERVED_BYTES - this.#prereserved.bytes
    const prereserved = isBusy && this.#reserving === null ? Math.max(0, Math.min(others, room)) : 0
    const reserving = this.#reserve({ download, bytes, prereserved })
    if (prereserved > 0) this.#reserving = reserving.catch(() => {})
    try {
      const { month, prereserved: added } = await reserving
      if (added > 0) await this.#addPrereserved(added, month)
      return (unsent) => this.#recordUnsent(download, unsent, month)
    } finally {
      if (prereserved > 0) this.#reserving = null
    }
  }

  async #reserve(wanted: Parameters<typeof reserveBytes>[2]) {
    try {
      return await reserveBytes(this.#commands, this.#bucket, wanted, this.#context())
    } catch (error) {
      // Bytes that this node pre-reserved must not make a download fail.
      if (!isUsedUp(error) || !(await this.release())) throw error
      return reserveBytes(this.#commands, this.#bucket, wanted, this.#context())
    }
  }

  async #addPrereserved(bytes: number, month: string): Promise<void> {
    const before = this.#prereserved
    if (before.month === month) {
      before.bytes += bytes
      return
    }
    this.#prereserved = { bytes, month }
    if (before.bytes > 0) await this.#recordUnsent(null, before.bytes, before.month).catch(this.#options.failed)
  }

  async #recordUsed(): Promise<void> {
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Map()
    await recordSent(this.#commands, this.#bucket, used, this.#context())
  }

  /** If one of the two fails, the other is done nevertheless. */
  async #empty(): Promise<boolean> {
    const { bytes, month } = this.#prereserved
    const used = this.#used
    this.#prereserved.bytes = 0
    await Promise.all([this.#recordUsed(), bytes > 0 && this.#recordUnsent(null, bytes, month)])
    return bytes > 0 || used.size > 0
  }

  #recordUnsent(download: string | null, bytes: number, month: string): Promise<void> {
    return refundUnsent(this.#commands, this.#bucket, { download, bytes, month }, this.#context())
  }

  #context() {
    const nowMs = this.#options.now()
    return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs }
  }
}
