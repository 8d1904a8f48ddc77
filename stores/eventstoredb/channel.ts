// Chooses the node of a connection, the leader if one is named, and opens gRPC channels.

import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { discoverEndpoint } from '@eventstore/db-client/dist/Client/discovery.js'
import { Channel, type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { gossipTimeout, namedLeader } from './gossip.ts'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

const KEEP_ALIVE_MS = 10_000
/** EventStoreDB accepts messages of 16 MiB; the library adds 1 MiB for the envelope. */
const LARGEST_MESSAGE = 17 * 1024 * 1024

export function openChannel({ url }: Server, tls: ChannelCredentials, { address, port }: Host): Channel {
  const { keepAliveInterval = KEEP_ALIVE_MS, keepAliveTimeout = KEEP_ALIVE_MS } = url.options
  return new Channel(`${address}:${port}`, tls, {
    'grpc.keepalive_time_ms': forever(keepAliveInterval),
    'grpc.keepalive_timeout_ms': forever(keepAliveTimeout),
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    // Channels with equal options would share a transport, even a dead one.
    'grpc.use_local_subchannel_pool': 1,
  })
}

/** The library interprets a negative number as "never". */
const forever = (ms: number): number => (ms < 0 ? Number.MAX_VALUE : ms)

/**
 * The node in the URL if it is the only one, the leader, or the node that discovery chooses. Rejects if it finds none.
 */
export async function chooseNode({ url }: Server, tls: ChannelCredentials): Promise<Host> {
  const { discoveryInterval, maxDiscoverAttempts, nodePreference } = url.options
  const [first] = url.hosts
  if (first === undefined) throw new TypeError('A server without hosts')
  if (!url.discover && url.hosts.length === 1) return first
  if (nodePreference === undefined || nodePreference === 'leader') {
    const leader = await namedLeader(url, tls).catch(() => null)
    if (leader !== null) return leader
  }
  const settings = {
    gossipTimeout: gossipTimeout(url),
    ...(discoveryInterval === undefined ? {} : { discoveryInterval }),
    ...(maxDiscoverAttempts === undefined ? {} : { maxDiscoverAttempts }),
    ...(nodePreference === undefined ? {} : { nodePreference }),
  }
  return discoverEndpoint(
    url.discover ? { ...settings, discover: first } : { ...settings, endpoints: [...url.hosts] },
    tls,
  )
}

/**
 * Credentials for the channels of one server. A channel that is closed between two connection attempts would make
 * another attempt and never close that connection; credentials that are no longer used prevent it.
 */
export function channelCredentials({ credentials: given }: Server): ChannelCredentials {
  const { insecure, rootCertificate, userKeyFile, userCertFile } = given
  const made =
    insecure === true
      ? credentials.createInsecure()
      : credentials.createSsl(rootCertificate ?? null, userKeyFile ?? null, userCertFile ?? null)
  const create = made._createSecureConnector.bind(made)
  made._createSecureConnector = (...args) => {
    const connector = create(...args)
    nameNoAddress(connector)
    let isDestroyed = false
    return {
      connect: (socket) => connector.connect(socket),
      waitForReady: () => (isDestroyed ? Promise.reject(new Error('The channel is closed')) : connector.waitForReady()),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => {
        isDestroyed = true
        connector.destroy()
      },
    }
  }
  return made
}

/**
 * The library sends the target as TLS server name, which an address must not be (RFC 6066, 3): Node warns of it
 * (DEP0123). Without a name, the certificate is checked against the address.
 */
function nameNoAddress(connector: object): void {
  const options: ConnectionOptions | undefined = Reflect.get(connector, 'connectionOptions')
  if (options?.servername !== undefined && isIP(options.servername) !== 0) options.servername = ''
}
