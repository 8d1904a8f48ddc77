// Downloads over HTTP, four at once, with usage accounting in the log. The limit is nginx with sendfile. The links are
// created before the measurement.

import { startNginx } from './limits/nginx.ts'
import { openBucket } from './support/bucket.ts'
import { freshServer } from './support/fresh-server.ts'
import { inTurn, type Size } from './support/measure.ts'
import { type Server, startLoader } from './support/processes.ts'
import { type BenchRow, fastEnough } from './support/row.ts'
import { CONCURRENCY, costOf, countOf, MIB } from './support/transfers.ts'

const DOWNLOADS = [
  { mib: 1, goal: 0.4 },
  { mib: 16, goal: 0.45 },
]

export async function benchDownload(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const fresh = await freshServer()
  const limit = await startNginx(DOWNLOADS.map(({ mib }) => mib * MIB))
  try {
    const bucket = await openBucket(fresh, loader)
    const rows: BenchRow[] = []
    for (const { mib, goal } of DOWNLOADS) {
      const bytes = mib * MIB
      const count = countOf(size, bytes)
      const link = await bucket.get(bytes)
      const cost = (server: Server, request: string) => {
        const requests = Array.from({ length: count }, () => request)
        return costOf(loader, server, requests)
      }
      const path = `GET /${bytes} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
      const costs = await inTurn(size.rounds, {
        limit: () => cost(limit, path),
        ours: async () => cost(fresh.server, await link()),
      })
      const what = `download ${mib} MiB, ${CONCURRENCY} at once`
      rows.push(fastEnough({ what: `${what} / nginx sendfile`, limit: costs.limit, ours: costs.ours }, goal))
    }
    return rows
  } finally {
    await Promise.all([limit.stop(), fresh.stop(), loader.stop()])
  }
}
