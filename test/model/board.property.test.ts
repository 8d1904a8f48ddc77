// Compares every answer about random boards completely with the big-decimal model: 220 boards in `npm test`, 2,000 in
// `npm run test:full`, 100,000 in `npm run proof:reads`.

import { expect } from 'chai'
import type { WindowIndexEvent } from '../../queries/windows/windows.ts'
import { SEED, sized } from '../seeds.ts'
import { ON_SERVERS } from '../servers/store-urls.ts'
import { proveReads, proveReadsOverHttp } from './prove-reads.ts'

/** On the servers under test every search scans all documents. */
const OVER_HTTP = ON_SERVERS ? 15 : sized(20, 50)
/** For each of the two tests without HTTP. */
const DIRECTLY = sized(100, 950)

describe('random boards against the model', () => {
  it(`answers ${OVER_HTTP} boards over HTTP as the model does`, async () => {
    const { report, ...proof } = await proveReadsOverHttp({ boards: OVER_HTTP, seed: SEED + 1_000_000 })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: OVER_HTTP, differences: 0, seed: SEED + 1_000_000 })
  }).timeout(240_000)

  // The other tests use no store on a server.
  if (ON_SERVERS) return

  it(`answers ${DIRECTLY} boards through the route handlers as the model does`, async () => {
    const { report, ...proof } = await proveReads({ boards: DIRECTLY, seed: SEED })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: DIRECTLY, differences: 0, seed: SEED })
  }).timeout(300_000)

  it(`answers ${DIRECTLY} boards with indexed windows of any size as the model does`, async () => {
    const counts = { made: 0, evicted: 0, failed: 0 }
    const windows = {
      from: -1,
      maxBytes: 2 ** 30,
      atOnce: true,
      onEvent: (what: WindowIndexEvent) => void counts[what]++,
    }
    const seed = SEED + 2_000_000
    const { report, ...proof } = await proveReads({ boards: DIRECTLY, seed, windows })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: DIRECTLY, differences: 0, seed })
    expect([counts.failed, counts.made > DIRECTLY / 10]).to.deep.equal([0, true])
  }).timeout(300_000)
})
