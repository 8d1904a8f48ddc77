// What one node counted of one bucket's downloads: bytes counted ahead and not handed out yet, and bytes handed out and not
// recorded yet.

import { randomIds } from '../credentials/command-ids.ts'
import { monthOf } from '../domain/quota.ts'
import type { CommandDeps } from './command-deps.ts'
import { isUsedUp, recordSent, refundUnsent, reserveBytes } from './download.ts'

export const MAX_PRERESERVED_BYTES = 64 * 1_048_576
/** Downloads that are recorded together. */
const MAX_USED = 1_000

export interface LedgerOptions {
  /** Unix milliseconds. */
  readonly now: () => number
  /** Called where what was counted ahead cannot be given back, or what was handed out cannot be recorded. */
  readonly failed: (error: unknown) => void
  /** Calls within two settlings from which on a bucket is busy, and bytes are counted ahead. */
  readonly busyFrom: number
}

/** Records how many of the bytes were not sent. Once only. */
type ReportUnsent = (unsent: number) => Promise<void>

export class BucketLedger {
  readonly #commands: CommandDeps
  readonly #bucket: string
  readonly #options: LedgerOptions
  /** Bytes counted ahead and not handed out, in this month. */
  #prereserved = { bytes: 0, month: '' }
  /** Bytes handed out and not recorded yet, by download. */
  #used = new Map<string, number>()
  /** Bytes and calls since the last settling, and between that and the one before. */
  #demand = { bytes: 0, bytesBefore: 0, calls: 0, callsBefore: 0 }
  /** While more is counted ahead. */
  #reserving: Promise<unknown> | null = null
  /** While what is ahead is given back. */
  #releasing: Promise<boolean> | null = null

  constructor(commands: CommandDeps, bucket: string, options: LedgerOptions) {
    this.#commands = commands
    this.#bucket = bucket
    this.#options = options
  }

  /** As `Meter.sending`. */
  async reserveBytes(download: string, bytes: number): Promise<ReportUnsent> {
    this.#demand.bytes += bytes
    this.#demand.calls++
    // More is counted by one caller at a time; where it was not enough for all who waited, each counts their own.
    if (!this.#handOut(download, bytes)) {
      if (this.#reserving === null) return this.#reserveNow(download, bytes)
      await this.#reserving
      if (!this.#handOut(download, bytes)) return this.#reserveNow(download, bytes)
    }
    return this.#refund(download, this.#prereserved.month)
  }

  /** Gives back all that is ahead, and records what was handed out. Calls that come meanwhile wait for the same. */
  release(): Promise<boolean> {
    this.#releasing ??= this.#empty().finally(() => {
      this.#releasing = null
    })
    return this.#releasing
  }

  /**
   * Records what was handed out, and gives back what is ahead where no call came since the last settling, or where `all`. True
   * where nothing was left: if `isIdle` is still true, the ledger is needed no more.
   */
  async flush(all: boolean): Promise<boolean> {
    const { bytes, calls } = this.#demand
    const isAtRest = all || bytes === 0
    this.#demand = { bytes: 0, bytesBefore: bytes, calls: 0, callsBefore: calls }
    if (isAtRest) await this.#empty()
    else await this.#recordUsed()
    return isAtRest && this.isIdle
  }

  /** Nothing is ahead or being taken, and no bytes were asked for since the settling before the last. */
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

  /** Unsent bytes count as ahead again, as long as they are not recorded as handed out. */
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
      // What was counted ahead here must not refuse anybody.
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

  /** One of the two may fail: the other is done nevertheless. */
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
