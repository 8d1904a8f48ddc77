// The gRPC side of one run of the node: its services on a port of its own, behind the front that clients connect to.

import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js'
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js'
import { appendCall } from './append-call.ts'
import { batchAppendCall } from './batch-append-call.ts'
import { deleteCall, tombstoneCall } from './delete-calls.ts'
import type { Node } from './node.ts'
import { alone, clusterInfo, supportedMethods } from './node-info.ts'
import { type Frame, type ReadCall, readCall } from './read-call.ts'

/** What the transport takes of one message, near 16 MiB. */
const MESSAGE_LIMIT = 16 * 1024 * 1024

/** The arguments after the first. */
type Rest<F> = F extends (first: Node, ...rest: infer R) => void ? R : never

export interface GrpcServer {
  readonly port: number
  /** Ends every call and connection at once. */
  kill(): void
  /** Lets replies that are on their way out go first. */
  end(): Promise<void>
}

export async function startGrpc(node: Node): Promise<GrpcServer> {
  const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_LIMIT, 'grpc.max_send_message_length': -1 })
  const { StreamsService } = streamsService
  const read = { ...StreamsService.read, responseSerialize: encode }
  server.addService(
    { ...StreamsService, read },
    {
      read: (call: ReadCall) => readCall(node, call),
      append: (...args: Rest<typeof appendCall>) => appendCall(node, ...args),
      batchAppend: (...args: Rest<typeof batchAppendCall>) => batchAppendCall(node, ...args),
      delete: (...args: Rest<typeof deleteCall>) => deleteCall(node, ...args),
      tombstone: (...args: Rest<typeof tombstoneCall>) => tombstoneCall(node, ...args),
    },
  )
  server.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, reply: sendUnaryData<SupportedMethods>) => reply(null, supportedMethods()),
  })
  server.addService(gossipService.GossipService, {
    read: (_call: unknown, reply: sendUnaryData<ClusterInfo>) =>
      reply(null, clusterInfo(node.membership?.members() ?? alone(node.port()))),
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    )
  })
  return {
    port,
    kill: () => server.forceShutdown(),
    end: () =>
      new Promise((resolve) => {
        server.tryShutdown(() => resolve())
        setTimeout(() => server.forceShutdown(), 100)
      }),
  }
}

const encode = (frame: Frame): Buffer => (Buffer.isBuffer(frame) ? frame : Buffer.from(frame.serializeBinary()))
