// Counts downloads before they are sent. Small parts of one download are counted ahead, as much again as it has had, and what
// of that was not fetched is given back when its link is over: so however small the parts, they are few events.

import { freshMinting } from '../credentials/mint.ts'
import type { CommandDeps } from './deps.ts'
import { cutOff, DOWNLOAD_LIFETIME_MS, sending } from './download.ts'

/** Parts of this many bytes and more are counted by themselves, to the byte. */
export const SMALL_BYTES = 65_536
export const AHEAD_MOST_BYTES = 1_048_576
/** Downloads whose small parts are remembered. */
const HELD_MOST = 10_000
const SETTLED_EVERY_MS = 5_000

export interface Meter {
  /**
   * So many bytes of a download are about to be sent. Answers what is to be told, once, how many of them were not. Rejects as
   * `sending` does: then they must not be sent.
   */
  sending(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /** Gives back what was counted ahead, of links that are over; where `all`, of every one. */
  settle(all?: boolean): Promise<void>
  /** After the last download. What cannot be given back stays counted. */
  close(): Promise<void>
}

interface Held {
  readonly bucket: string
  /** By then its link is over, whenever it was made. Unix milliseconds. */
  readonly untilMs: number
  /** Counted, so far. */
  counted: number
  /** Of that, what was not given out, in this month. */
  ahead: number
  month: string
  isSettled: boolean
  /** One at a time adds to it. */
  turn: Promise<unknown>
}

/** `now`: Unix milliseconds. `failed`: what was counted ahead cannot be given back. */
export function createMeter(commands: CommandDeps, now: () => number, failed: (why: unknown) => void): Meter {
  const held = new Map<string, Held>()
  const own = () => ({ ...freshMinting(), call: null, repeated: false, actor: null, request: null, nowMs: now() })

  const cut = (bucket: string, download: string, bytes: number, month: string) =>
    cutOff(commands, bucket, { download, bytes, month }, own())

  async function exactly(bucket: string, download: string, bytes: number) {
    const month = await sending(commands, bucket, download, bytes, own())
    return (unsent: number) => cut(bucket, download, unsent, month)
  }

  function heldOf(bucket: string, download: string): Held {
    const known = held.get(download)
    if (known !== undefined) return known
    const untilMs = now() + DOWNLOAD_LIFETIME_MS
    const made: Held = { bucket, untilMs, counted: 0, ahead: 0, month: '', isSettled: false, turn: Promise.resolve() }
    held.set(download, made)
    const [oldest] = held.keys()
    if (held.size > HELD_MOST && oldest !== undefined) settleOne(oldest).catch(failed)
    return made
  }

  async function partly(one: Held, download: string, bytes: number): Promise<(unsent: number) => Promise<void>> {
    const left = one.ahead
    let isMixed = false
    if (left >= bytes) one.ahead -= bytes
    else {
      const ahead = Math.min(one.counted, AHEAD_MOST_BYTES)
      const more = bytes - left + ahead
      const month = await sending(commands, one.bucket, download, more, own())
      isMixed = left > 0 && month !== one.month
      one.counted += more
      one.ahead = ahead
      one.month = month
    }
    const { month } = one
    return async (unsent) => {
      // Counted in two months, it is not known which of them to give it back to: it stays counted.
      if (isMixed) return
      if (one.isSettled || one.month !== month) await cut(one.bucket, download, unsent, month)
      else one.ahead += unsent
    }
  }

  async function settleOne(download: string): Promise<void> {
    const one = held.get(download)
    if (one === undefined) return
    held.delete(download)
    await one.turn
    one.isSettled = true
    const { ahead } = one
    one.ahead = 0
    if (ahead > 0) await cut(one.bucket, download, ahead, one.month)
  }

  async function settle(all = false): Promise<void> {
    const over = [...held].filter(([, { untilMs }]) => all || untilMs <= now())
    await Promise.all(over.map(([download]) => settleOne(download).catch(failed)))
  }

  const timer = setInterval(() => void settle(), SETTLED_EVERY_MS)
  timer.unref()

  return {
    sending(bucket, download, bytes) {
      if (bytes >= SMALL_BYTES) return exactly(bucket, download, bytes)
      const one = heldOf(bucket, download)
      const taking = one.turn.then(() => partly(one, download, bytes))
      one.turn = taking.catch(() => {})
      return taking
    },
    settle,
    async close() {
      clearInterval(timer)
      await settle(true)
    },
  }
}
