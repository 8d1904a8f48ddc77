// What checking a bearer token costs, beside the whole cost of the cheapest read it stands before: a token never seen, and
// one seen before. The read is measured over HTTP; the check in this process, on the same installation's stores.

import { cp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { workingKeys } from '../credentials/master.ts'
import { createTokens, type Tokens } from '../credentials/tokens.ts'
import { ALL_VIEWS } from '../projections/all.ts'
import { viewKey } from '../projections/projection.ts'
import { authenticate } from '../queries/access.ts'
import type { QueryDeps } from '../queries/deps.ts'
import { openEmbedded } from '../stores/embedded/open.ts'
import { freshFolder } from './fresh.ts'
import { inTurn, ownCpuSeconds, type Size } from './measure.ts'
import { startLoader, startOurs } from './processes.ts'
import type { BenchRow } from './row.ts'
import { submitting } from './submit.ts'
import { cheapEnough } from './verdict.ts'
import { getText, handshake } from './world.ts'

const IN_FLIGHT = 64
const REQUESTS = 8_000
const CACHED_CHECKS = 200_000

export async function benchBearer(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const made = await submitting(loader, {})
  const folder = await freshFolder()
  await made.server.stop()
  await cp(made.dataDir, folder, { recursive: true })
  const server = await startOurs(made.dataDir)
  const inside = await checking(folder)
  try {
    const gets = made.tokens.flatMap((token) => getText(`/api/lb/${made.world.board}/`, token))
    const requests = Array.from({ length: REQUESTS }, (_, i) => gets[i % gets.length] ?? '')
    const costs = await inTurn(size.rounds, {
      get: () => loader.cost(server, IN_FLIGHT, requests),
      uncached: () => inside.uncached(made.tokens),
      cached: () => inside.cached(made.tokens),
    })
    const what = 'bearer check / a whole GET of a leaderboard'
    return [
      cheapEnough({ what: `${what}, token not seen before`, limit: costs.get, ours: costs.uncached }, 0.15),
      cheapEnough({ what: `${what}, token seen before`, limit: costs.get, ours: costs.cached }, 0.02),
    ]
  } finally {
    await Promise.all([server.stop(), inside.stop(), loader.stop()])
    await made.stop()
    await rm(folder, { recursive: true })
  }
}
