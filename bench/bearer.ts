// The cost of checking a new and a known bearer token, relative to the cheapest read. The read is measured over HTTP,
// the check in this process on the same stores.

import { cp, rm } from 'node:fs/promises'
import { authenticate } from '../access/authenticate.ts'
import { NodeRevocations } from '../access/revocations.ts'
import { createStatuses } from '../access/statuses.ts'
import { sealingKeys, workingKeys } from '../credentials/master.ts'
import { createTokens, type Tokens } from '../credentials/tokens.ts'
import { queryDeps } from '../server/compose.ts'
import { openDataFolder } from '../stores/embedded/data-folder.ts'
import { openEmbedded } from '../stores/embedded/open.ts'
import { openSealed } from '../stores/log-decorators/sealing/open.ts'
import { STATUS_OPTIONS } from '../test/access/status-options.ts'
import { freshFolder } from './support/fresh-server.ts'
import { inTurn, ownCpuSeconds, type Size } from './support/measure.ts'
import { startLoader, startOurs } from './support/processes.ts'
import { type BenchRow, cheapEnough } from './support/row.ts'
import { submitting } from './support/submissions.ts'
import { getText } from './support/test-game.ts'

const IN_FLIGHT = 64
const REQUESTS = 5_000
/** Each has its own cache, so that no token is known. */
const CACHES = 20

export async function benchBearer(size: Size): Promise<BenchRow[]> {
  const loader = startLoader()
  const made = await submitting(loader, {})
  const folder = await freshFolder()
  await made.server.stop()
  await cp(made.dataDir, folder, { recursive: true })
  const server = await startOurs(made.dataDir)
  const inside = await checking(folder)
  try {
    const gets = made.tokens.map((token) => getText(`/api/lb/${made.world.board}/`, token))
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

/** The server's check, on the stores of a folder. */
async function checking(folder: string) {
  const opened = await openEmbedded(folder, { onFailure: () => {} })
  const { stores, root } = await openSealed(opened, sealingKeys(await openDataFolder(folder)), {})
  const { token: secret } = workingKeys(root)
  const clocks = { now: Date.now, elapsedMs: () => performance.now() }
  const revocations = new NodeRevocations(stores.revocations, clocks)
  await revocations.start()
  const statuses = createStatuses(queryDeps({ stores }), revocations, STATUS_OPTIONS)
  const seen = createTokens(secret)

  const checkAll = async (tokens: Tokens, all: readonly string[]) => {
    const nowMs = Date.now()
    for (const token of all) await authenticate(statuses, tokens, token, nowMs)
  }
  /** Processor seconds per check. The caches are created before the measurement. */
  const cost = async (all: readonly string[], caches: readonly Tokens[]) => {
    const seconds = await ownCpuSeconds(async () => {
      for (const tokens of caches) {
        await checkAll(tokens, all)
        // Yield as between requests, so that this node receives revocations.
        await new Promise(setImmediate)
      }
    })
    return seconds / (caches.length * all.length)
  }
  const caches = (made: () => Tokens) => Array.from({ length: CACHES }, made)
  return {
    uncached: (all: readonly string[]) =>
      cost(
        all,
        caches(() => createTokens(secret)),
      ),
    cached: (all: readonly string[]) =>
      cost(
        all,
        caches(() => seen),
      ),
    stop: () => {
      revocations.stop()
      return stores.close()
    },
  }
}
