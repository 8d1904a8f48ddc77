// One connection to the server, by the client library: its credentials, TLS, discovery of the leader, keep-alive. The
// calls are made on it directly, because the library's own append and read calls have faults that a server cannot live
// with: all clients of a process share one table of appends, which an error on any of them empties, and an answer that
// is no longer in the table throws where nothing catches it; no read has a deadline; each event is decoded through four
// copies. A connection has one channel in its life: `line.ts` opens another connection where this one is lost.

import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import streamsCalls from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import type { Channel, ChannelCredentials } from '@grpc/grpc-js'
import { chooseNode, openChannel } from './channel.ts'
import { askForLeaders, GossipClient } from './gossip.ts'
import { isUnanswered } from './refusals.ts'
import type { Server } from './server.ts'
import type { Host } from './url.ts'

/** The gRPC stream of answers to one Read call. */
export interface Answers<Message> {
  on(event: 'data', listener: (message: Message) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  cancel(): void
}

interface ConnectionOptions {
  /** Shared by all connections to this server. */
  readonly credentials: ChannelCredentials
  /** The node to connect to; null: the node in the URL, or the one that discovery chooses. */
  readonly node: Host | null
  /** Milliseconds before the channel is opened. Calls begun earlier wait for it. */
  readonly afterMs: number
  /** A call failed, or no channel could be opened. */
  readonly onFailure: (connection: EventStoreConnection, error: unknown) => void
}

const { StreamsClient, StreamsService } = streamsCalls
const ENDLESS = { deadline: Number.POSITIVE_INFINITY }
/**
 * A follower may lack acknowledged events, and show events that an election then removes. It also delays forwarded
 * appends for seconds while it has no leader. With this header it rejects at once and names the leader.
 */
const BY_LEADER = { requiresLeader: true }

export type BatchStream = ReturnType<InstanceType<typeof StreamsClient>['batchAppend']>

export class EventStoreConnection extends EventStoreDBClient {
  readonly #onFailure: ConnectionOptions['onFailure']
  #channel: Promise<Channel> | null = null
  #node: Host | null
  readonly #directed: Promise<Host>
  /** Ends a search for the node: it connects to this one. */
  direct: (node: Host) => void = () => {}
  #isShut = false

  constructor(server: Server, { credentials, node, afterMs, onFailure }: ConnectionOptions) {
    const { connectionName, defaultDeadline, keepAliveInterval } = server.url.options
    const settings = {
      // The address of the channel is decided below.
      endpoint: 'unused:1',
      ...(connectionName === undefined ? {} : { connectionName }),
      ...(defaultDeadline === undefined ? {} : { defaultDeadline }),
      ...(keepAliveInterval === undefined ? {} : { keepAliveInterval }),
    }
    super(settings, server.credentials, server.user)
    this.#onFailure = onFailure
    this.#node = node
    this.#directed = new Promise((resolve) => {
      this.direct = resolve
    })
    this.getChannel = () => {
      this.#channel ??= this.#open(afterMs, async () => {
        this.#node ??= await Promise.race([this.#directed, chooseNode(server, credentials)])
        return openChannel(server, credentials, this.#node)
      })
      return this.#channel
    }
    // The library would open another channel after each failed call, and leak some of them.
    this.handleError = async (_client, error) => onFailure(this, error)
  }

  /** The node that it connects to; null until discovery has chosen one. */
  get node(): Host | null {
    return this.#node
  }

  /** Begins a Read call. `decode` must neither throw nor return null. */
  openRead<Message>(request: ReadReq, decode: (bytes: Buffer) => Message): Promise<Answers<Message>> {
    const { path, requestSerialize } = StreamsService.read
    return this.GRPCStreamCreator(StreamsClient, 'read', (client) =>
      client.makeServerStreamRequest(
        path,
        requestSerialize,
        decode,
        request,
        ...this.callArguments(BY_LEADER, ENDLESS),
      ),
    )()
  }

  /** Begins the call that many appends share. */
  openBatch(): Promise<BatchStream> {
    return this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.callArguments(BY_LEADER, ENDLESS)),
    )()
  }

  /** Version of the server; 'unknown' if it is too old to report one. `batch`: whether it supports batch appends. */
  async abilities(): Promise<{ version: string; batch: boolean }> {
    const { serverVersion } = await this.capabilities
    return { version: serverVersion, batch: await this.supports(StreamsService.batchAppend) }
  }

  /** Whether the node answers a call on this connection in time, if only to refuse it. */
  async isAnswering(ms: number): Promise<boolean> {
    try {
      await this.execute(GossipClient, 'gossip', (client) => askForLeaders(client, ms))
      return true
    } catch (error) {
      return !isUnanswered(error)
    }
  }

  /** The answer of GET /info/options. */
  startOptions(): Promise<unknown> {
    return this.HTTPRequest('GET', '/info/options', {})
  }

  /** Cancels every call and closes the channel. */
  async shut(): Promise<void> {
    this.#isShut = true
    const closing = this.#channel?.then(
      (channel) => channel.close(),
      () => {},
    )
    await this.dispose()
    await closing
  }

  async #open(afterMs: number, open: () => Promise<Channel>): Promise<Channel> {
    try {
      if (afterMs > 0) await pause(afterMs)
      if (this.#isShut) throw new Error('The connection was closed before it was opened')
      return await open()
    } catch (error) {
      this.#onFailure(this, error)
      throw error
    }
  }
}
