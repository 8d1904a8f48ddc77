// One connection to the server, by the client library: its credentials, TLS, discovery of the leader, keep-alive. The
// calls are made on it directly, because the library's own append and read calls have faults that a server cannot live
// with: all clients of a process share one table of appends, which an error on any of them empties, and an answer that
// is no longer in the table throws where nothing catches it; no read has a deadline; each event is decoded through four
// copies.

import { EventStoreDBClient } from '@eventstore/db-client'
import streamsCalls from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { distinctUrl, unusable } from './url.ts'

/** The answers to one Read call, as gRPC gives them. */
export interface Answers<Message> {
  on(event: 'data', listener: (message: Message) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  cancel(): void
}

const { StreamsClient, StreamsService } = streamsCalls
const ENDLESS = { deadline: Number.POSITIVE_INFINITY }
/**
 * A follower may lack what was acknowledged, and show what an election then takes away: the library goes to the leader.
 */
const BY_LEADER = { requiresLeader: true }

export type BatchStream = ReturnType<InstanceType<typeof StreamsClient>['batchAppend']>

export class Connection extends EventStoreDBClient {
  /** Begins a Read call. `decode` must neither throw nor give null. */
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

  /** Begins the call that many appends share. Any node passes them on to the leader. */
  openBatch(): Promise<BatchStream> {
    return this.GRPCStreamCreator(StreamsClient, 'batchAppend', (client) =>
      client.batchAppend(...this.callArguments({}, ENDLESS)),
    )()
  }

  /** Version of the server; 'unknown' from one too old to say. `batch`: whether it takes batch appends. */
  async abilities(): Promise<{ version: string; batch: boolean }> {
    const { serverVersion } = await this.capabilities
    return { version: serverVersion, batch: await this.supports(StreamsService.batchAppend) }
  }

  /** What GET /info/options answers. */
  startOptions(): Promise<unknown> {
    return this.HTTPRequest('GET', '/info/options', {})
  }

  /** Cancels every call and lets the transport go. */
  async shut(): Promise<void> {
    const channel = this.getChannel().catch(() => null)
    await this.dispose()
    ;(await channel)?.close()
  }

  /** The library awaits this nowhere: where finding the leader fails meanwhile, nobody would catch it. */
  catchReconnecting(): void {
    const { handleError } = this
    this.handleError = (client, error) => handleError(client, error).catch(() => {})
  }
}

/** Connects at the first call. Throws a StoresFault where the connection string cannot be used. */
export function openConnection(url: string): Connection {
  try {
    const client = EventStoreDBClient.connectionString(distinctUrl(url))
    // The library reads connection strings only into its own class; what it holds in private fields is kept by this.
    const connection: Connection = Object.setPrototypeOf(client, Connection.prototype)
    connection.catchReconnecting()
    return connection
  } catch (error) {
    throw unusable(error)
  }
}
