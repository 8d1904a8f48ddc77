// Asking the nodes of an EventStoreDB cluster who leads it.

import { expect } from 'chai'
import { channelCredentials } from '../../stores/eventstoredb/channel.ts'
import { namedPeers, openPeer, type Peer } from '../../stores/eventstoredb/gossip.ts'
import { parseServer } from '../../stores/eventstoredb/server.ts'
import { parseUrl } from '../../stores/eventstoredb/url.ts'
import { startCluster } from '../servers/eventstoredb/cluster.ts'
import { makeAuthority } from '../servers/eventstoredb/identity.ts'
import { startEventStore } from '../servers/eventstoredb/server.ts'
import { eventually } from '../until.ts'

const ANSWER_MS = 5_000

describe('gossip of EventStoreDB', () => {
  async function leadersBy(url: string, peer: Peer, ms = ANSWER_MS) {
    const connection = openPeer(peer, channelCredentials(parseServer(url)))
    try {
      return await connection.leaders(ms)
    } finally {
      connection.close()
    }
  }

  it('names the leader, and none between its death and the election', async () => {
    const cluster = await startCluster({ electionMs: 600, noticeMs: 0 })
    try {
      const peers = await namedPeers(parseUrl(cluster.url))
      expect(peers).to.have.length(3)
      const dead = cluster.leader() ?? Number.NaN
      const asked = peers[cluster.follower()] as Peer
      expect(await leadersBy(cluster.url, asked)).to.deep.equal([peers[dead]?.host])
      await cluster.kill(dead)
      await eventually(async () => (await leadersBy(cluster.url, asked)).length === 0)
      await cluster.elected()
      expect(await leadersBy(cluster.url, asked)).to.deep.equal([peers[cluster.leader() ?? Number.NaN]?.host])
    } finally {
      await cluster.stop()
    }
  })

  it('has no answer of a frozen node', async () => {
    const cluster = await startCluster()
    try {
      const [peer] = await namedPeers(parseUrl(cluster.url))
      cluster.freeze(0)
      const error = await leadersBy(cluster.url, peer as Peer, 300).catch((refusal: unknown) => refusal)
      expect(error).to.include({ code: 4 })
    } finally {
      await cluster.stop()
    }
  })

  it('is asked of every address of a DNS name, by the name that the certificate is for', async () => {
    const found = await namedPeers(parseUrl('esdb+discover://localhost:2113'))
    expect(found).to.deep.include({ host: { address: '127.0.0.1', port: 2113 }, name: 'localhost' })
    const authority = makeAuthority({ host: 'DNS:nodes.example' })
    const server = await startEventStore({ identity: authority.identity })
    try {
      const host = { address: '127.0.0.1', port: server.port }
      const url = `esdb+discover://nodes.example:${server.port}?tlsCAFile=${authority.caFile}`
      expect(await leadersBy(url, { host, name: 'nodes.example' })).to.deep.equal([host])
      const error = await leadersBy(url, { host, name: null }, 1_000).catch((refusal: unknown) => refusal)
      expect(error).to.include({ code: 14 })
    } finally {
      await server.stop()
      authority.remove()
    }
  })
})
