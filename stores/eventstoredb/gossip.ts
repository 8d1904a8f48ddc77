// Asks nodes of an EventStoreDB cluster who leads it. The client library can only choose a node to connect to, which is
// a follower while there is no leader.

import { lookup } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import gossipCalls from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossipMessages from '@eventstore/db-client/generated/gossip_pb.js'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import { type ChannelCredentials, Metadata } from '@grpc/grpc-js'
import type { Host, ServerUrl } from './url.ts'

const { GossipClient } = gossipCalls
const { LEADER } = gossipMessages.MemberInfo.VNodeState
/** The library's own default of 5 would use up all the time that a start has, if the first node it asks is frozen. */
const GOSSIP_TIMEOUT_S = 1
/** A node that returns is asked again within this time. */
const RECONNECT_MS = 250

export { GossipClient }

/** Seconds, the library's unit, that one node may take to answer a request for gossip. */
export const gossipTimeout = ({ options }: ServerUrl): number => options.gossipTimeout ?? GOSSIP_TIMEOUT_S

/** A node to ask; `name`: the DNS name that its certificate is for, if it was found by DNS. */
export interface Peer {
  readonly host: Host
  readonly name: string | null
}

/** A connection to one node that only asks for gossip. */
export interface PeerConnection {
  /** The live leaders that the node names: none during an election. Rejects if it does not answer in time. */
  leaders(ms: number): Promise<readonly Host[]>
  close(): void
}

/** Every node that the URL names. Rejects if a DNS name cannot be resolved. */
export async function namedPeers({ discover, hosts }: ServerUrl): Promise<Peer[]> {
  if (!discover) return hosts.map((host) => ({ host, name: null }))
  const found = hosts.map(async ({ address: name, port }) =>
    (await lookup(name, { all: true })).map(({ address }) => ({ host: { address, port }, name })),
  )
  return (await Promise.all(found)).flat()
}

export function openPeer({ host, name }: Peer, tls: ChannelCredentials): PeerConnection {
  const { address, port } = host
  const client = new GossipClient(`${isIPv6(address) ? `[${address}]` : address}:${port}`, tls, {
    // A transport shared with another channel may be dead.
    'grpc.use_local_subchannel_pool': 1,
    'grpc.initial_reconnect_backoff_ms': RECONNECT_MS,
    'grpc.max_reconnect_backoff_ms': RECONNECT_MS,
    ...(name === null ? {} : { 'grpc.ssl_target_name_override': name, 'grpc.default_authority': name }),
  })
  return { leaders: (ms) => askForLeaders(client, ms), close: () => client.close() }
}

/**
 * The leader that the first node to answer names; null if it names none, or no node answers in time. All are asked at
 * once, so that a frozen one does not delay it.
 */
export async function namedLeader(url: ServerUrl, tls: ChannelCredentials): Promise<Host | null> {
  const peers = (await namedPeers(url)).map((peer) => openPeer(peer, tls))
  try {
    const [leader] = await Promise.any(peers.map((peer) => peer.leaders(gossipTimeout(url) * 1_000)))
    return leader ?? null
  } catch {
    return null
  } finally {
    for (const peer of peers) peer.close()
  }
}

/** Asks the node of a client for the live leaders that it knows. */
export function askForLeaders(client: InstanceType<typeof GossipClient>, ms: number): Promise<Host[]> {
  return new Promise((resolve, reject) => {
    const options = { deadline: new Date(Date.now() + ms) }
    client.read(new sharedMessages.Empty(), new Metadata(), options, (error, info) => {
      if (error !== null) return reject(error)
      const leaders = info.getMembersList().filter((one) => one.getIsAlive() && one.getState() === LEADER)
      const hosts = leaders.map((one) => one.getHttpEndPoint()).filter((one) => one !== undefined)
      resolve(hosts.map((one) => ({ address: one.getAddress(), port: one.getPort() })))
    })
  })
}

export const isSameHost = (one: Host, other: Host): boolean => one.address === other.address && one.port === other.port
