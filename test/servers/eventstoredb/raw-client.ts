// Calls below the client's own layer, for what can only be seen on the wire.

import { randomUUID } from 'node:crypto'
import features from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type {
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js'
import empties from 'google-protobuf/google/protobuf/empty_pb.js'
import { uuidText } from './proto-values.ts'

/** A revision, or that there is no stream. */
type Expected = number | 'no_stream'

export class RawClient extends Client {
  constructor(url: string) {
    super(new URL(url.replace('esdb:', 'http:')).host, credentials.createInsecure())
  }

  features(): Promise<{ readonly version: string; readonly methods: (readonly [name: string, features: string[]])[] }> {
    const { path, requestSerialize, responseDeserialize } = features.ServerFeaturesService.getSupportedMethods
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, reply?: SupportedMethods): void => {
        if (reply === undefined) {
          reject(error)
          return
        }
        const methods = reply.getMethodsList().map((one) => [one.getMethodName(), one.getFeaturesList()] as const)
        resolve({ version: reply.getEventStoreServerVersion(), methods })
      }
      this.makeUnaryRequest(path, requestSerialize, responseDeserialize, new shared.Empty(), done)
    })
  }

  /** A unary append of events of this type, with random ids. */
  append(stream: string, expected: Expected, types: readonly string[], metadata = new Metadata()): Promise<AppendResp> {
    const { path, requestSerialize, responseDeserialize } = streamsGrpc.StreamsService.append
    return new Promise((resolve, reject) => {
      const call = this.makeClientStreamRequest(
        path,
        requestSerialize,
        responseDeserialize,
        metadata,
        (error, reply?: AppendResp) => (reply === undefined ? reject(error) : resolve(reply)),
      )
      const options = new streams.AppendReq.Options()
      options.setStreamIdentifier(identifier(stream))
      if (expected === 'no_stream') options.setNoStream(new shared.Empty())
      else options.setRevision(String(expected))
      const header = new streams.AppendReq()
      header.setOptions(options)
      call.write(header)
      for (const type of types) {
        const event = new streams.AppendReq.ProposedMessage()
        event.setId(uuid(randomUUID()))
        event.getMetadataMap().set('type', type).set('content-type', 'application/json')
        const message = new streams.AppendReq()
        message.setProposedMessage(event)
        call.write(message)
      }
      call.end()
    })
  }

  batchAppend(): ClientDuplexStream<BatchAppendReq, BatchAppendResp> {
    const { path, requestSerialize, responseDeserialize } = streamsGrpc.StreamsService.batchAppend
    return this.makeBidiStreamRequest(path, requestSerialize, responseDeserialize)
  }

  batchRequest(correlation: string, stream: string, expected: Expected, types: readonly string[]): BatchAppendReq {
    const options = new streams.BatchAppendReq.Options()
    options.setStreamIdentifier(identifier(stream))
    if (expected === 'no_stream') options.setNoStream(new empties.Empty())
    else options.setStreamPosition(String(expected))
    const request = new streams.BatchAppendReq()
    request.setCorrelationId(uuid(correlation))
    request.setOptions(options)
    request.setIsFinal(true)
    for (const type of types) {
      const event = new streams.BatchAppendReq.ProposedMessage()
      event.setId(uuid(randomUUID()))
      event.getMetadataMap().set('type', type).set('content-type', 'application/json')
      request.addProposedMessages(event)
    }
    return request
  }

  correlationOf(reply: BatchAppendResp): string | null {
    return uuidText(reply.getCorrelationId())
  }

  /** All replies of a read. */
  read(fill: (options: ReadReq.Options) => void, metadata = new Metadata()): Promise<ReadResp[]> {
    const { path, requestSerialize, responseDeserialize } = streamsGrpc.StreamsService.read
    const options = new streams.ReadReq.Options()
    options.setCount('1000')
    options.setNoFilter(new shared.Empty())
    fill(options)
    const request = new streams.ReadReq()
    request.setOptions(options)
    return new Promise((resolve, reject) => {
      const got: ReadResp[] = []
      const call = this.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata)
      call.on('data', (reply: ReadResp) => got.push(reply))
      call.on('error', reject)
      call.on('end', () => resolve(got))
    })
  }
}

export function identifier(stream: string): InstanceType<typeof shared.StreamIdentifier> {
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(stream))
  return name
}

function uuid(text: string): InstanceType<typeof shared.UUID> {
  const id = new shared.UUID()
  id.setString(text)
  return id
}
