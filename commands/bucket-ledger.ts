// What one node counted of one bucket's downloads: bytes counted ahead and not handed out yet, and bytes handed out and not
// recorded yet.

import { randomIds } from '../credentials/command-ids.ts'
import { monthOf } from '../domain/quota.ts'
import type { CommandDeps } from './command-deps.ts'
import { cutOff, isUsedUp, sending, sent } from './download.ts'

export const AHEAD_MOST_BYTES = 64 * 1_048_576
/** Downloads that are recorded together. */
const USED_MOST = 1_000

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
  #ahead = { bytes: 0, month: '' }
  /** Bytes handed out and not recorded yet, by download. */
  #used = new Map<string, number>()
  /** Bytes and calls since the last settling, and between that and the one before. */
  #asked = { bytes: 0, bytesBefore: 0, calls: 0, callsBefore: 0 }
  /** While more is counted ahead. */
  #taking: Promise<unknown> | null = null
  /** While what is ahead is given back. */
  #givingBack: Promise<boolean> | null = null

  constructor(commands: CommandDeps, bucket: string, options: LedgerOptions) {
    this.#commands = commands
    this.#bucket = bucket
    this.#options = options
  }

  /** As `Meter.sending`. */
  async sending(download: string, bytes: number): Promise<ReportUnsent> {
    this.#asked.bytes += bytes
    this.#asked.calls++
    // More is counted by one caller at a time; where it was not enough for all who waited, each counts their own.
    if (!this.#handOut(download, bytes)) {
      if (this.#taking === null) return this.#count(download, bytes)
      await this.#taking
      if (!this.#handOut(download, bytes)) return this.#count(download, bytes)
    }
    return this.#takeBack(download, this.#ahead.month)
  }

  /** Gives back all that is ahead, and records what was handed out. Calls that come meanwhile wait for the same. */
  giveBack(): Promise<boolean> {
    this.#givingBack ??= this.#empty().finally(() => {
      this.#givingBack = null
    })
    return this.#givingBack
  }

  /**
   * Records what was handed out, and gives back what is ahead where no call came since the last settling, or where `all`. True
   * where nothing was left: if `isIdle` is still true, the ledger is needed no more.
   */
  async settle(all: boolean): Promise<boolean> {
    const { bytes, calls } = this.#asked
    const isAtRest = all || bytes === 0
    this.#asked = { bytes: 0, bytesBefore: bytes, calls: 0, callsBefore: calls }
    if (isAtRest) await this.#empty()
    else await this.#recordUsed()
    return isAtRest && this.isIdle
  }

  /** Nothing is ahead or being taken, and no bytes were asked for since the settling before the last. */
  get isIdle(): boolean {
    const { bytes, bytesBefore } = this.#asked
    return this.#ahead.bytes === 0 && bytes + bytesBefore === 0 && this.#taking === null
  }

  #handOut(download: string, bytes: number): boolean {
    const ahead = this.#ahead
    if (ahead.bytes < bytes || ahead.month !== monthOf(this.#options.now())) return false
    ahead.bytes -= bytes
    this.#used.set(download, (this.#used.get(download) ?? 0) + bytes)
    if (this.#used.size >= USED_MOST) void this.#recordUsed().catch(this.#options.failed)
    return true
  }

  /** Unsent bytes count as ahead again, as long as they are not recorded as handed out. */
  #takeBack(download: string, month: string): ReportUnsent {
    return async (unsent) => {
      const handed = this.#used.get(download) ?? 0
      if (handed < unsent || this.#ahead.month !== month) return this.#cut(download, unsent, month)
      this.#used.set(download, handed - unsent)
      this.#ahead.bytes += unsent
    }
  }

  async #count(download: string, bytes: number): Promise<ReportUnsent> {
    const asked = this.#asked
    const others = asked.bytes + asked.bytesBefore - bytes
    const isBusy = asked.calls + asked.callsBefore >= this.#options.busyFrom
    const room = AHEAD_MOST_BYTES - this.#ahead.bytes
    const ahead = isBusy && this.#taking === null ? Math.max(0, Math.min(others, room)) : 0
    const taking = this.#counting({ download, bytes, ahead })
    if (ahead > 0) this.#taking = taking.catch(() => {})
    try {
      const { month, ahead: further } = await taking
      if (further > 0) await this.#add(further, month)
      return (unsent) => this.#cut(download, unsent, month)
    } finally {
      if (ahead > 0) this.#taking = null
    }
  }

  async #counting(wanted: Parameters<typeof sending>[2]) {
    try {
      return await sending(this.#commands, this.#bucket, wanted, this.#context())
    } catch (error) {
      // What was counted ahead here must not refuse anybody.
      if (!isUsedUp(error) || !(await this.giveBack())) throw error
      return sending(this.#commands, this.#bucket, wanted, this.#context())
    }
  }

  async #add(bytes: number, month: string): Promise<void> {
    const before = this.#ahead
    if (before.month === month) {
      before.bytes += bytes
      return
    }
    this.#ahead = { bytes, month }
    if (before.bytes > 0) await this.#cut(null, before.bytes, before.month).catch(this.#options.failed)
  }

  async #recordUsed(): Promise<void> {
    const used = this.#used
    if (used.size === 0) return
    this.#used = new Map()
    await sent(this.#commands, this.#bucket, used, this.#context())
  }

  /** One of the two may fail: the other is done nevertheless. */
  async #empty(): Promise<boolean> {
    const { bytes, month } = this.#ahead
    const used = this.#used
    this.#ahead.bytes = 0
    await Promise.all([this.#recordUsed(), bytes > 0 && this.#cut(null, bytes, month)])
    return bytes > 0 || used.size > 0
  }

  #cut(download: string | null, bytes: number, month: string): Promise<void> {
    return cutOff(this.#commands, this.#bucket, { download, bytes, month }, this.#context())
  }

  #context() {
    const nowMs = this.#options.now()
    return { ...randomIds(), call: null, repeated: false, actor: null, request: null, nowMs }
  }
}
