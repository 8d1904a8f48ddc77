// The short form of `npm run proof:cluster`.

import { expect } from 'chai'
import { BUILD_TIMEOUT_MS } from '../servers/ferretdb.ts'
import { endSharedServers } from '../servers/store-urls.ts'
import { proveElections, proveSlowDisks, proveSockets, proveStarts } from './prove-cluster.ts'

const SEED = 20_261_123

describe('a node on a cluster of EventStoreDB', () => {
  after(endSharedServers)

  it('answers every submission with 201 during elections, and loses and duplicates none', async () => {
    const proof = { fault: 'kill', times: 3, writers: 16, seed: SEED } as const
    const { faults, wentOnMs, submissions } = await proveElections(proof)
    expect(faults).to.deep.equal([])
    expect(wentOnMs).to.have.length(3)
    expect(submissions).to.be.greaterThan(30)
  }).timeout(BUILD_TIMEOUT_MS)

  it('writes again after another leader was elected beside a frozen one, and loses and duplicates no submission', async () => {
    // Elections before and after the time-out of the first unanswered appends.
    const proof = { fault: 'freeze', times: 3, writers: 16, seed: SEED, takes: { least: 2_000, most: 6_500 } } as const
    const { faults, wentOnMs, submissions } = await proveElections(proof)
    expect(faults).to.deep.equal([])
    expect(wentOnMs).to.have.length(3)
    expect(submissions).to.be.greaterThan(30)
  }).timeout(BUILD_TIMEOUT_MS)

  it('keeps its connections while the disk of the leader is slow, and loses and duplicates no submission', async () => {
    const takes = { least: 3_000, most: 7_000 }
    const { faults, reconnects, submissions } = await proveSlowDisks({ times: 2, writers: 16, seed: SEED, takes })
    expect(faults).to.deep.equal([])
    expect(reconnects).to.equal(0)
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
