// The short form of `npm run proof:cluster`.

import { expect } from 'chai'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { proveElections, proveSockets, proveStarts } from './prove-cluster.ts'

const SEED = 20_261_123

describe('a node on a cluster of EventStoreDB', () => {
  after(endSharedServers)

  it('answers every submission with 201 during elections, and loses and duplicates none', async () => {
    const { faults, wentOnMs, submissions } = await proveElections({ kills: 3, writers: 16, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(wentOnMs).to.have.length(3)
    expect(submissions).to.be.greaterThan(30)
  }).timeout(BUILD_TIMEOUT_MS)

  it('starts although any one of the nodes is frozen', async () => {
    const { tookMs, faults } = await proveStarts(3)
    expect(faults).to.deep.equal([])
    expect(tookMs).to.have.length(3)
  })

  it('has at most two more connections after fifty cuts, and none after it stopped', async () => {
    const { before, after, closed, faults } = await proveSockets({ cuts: 50, writers: 16, seed: SEED })
    expect(faults).to.deep.equal([])
    expect(after).to.be.at.most(before + 2)
    expect(closed).to.equal(0)
  }).timeout(120_000)
})
