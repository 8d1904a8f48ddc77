// Uploads over HTTP, four at once, hashed, synced and recorded. The limit is Node discarding the same bytes. The links
// are created before the measurement.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openBucket } from './support/bucket.ts'
import { freshServer } from './support/fresh-server.ts'
import { inTurn, type Size } from './support/measure.ts'
import { type Server, startDiscard, startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { CONCURRENCY, costOf, countOf, MIB } from './support/transfers.ts'

const UPLOADS = [
  { mib: 1, goal: 0.3 },
  { mib: 16, goal: 0.35 },
]

export async function benchUpload(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const fresh = await freshServer()
  const limit = await startDiscard()
  try {
    const bucket = await openBucket(fresh, loader)
    const rows: BenchRow[] = []
    for (const { mib, goal } of UPLOADS) {
      const bodyBytes = mib * MIB
      const count = countOf(size, bodyBytes)
      const cost = (server: Server, requests: readonly string[]) => costOf(loader, server, requests, bodyBytes)
      const discarded = Array.from({ length: count }, () => putText(bodyBytes))
      const costs = await inTurn(size.rounds, {
        limit: () => cost(limit, discarded),
        ours: async () => {
          const seconds = await cost(fresh.server, await bucket.puts(count, bodyBytes))
          await removeBlobs(fresh.dataDir)
          return seconds
        },
      })
      const what = `upload ${mib} MiB, sha256, fsync, ${CONCURRENCY} at once / Node discarding it`
      rows.push(fastEnough({ what, limit: costs.limit, ours: costs.ours }, goal))
    }
    return rows
  } finally {
    await Promise.all([limit.stop(), fresh.stop(), loader.stop()])
  }
}

/**
 * Deletes the uploads, so that the next round reuses memory. A virtual machine gets memory page by page on first touch,
 * which costs several times as much as writing to it.
 */
const removeBlobs = async (dataDir: string): Promise<void> => {
  const files = join(dataDir, 'files')
  const names = await readdir(files, { recursive: true, withFileTypes: true })
  for (const one of names) if (one.isFile()) await rm(join(one.parentPath, one.name))
}

const putText = (bytes: number): string => `PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${bytes}\r\n\r\n`
