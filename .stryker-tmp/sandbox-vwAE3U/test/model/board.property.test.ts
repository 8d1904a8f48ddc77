// Every answer about random boards equals the big-decimal model's, whole: 2,000 boards
// here, 100,000 in `npm run proof`.

import { expect } from 'chai'
import type { WindowIndexEvent } from '../../queries/windows/windows.ts'
import { ON_SERVERS } from '../servers/places.ts'
import { proveReads, proveReadsOverHttp } from './prove-reads.ts'

/** Another one each day, told on failure. */
const SEED = Math.floor(Date.now() / 86_400_000)

/** On the servers under test every search goes through all documents there are. */
const OVER_HTTP = ON_SERVERS ? 30 : 100
/** Of each of the two ways past HTTP. */
const DIRECTLY = 950

describe('random boards against the model', () => {
  it(`${OVER_HTTP} over HTTP`, async () => {
    const { report, ...proof } = await proveReadsOverHttp({ boards: OVER_HTTP, seed: SEED + 1_000_000 })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: OVER_HTTP, differences: 0, seed: SEED + 1_000_000 })
  }).timeout(240_000)

  // The others look at no store on a server.
  if (ON_SERVERS) return

  it(`${DIRECTLY} through the handlers of the routes`, async () => {
    const { report, ...proof } = await proveReads({ boards: DIRECTLY, seed: SEED })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: DIRECTLY, differences: 0, seed: SEED })
  }).timeout(300_000)

  it(`${DIRECTLY} with windows from an index, of whatever size the board is`, async () => {
    const told = { made: 0, evicted: 0, failed: 0 }
    const windows = {
      from: -1,
      bytesMax: 2 ** 30,
      atOnce: true,
      onEvent: (what: WindowIndexEvent) => void told[what]++,
    }
    const seed = SEED + 2_000_000
    const { report, ...proof } = await proveReads({ boards: DIRECTLY, seed, windows })
    expect(report, report ?? undefined).to.equal(null)
    expect(proof).to.deep.equal({ tried: DIRECTLY, differences: 0, seed })
    expect([told.failed, told.made > 100]).to.deep.equal([0, true])
  }).timeout(300_000)
})
