// Counts downloads before they are sent, in few events however many and however small they are: a node counts ahead for
// each bucket, as much again as it sent of it lately, and hands that out from memory. What was not handed out is given
// back once the bucket is at rest. A node that is killed leaves at most AHEAD_MOST_BYTES of each bucket counted that
// nobody got.

import { freshMinting } from '../credentials/mint.ts'
import { monthOf } from '../domain/quota.ts'
import type { CommandDeps } from './deps.ts'
import { cutOff, isUsedUp, sending, sent } from './download.ts'

export const AHEAD_MOST_BYTES = 64 * 1_048_576
/** Downloads that are told of together. */
const USED_MOST = 1_000
const SETTLED_EVERY_MS = 1_000
/**
 * Before a bucket was asked for so often within two seconds it is not busy, and what is counted of it is what was sent.
 */
const BUSY_FROM = 16

export interface Meter {
  /**
   * So many bytes of a download are about to be sent. Answers what is to be told, once, how many of them were not.
   * Rejects as `sending` does: then they must not be sent.
   */
  sending(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /**
   * Told once in a while: says what was handed out, and gives back what is ahead of buckets that are at rest; where
   * `all`, of all.
   */
  settle(all?: boolean): Promise<void>
  /**
   * Says what was handed out of a bucket and gives back what is ahead of it, at once: for who is refused while this
   * node alone stands in the way. Whether there was anything. Rejects as `sending` does.
   */
  giveBack(bucket: string): Promise<boolean>
  /** After the last download. What cannot be given back stays counted. */
  close(): Promise<void>
}

/** One bucket on this node. */
interface Ledger {
  /** Counted ahead and not handed out, in this month. */
  rest: number
  month: string
  /** Handed out, by download, and not told yet. */
  used: Map<string, number>
  /** Asked for since the last settling, and between that and the one before. */
  lately: number
  before: number
  /** How often that was. */
  asks: number
  asksBefore: number
  /** While more is counted ahead. */
  taking: Promise<unknown> | null
  /** While what is ahead is given back. */
  givingBack: Promise<boolean> | null
}

/** `now`: Unix milliseconds. `failed`: what was counted ahead cannot be given back, or not be told of. */
export function createMeter(
  commands: CommandDeps,
  now: () => number,
  failed: (why: unknown) => void,
  everyMs = SETTLED_EVERY_MS,
  busyFrom = BUSY_FROM,
): Meter {
  const ledgers = new Map<string, Ledger>()
  const own = () => ({ ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs: now() })

  const cut = (bucket: string, download: string | null, bytes: number, month: string) =>
    cutOff(commands, bucket, { download, bytes, month }, own())

  function ledgerOf(bucket: string): Ledger {
    const known = ledgers.get(bucket)
    if (known !== undefined) return known
    const made: Ledger = {
      rest: 0,
      month: '',
      used: new Map(),
      lately: 0,
      before: 0,
      asks: 0,
      asksBefore: 0,
      taking: null,
      givingBack: null,
    }
    ledgers.set(bucket, made)
    return made
  }

  function handedOut(one: Ledger, bucket: string, download: string, bytes: number): boolean {
    if (one.rest < bytes || one.month !== monthOf(now())) return false
    one.rest -= bytes
    one.used.set(download, (one.used.get(download) ?? 0) + bytes)
    if (one.used.size >= USED_MOST) void told(one, bucket).catch(failed)
    return true
  }

  /** To where it came from, as long as that was told to nobody. */
  function takenBack(one: Ledger, bucket: string, download: string, month: string) {
    return async (unsent: number) => {
      const handed = one.used.get(download) ?? 0
      if (handed < unsent || one.month !== month) return cut(bucket, download, unsent, month)
      one.used.set(download, handed - unsent)
      one.rest += unsent
    }
  }

  async function counting(bucket: string, wanted: Parameters<typeof sending>[2]) {
    try {
      return await sending(commands, bucket, wanted, own())
    } catch (why) {
      // What was counted ahead here is in nobody's way.
      if (!isUsedUp(why) || !(await giveBack(bucket))) throw why
      return sending(commands, bucket, wanted, own())
    }
  }

  async function counted(one: Ledger, bucket: string, download: string, bytes: number) {
    const others = one.lately + one.before - bytes
    const isBusy = one.asks + one.asksBefore >= busyFrom
    const ahead = isBusy && one.taking === null ? Math.max(0, Math.min(others, AHEAD_MOST_BYTES - one.rest)) : 0
    const taking = counting(bucket, { download, bytes, ahead })
    if (ahead > 0) one.taking = taking.catch(() => {})
    try {
      const { month, ahead: further } = await taking
      if (further > 0) await add(one, bucket, further, month)
      return (unsent: number) => cut(bucket, download, unsent, month)
    } finally {
      if (ahead > 0) one.taking = null
    }
  }

  async function add(one: Ledger, bucket: string, bytes: number, month: string): Promise<void> {
    const { rest, month: before } = one
    one.rest = before === month ? rest + bytes : bytes
    one.month = month
    if (before !== month && rest > 0) await cut(bucket, null, rest, before).catch(failed)
  }

  async function told(one: Ledger, bucket: string): Promise<void> {
    const { used } = one
    if (used.size === 0) return
    one.used = new Map()
    await sent(commands, bucket, used, own())
  }

  /** One of them may fail: the other is done nevertheless. */
  async function emptied(one: Ledger, bucket: string): Promise<boolean> {
    const { rest, month, used } = one
    one.rest = 0
    await Promise.all([told(one, bucket), rest > 0 && cut(bucket, null, rest, month)])
    return rest > 0 || used.size > 0
  }

  /** Those who ask meanwhile wait for the same. */
  async function giveBack(bucket: string): Promise<boolean> {
    const one = ledgers.get(bucket)
    if (one === undefined) return false
    one.givingBack ??= emptied(one, bucket).finally(() => {
      one.givingBack = null
    })
    return one.givingBack
  }

  async function settleOne(bucket: string, one: Ledger, all: boolean): Promise<void> {
    const { lately } = one
    const isAtRest = all || lately === 0
    one.before = lately
    one.lately = 0
    one.asksBefore = one.asks
    one.asks = 0
    if (isAtRest) await emptied(one, bucket)
    else await told(one, bucket)
    // Whoever waits for bytes of it finds it here.
    if (isAtRest && one.rest === 0 && one.lately + one.before === 0 && one.taking === null) ledgers.delete(bucket)
  }

  async function settle(all = false): Promise<void> {
    await Promise.all([...ledgers].map(([bucket, one]) => settleOne(bucket, one, all).catch(failed)))
  }

  const timer = setInterval(() => void settle(), everyMs)
  timer.unref()

  return {
    async sending(bucket, download, bytes) {
      const one = ledgerOf(bucket)
      one.lately += bytes
      one.asks++
      // More is counted by one at a time; where it was not enough for all who waited, each counts their own.
      if (!handedOut(one, bucket, download, bytes)) {
        if (one.taking === null) return counted(one, bucket, download, bytes)
        await one.taking
        if (!handedOut(one, bucket, download, bytes)) return counted(one, bucket, download, bytes)
      }
      return takenBack(one, bucket, download, one.month)
    },
    settle,
    giveBack,
    async close() {
      clearInterval(timer)
      await settle(true)
    },
  }
}
