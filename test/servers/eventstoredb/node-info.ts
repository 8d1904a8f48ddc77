// The server's description of itself: supported calls, and that it is the leader of a cluster of one.

import { randomUUID } from 'node:crypto'
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { type Member, STATES } from './membership.ts'

export const SERVER_VERSION = '23.10.8'

const STREAMS = 'event_store.client.streams.streams'
const PERSISTENT = 'event_store.client.persistent_subscriptions.persistentsubscriptions'
const CLUSTER = 'event_store.cluster.gossip'

const METHODS: readonly (readonly [service: string, method: string, features: readonly string[]])[] = [
  [STREAMS, 'read', ['position', 'events']],
  [STREAMS, 'append', []],
  [STREAMS, 'delete', []],
  [STREAMS, 'tombstone', []],
  [STREAMS, 'batchappend', ['deadline_duration']],
  ...['create', 'update', 'delete', 'read', 'getinfo', 'replayparked', 'list', 'restartsubsystem'].map(
    (method) => [PERSISTENT, method, ['stream', 'all']] as const,
  ),
  [CLUSTER, 'read', []],
  ['event_store.client.server_features.serverfeatures', 'getsupportedmethods', []],
]

export function supportedMethods(): SupportedMethods {
  const all = new features.SupportedMethods()
  all.setEventStoreServerVersion(SERVER_VERSION)
  all.setMethodsList(
    METHODS.map(([service, name, list]) => {
      const method = new features.SupportedMethod()
      method.setServiceName(service)
      method.setMethodName(name)
      method.setFeaturesList([...list])
      return method
    }),
  )
  return all
}

const instance = randomUUID()

/** The description of a single node. */
export const alone = (port: number): readonly Member[] => [{ id: instance, port, state: 'Leader', isAlive: true }]

export function clusterInfo(members: readonly Member[]): ClusterInfo {
  const info = new gossip.ClusterInfo()
  info.setMembersList(members.map(memberInfo))
  return info
}

function memberInfo({ id, port, state, isAlive }: Member): MemberInfo {
  const uuid = new shared.UUID()
  uuid.setString(id)
  const endpoint = new gossip.EndPoint()
  endpoint.setAddress('127.0.0.1')
  endpoint.setPort(port)
  const member = new gossip.MemberInfo()
  member.setInstanceId(uuid)
  member.setTimeStamp(String(Date.now() * 10_000))
  member.setState(STATES[state])
  member.setIsAlive(isAlive)
  member.setHttpEndPoint(endpoint)
  return member
}

/** The answer of GET /gossip. */
export function gossipJson(members: readonly Member[], serverPort: number): unknown {
  const listed = members.map(({ id, port, state, isAlive }) => ({
    instanceId: id,
    timeStamp: new Date().toISOString(),
    state,
    isAlive,
    httpEndPointIp: '127.0.0.1',
    httpEndPointPort: port,
    esVersion: SERVER_VERSION,
  }))
  return { members: listed, serverIp: '127.0.0.1', serverPort }
}
