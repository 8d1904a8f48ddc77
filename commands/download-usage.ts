// Counts downloads before they are sent, in few events however many and however small they are: a node counts ahead for
// each bucket, as much again as it sent of it lately, and hands that out from memory. What was not handed out is given
// back once the bucket is at rest. A node that is killed leaves at most AHEAD_MOST_BYTES of each bucket counted that
// nobody got.

import { BucketLedger, type LedgerOptions } from './bucket-ledger.ts'
import type { CommandDeps } from './command-deps.ts'

const FLUSH_EVERY_MS = 1_000
/**
 * Before a bucket was asked for so often within two seconds it is not busy, and what is counted of it is what was sent.
 */
const BUSY_FROM = 16

export interface DownloadUsageOptions extends Pick<LedgerOptions, 'now' | 'failed'> {
  /** Milliseconds between two settlings. */
  readonly everyMs?: number
  readonly busyFrom?: number
}

export interface DownloadUsage {
  /**
   * So many bytes of a download are about to be sent. Returns a function to call once with the number of bytes that were not sent.
   * Rejects as `sending` does: then they must not be sent.
   */
  reserveBytes(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /**
   * Told once in a while: says what was handed out, and gives back what is ahead of buckets that are at rest; where
   * `all`, of all.
   */
  flush(all?: boolean): Promise<void>
  /**
   * Says what was handed out of a bucket and gives back what is ahead of it, at once: for who is refused while this
   * node alone stands in the way. Whether there was anything. Rejects as `sending` does.
   */
  release(bucket: string): Promise<boolean>
  /** After the last download. What cannot be given back stays counted. */
  close(): Promise<void>
}

export function createDownloadUsage(commands: CommandDeps, options: DownloadUsageOptions): DownloadUsage {
  const { now, failed, everyMs = FLUSH_EVERY_MS, busyFrom = BUSY_FROM } = options
  const ledgers = new Map<string, BucketLedger>()

  function ledgerOf(bucket: string): BucketLedger {
    const known = ledgers.get(bucket)
    if (known !== undefined) return known
    const made = new BucketLedger(commands, bucket, { now, failed, busyFrom })
    ledgers.set(bucket, made)
    return made
  }

  async function flushOne(bucket: string, ledger: BucketLedger, all: boolean): Promise<void> {
    // A caller that waits for bytes of it finds it here. `isIdle` is read in the same tick as the ledger is deleted: a call may
    // have come after the last look of `settle`, and two settlings may end after each other.
    if ((await ledger.flush(all)) && ledger.isIdle && ledgers.get(bucket) === ledger) ledgers.delete(bucket)
  }

  async function flush(all = false): Promise<void> {
    await Promise.all([...ledgers].map(([bucket, ledger]) => flushOne(bucket, ledger, all).catch(failed)))
  }

  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()

  return {
    reserveBytes: (bucket, download, bytes) => ledgerOf(bucket).reserveBytes(download, bytes),
    flush,
    release: async (bucket) => (await ledgers.get(bucket)?.release()) ?? false,
    async close() {
      clearInterval(timer)
      await flush(true)
    },
  }
}
