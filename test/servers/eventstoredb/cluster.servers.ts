// The simulated cluster answers as a real one of three nodes was observed to.

import { EventStoreDBClient } from '@eventstore/db-client'
import { Metadata, status } from '@grpc/grpc-js'
import { expect } from 'chai'
import { pause } from '../../until.ts'
import { type EventStoreCluster, startCluster } from './cluster.ts'
import { RawClient } from './raw-client.ts'
import { all, rejection } from './under-test.ts'

const REQUIRES_LEADER = new Metadata()
REQUIRES_LEADER.set('requires-leader', 'true')

interface Gossip {
  readonly members: readonly { readonly state: string; readonly isAlive: boolean; readonly httpEndPointPort: number }[]
}

describe('a simulated cluster of three nodes', () => {
  let cluster: EventStoreCluster
  const clients: RawClient[] = []

  beforeEach(async () => {
    cluster = await startCluster({ electionMs: 300, frozenElectionMs: 400, resignationMs: 200, forwardTimeoutMs: 700 })
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await cluster.stop()
  })

  function raw(index: number): RawClient {
    const client = new RawClient(cluster.urlOf(index).replace('?tls=false', ''))
    clients.push(client)
    return client
  }

  async function gossip(index: number): Promise<Gossip['members']> {
    const answer = await fetch(`${cluster.urlOf(index).replace('esdb:', 'http:').replace('?tls=false', '')}/gossip`)
    return ((await answer.json()) as Gossip).members
  }

  const portOf = (index: number): number => Number(/:(\d+)\?/.exec(cluster.urlOf(index))?.[1])
  const leader = (): number => cluster.leader() ?? Number.NaN

  it('answers a call that requires the leader at a follower with the address of the leader', async () => {
    const refusals = [
      await rejection(raw(cluster.follower()).read((options) => options.setAll(), REQUIRES_LEADER)),
      await rejection(raw(cluster.follower()).append('s', 'no_stream', ['T'], REQUIRES_LEADER)),
    ] as { code: number; details: string; metadata: Metadata }[]
    for (const { code, details, metadata } of refusals) {
      expect({ code, details }).to.deep.equal({ code: status.NOT_FOUND, details: 'Leader info available' })
      expect(metadata.get('exception')).to.deep.equal(['not-leader'])
      expect(metadata.get('leader-endpoint-host')).to.deep.equal(['127.0.0.1'])
      expect(metadata.get('leader-endpoint-port')).to.deep.equal([String(portOf(leader()))])
    }
  })

  it('forwards appends that do not require the leader, and shows them on every node', async () => {
    await raw(cluster.follower()).append('s', 'no_stream', ['T'])
    for (const index of [0, 1, 2]) {
      const client = EventStoreDBClient.connectionString(cluster.urlOf(index))
      expect(await all(client.readStream('s', { requiresLeader: false }))).to.have.length(1)
      await client.dispose()
    }
  })

  it('elects another leader after a kill, and names the dead one until then', async () => {
    const dead = leader()
    const follower = cluster.follower()
    await cluster.kill(dead)
    const refused = (await rejection(raw(follower).append('s', 'no_stream', ['T'], REQUIRES_LEADER))) as {
      metadata: Metadata
    }
    expect(refused.metadata.get('leader-endpoint-port')).to.deep.equal([String(portOf(dead))])
    await cluster.elected()
    const members = await gossip(follower)
    expect(members.filter(({ state }) => state === 'Leader').map((one) => one.httpEndPointPort)).to.deep.equal([
      portOf(leader()),
    ])
    expect(members.find((one) => one.httpEndPointPort === portOf(dead))).to.include({
      state: 'Unknown',
      isAlive: false,
    })
    await cluster.start(dead)
    await pause(600)
    expect((await gossip(dead)).find((one) => one.httpEndPointPort === portOf(dead))).to.include({
      state: 'Follower',
      isAlive: true,
    })
  })

  it('answers forwarded appends with a timeout while there is no leader', async () => {
    const follower = cluster.follower()
    await cluster.kill(leader())
    const startedMs = performance.now()
    const refused = (await rejection(raw(follower).append('s', 'no_stream', ['T']))) as { code: number }
    expect(refused.code).to.equal(status.ABORTED)
    expect(performance.now() - startedMs).to.be.at.least(690)
  })

  it('reports once that it is not ready, and fails once, after it became the leader', async () => {
    await cluster.kill(leader())
    await cluster.elected()
    const client = raw(leader())
    const outcomes: string[] = []
    for (;;) {
      const outcome = await client.append('s', 'no_stream', ['T'], REQUIRES_LEADER).then(
        () => 'appended',
        (error: { details: string }) => error.details,
      )
      if (outcomes.at(-1) !== outcome) outcomes.push(outcome)
      if (outcome === 'appended') break
      await pause(5)
    }
    expect(outcomes).to.deep.equal(['Server Is Not Ready', 'Exception was thrown by handler.', 'appended'])
  })

  it('elects another leader if the leader is frozen, which then becomes a follower', async () => {
    const frozen = leader()
    cluster.freeze(frozen)
    await cluster.elected()
    expect(leader()).not.to.equal(frozen)
    cluster.thaw(frozen)
    await pause(600)
    expect((await gossip(frozen)).map(({ state }) => state).toSorted()).to.deep.equal([
      'Follower',
      'Follower',
      'Leader',
    ])
  })

  it('has no leader without a quorum, and writes nothing', async () => {
    const left = cluster.follower()
    for (const index of [0, 1, 2]) if (index !== left) await cluster.kill(index)
    expect(cluster.leader()).to.equal(null)
    expect(await rejection(raw(left).append('s', 'no_stream', ['T']))).to.include({ code: status.UNAVAILABLE })
    await cluster.start((left + 1) % 3)
    await cluster.elected()
    expect(cluster.leader()).not.to.equal(null)
  })
})
