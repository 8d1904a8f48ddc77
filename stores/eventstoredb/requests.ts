// Builds the request messages.

import { randomUUID } from 'node:crypto'
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js'
import type { Position } from '../../domain/event.ts'
import type { CheckedAppend } from '../support/log-arguments.ts'
import { requirePosition } from './position.ts'

const { Empty, StreamIdentifier, UUID } = sharedMessages
const { BatchAppendReq, ReadReq: Read } = streamMessages
const { Options } = Read
const FORWARDS = 0
const BACKWARDS = 1
/** Records that the server searches between two checkpoints, in units of 32. */
const SIGN_EVERY = 32

/** Events of a stream from a revision on, inclusive. */
export function streamPage(stream: string, from: number, count: number): ReadReq {
  const ofStream = new Options.StreamOptions()
  ofStream.setStreamIdentifier(identifier(stream))
  ofStream.setRevision(String(from))
  const options = reading(FORWARDS)
  options.setStream(ofStream)
  return counted(options, count)
}

/**
 * Records of the whole log from a position on: forwards inclusive, backwards exclusive; null: from the begin or end.
 */
export function logPage(from: Position | null, direction: 'forwards' | 'backwards', count: number): ReadReq {
  const options = reading(direction === 'forwards' ? FORWARDS : BACKWARDS)
  options.setAll(allFrom(from, direction === 'backwards'))
  return counted(options, count)
}

/** Subscribes to events after a position in streams with these name prefixes. */
export function following(after: Position | null, prefixes: readonly string[]): ReadReq {
  const names = new Options.FilterOptions.Expression()
  names.setPrefixList([...prefixes])
  const filter = new Options.FilterOptions()
  filter.setStreamIdentifier(names)
  filter.setCount(new Empty())
  filter.setCheckpointintervalmultiplier(SIGN_EVERY)
  const options = reading(FORWARDS)
  options.clearNoFilter()
  options.setFilter(filter)
  options.setAll(allFrom(after, false))
  options.setSubscription(new Options.SubscriptionOptions())
  return readRequest(options)
}

/** One append. The answer repeats `correlation`. The server drops the append unwritten after `until`. */
export function batchRequest({ stream, base, events }: CheckedAppend, correlation: string, until: Date) {
  const options = new BatchAppendReq.Options()
  options.setStreamIdentifier(identifier(stream))
  options.setDeadline(timestamps.Timestamp.fromDate(until))
  if (base < 0) options.setNoStream(new Empty())
  else options.setStreamPosition(String(base))
  const request = new BatchAppendReq()
  request.setCorrelationId(uuid(correlation))
  request.setOptions(options)
  for (const { event, data, meta } of events) {
    const message = new BatchAppendReq.ProposedMessage()
    message.setId(uuid(event.id))
    message.getMetadataMap().set('type', event.type).set('content-type', 'application/json')
    message.setData(Buffer.from(data))
    message.setCustomMetadata(Buffer.from(meta))
    request.addProposedMessages(message)
  }
  request.setIsFinal(true)
  return request
}

/** An append that every server rejects as a conflict, if the user may append at all. */
export function impossibleAppend(stream: string): CheckedAppend {
  const id = randomUUID()
  const meta = { v: 1, game: null, command: id, actor: null, request: null, time: new Date(0).toISOString() }
  const event = { id, type: 'NeverRecorded', data: {}, meta }
  const events = [{ event, data: '{}', meta: JSON.stringify(meta), bytes: 0 }]
  return { stream, base: 2 ** 40, isMade: false, events }
}

function reading(direction: 0 | 1): ReadReq.Options {
  const options = new Options()
  const ids = new Options.UUIDOption()
  ids.setString(new Empty())
  options.setUuidOption(ids)
  options.setReadDirection(direction)
  options.setResolveLinks(false)
  options.setNoFilter(new Empty())
  return options
}

function allFrom(from: Position | null, isFromEnd: boolean): ReadReq.Options.AllOptions {
  const all = new Options.AllOptions()
  if (from === null) {
    if (isFromEnd) all.setEnd(new Empty())
    else all.setStart(new Empty())
    return all
  }
  const { commit, prepare } = requirePosition(from)
  const position = new Options.Position()
  position.setCommitPosition(commit)
  position.setPreparePosition(prepare)
  all.setPosition(position)
  return all
}

function counted(options: ReadReq.Options, count: number): ReadReq {
  options.setCount(String(count))
  return readRequest(options)
}

function readRequest(options: ReadReq.Options): ReadReq {
  const request = new Read()
  request.setOptions(options)
  return request
}

function identifier(stream: string) {
  const name = new StreamIdentifier()
  name.setStreamName(Buffer.from(stream))
  return name
}

function uuid(text: string) {
  const id = new UUID()
  id.setString(text)
  return id
}
