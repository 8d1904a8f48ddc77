// What EVENTSTORE_URL stands for, parsed and read once: the addresses, the user, and the certificates.

import type {
  ChannelCredentialOptions,
  DNSClusterOptions,
  GossipClusterOptions,
  SingleNodeOptions,
} from '@eventstore/db-client'
import { readCredentials } from './certificates.ts'
import { type Host, parseUrl, type ServerUrl } from './url.ts'

/**
 * Seconds, the library's unit, that one node may take to answer a request for gossip before the next one is asked. The
 * library's own default of 5 would use up all the time that a start has, if the first node it asks is frozen.
 */
const GOSSIP_TIMEOUT_S = 1
const KEEP_ALIVE_TIMEOUT_MS = 10_000
/** How many connections differ from each other in a channel option, so that no two open ones share a transport. */
const DISTINCT = 1_000

export interface Server {
  readonly url: ServerUrl
  readonly credentials: ChannelCredentialOptions
  readonly user: { username: string; password: string } | undefined
}

export type ConnectionSettings = SingleNodeOptions | GossipClusterOptions | DNSClusterOptions

let opened = 0

/** Throws a StoresFault where the URL, or a file that it names, cannot be used. */
export function parseServer(text: string): Server {
  const url = parseUrl(text)
  return { url, credentials: readCredentials(url.options), user: url.user === null ? undefined : { ...url.user } }
}

/**
 * Settings for one more connection: to `node` where it is given, else to the node that discovery chooses. gRPC lets
 * channels with equal options share one transport, also a dead one: each connection gets a keep-alive time-out of its
 * own, a few milliseconds longer.
 */
export function connectionSettings({ url }: Server, node: Host | null): ConnectionSettings {
  opened = (opened + 1) % DISTINCT
  const { tls, tlsCAFile, tlsVerifyCert, userCertFile, userKeyFile, dnsDiscover, ...given } = url.options
  const { maxDiscoverAttempts, discoveryInterval, gossipTimeout, nodePreference, ...common } = given
  const client = { ...common, keepAliveTimeout: (common.keepAliveTimeout ?? KEEP_ALIVE_TIMEOUT_MS) + opened }
  const [first] = url.hosts
  if (first === undefined) throw new TypeError('A server without hosts')
  if (node !== null) return { ...client, endpoint: node }
  if (!url.discover && url.hosts.length === 1) return { ...client, endpoint: first }
  const discovery = {
    gossipTimeout: gossipTimeout ?? GOSSIP_TIMEOUT_S,
    ...(maxDiscoverAttempts === undefined ? {} : { maxDiscoverAttempts }),
    ...(discoveryInterval === undefined ? {} : { discoveryInterval }),
    ...(nodePreference === undefined ? {} : { nodePreference }),
  }
  if (url.discover) return { ...client, ...discovery, discover: first }
  return { ...client, ...discovery, endpoints: [...url.hosts] }
}
