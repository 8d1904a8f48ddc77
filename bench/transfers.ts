// Files' bytes over HTTP, four transfers at once. Uploads are hashed, synced and recorded, beside Node discarding the same
// bytes; downloads are metered in the log, beside nginx with sendfile, and beside Node sending the same file and doing nothing
// else. Links are made before the processor's time is read.

import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openCabinet } from './cabinet.ts'
import { freshServer } from './fresh.ts'
import { cpuSecondsOf, inTurn, type Size } from './measure.ts'
import { startNginx } from './nginx-limit.ts'
import { type Loader, type Server, startDiscard, startLoader, startSend } from './processes.ts'
import type { BenchRow } from './row.ts'
import { beside, fastEnough } from './verdict.ts'

const AT_ONCE = 4
const MIB = 1_048_576
/** Bytes moved in a round: enough for the processor's clock, which ticks a hundred times a second. */
const ROUND_BYTES = 512 * MIB
const UPLOADS = [
  { mib: 1, goal: 0.3 },
  { mib: 16, goal: 0.35 },
]
const DOWNLOADS = [
  { mib: 1, goal: 0.4 },
  { mib: 16, goal: 0.45 },
]

export async function benchUpload(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const fresh = await freshServer()
  const limit = await startDiscard()
  try {
    const cabinet = await openCabinet(fresh, loader)
    const rows: BenchRow[] = []
    for (const { mib, goal } of UPLOADS) {
      const bodyBytes = mib * MIB
      const count = countOf(size, bodyBytes)
      const cost = (server: Server, requests: readonly string[]) => costOf(loader, server, requests, bodyBytes)
      const discarded = Array.from({ length: count }, () => putText(bodyBytes))
      const costs = await inTurn(size.rounds, {
        limit: () => cost(limit, discarded),
        ours: async () => {
          const seconds = await cost(fresh.server, await cabinet.puts(count, bodyBytes))
          await removeBlobs(fresh.dataDir)
          return seconds
        },
      })
      const what = `upload ${mib} MiB, sha256, fsync, ${AT_ONCE} at once / Node discarding it`
      rows.push(fastEnough({ what, limit: costs.limit, ours: costs.ours }, goal))
    }
    return rows
  } finally {
    await Promise.all([limit.stop(), fresh.stop(), loader.stop()])
  }
}

export async function benchDownload(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const fresh = await freshServer()
  const limit = await startNginx(DOWNLOADS.map(({ mib }) => mib * MIB))
  try {
    const cabinet = await openCabinet(fresh, loader)
    const rows: BenchRow[] = []
    for (const { mib, goal } of DOWNLOADS) {
      const bytes = mib * MIB
      const count = countOf(size, bytes)
      const link = await cabinet.get(bytes)
      const cost = (server: Server, request: string) => {
        const requests = Array.from({ length: count }, () => request)
        return costOf(loader, server, requests)
      }
      const path = `GET /${bytes} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
      const bare = await startSend(join(fresh.dataDir, `bare ${bytes}`), bytes)
      const costs = await inTurn(size.rounds, {
        limit: () => cost(limit, path),
        bare: () => cost(bare, path),
        ours: async () => cost(fresh.server, await link()),
      })
      await bare.stop()
      const what = `download ${mib} MiB, ${AT_ONCE} at once`
      rows.push(fastEnough({ what: `${what} / nginx sendfile`, limit: costs.limit, ours: costs.ours }, goal))
      rows.push(beside({ what: `${what} / Node sending a file, no more`, limit: costs.bare, ours: costs.ours }))
    }
    return rows
  } finally {
    await Promise.all([limit.stop(), fresh.stop(), loader.stop()])
  }
}

/**
 * What was uploaded goes, so that the next round is written into memory that this machine had before. A virtual machine is given
 * memory page by page, as it is first touched, which costs several times what writing into it does.
 */
const removeBlobs = async (dataDir: string): Promise<void> => {
  const files = join(dataDir, 'files')
  const names = await readdir(files, { recursive: true, withFileTypes: true })
  for (const one of names) if (one.isFile()) await rm(join(one.parentPath, one.name))
}

const countOf = ({ quick }: Size, bytes: number): number => Math.ceil((quick ? ROUND_BYTES / 2 : ROUND_BYTES) / bytes)

const putText = (bytes: number): string => `PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${bytes}\r\n\r\n`

async function costOf(
  loader: Loader,
  { port, pid }: Server,
  requests: readonly string[],
  bodyBytes = 0,
): Promise<number> {
  const before = cpuSecondsOf(pid)
  await loader.load({ port, connections: AT_ONCE, requests, bodyBytes })
  return (cpuSecondsOf(pid) - before) / requests.length
}
