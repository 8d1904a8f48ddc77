// Counts downloads before their bytes are sent, with few events even for many small downloads: a node pre-reserves
// bytes of a busy bucket, as many as it sent recently, and assigns them from memory. It releases unused ones once the
// bucket is idle. A killed node leaves at most MAX_PRERESERVED_BYTES of each bucket counted without being sent.

import { BucketLedger, type LedgerOptions } from './bucket-ledger.ts'
import type { CommandDeps } from './command-deps.ts'

const FLUSH_EVERY_MS = 1_000
/** Number of calls for a bucket within two seconds from which bytes are pre-reserved. */
const BUSY_FROM = 16

export interface DownloadUsageOptions extends Pick<LedgerOptions, 'now' | 'failed'> {
  /** Milliseconds between two flushes. */
  readonly everyMs?: number
  readonly busyFrom?: number
}

export interface DownloadUsage {
  /**
   * Counts bytes of a download before they are sent. Returns a function to call once with the number of bytes that were
   * not sent. Rejects as `reserveBytes` in download.ts does: the bytes must not be sent.
   */
  reserveBytes(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>
  /**
   * Records used bytes, and releases pre-reserved bytes of idle buckets; with `all`, of all buckets. Runs at intervals.
   */
  flush(all?: boolean): Promise<void>
  /**
   * Records the used bytes of a bucket and releases its pre-reserved ones at once, before a download is refused because
   * of them. Whether there were any. Rejects as `reserveBytes` does.
   */
  release(bucket: string): Promise<boolean>
  /** Call after the last download. Bytes that cannot be released stay counted. */
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
    // `isIdle` is checked again, in the same tick as the deletion: a call may have come since `flush` checked, and two
    // flushes may overlap.
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
