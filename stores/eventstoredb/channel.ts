// Opens the gRPC channel of a connection: to a given node, or to the one that the library's discovery chooses.

import { isIP } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { discoverEndpoint } from '@eventstore/db-client/dist/Client/discovery.js'
import { Channel, type ChannelCredentials, credentials } from '@grpc/grpc-js'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

/**
 * Seconds, the library's unit, that one node may take to answer a request for gossip before the next one is asked. The
 * library's own default of 5 would use up all the time that a start has, if the first node it asks is frozen.
 */
const GOSSIP_TIMEOUT_S = 1
const KEEP_ALIVE_MS = 10_000
/** EventStoreDB accepts messages of 16 MiB; the library adds 1 MiB for the envelope. */
const LARGEST_MESSAGE = 17 * 1024 * 1024

/** `node` null: the node in the URL, or the one that discovery chooses. Rejects if discovery finds none. */
export async function openChannel(server: Server, tls: ChannelCredentials, node: Host | null): Promise<Channel> {
  const { keepAliveInterval = KEEP_ALIVE_MS, keepAliveTimeout = KEEP_ALIVE_MS } = server.url.options
  const { address, port } = node ?? (await discovered(server, tls))
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

async function discovered({ url }: Server, tls: ChannelCredentials): Promise<Host> {
  const { discoveryInterval, gossipTimeout = GOSSIP_TIMEOUT_S, maxDiscoverAttempts, nodePreference } = url.options
  const [first] = url.hosts
  if (first === undefined) throw new TypeError('A server without hosts')
  if (!url.discover && url.hosts.length === 1) return first
  const settings = {
    gossipTimeout,
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
