// The messages of the BatchAppend call, compared with those of the client library's generated classes.

import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import statusMessages from '@eventstore/db-client/generated/status_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import anyMessages from 'google-protobuf/google/protobuf/any_pb.js'
import type { NewEvent } from '../../domain/event.ts'
import { batchRequest, decodeAnswer } from '../../stores/eventstoredb/batch-messages.ts'
import { checkAppend } from '../../stores/support/log-arguments.ts'
import { someEvent } from '../contracts/events.ts'

const { BatchAppendReq, BatchAppendResp } = streamMessages
const { AllStreamPosition, Empty, StreamIdentifier, UUID } = sharedMessages
const UNTIL = new Date('2026-11-29T12:34:56.789Z')

/** What a server reads in a request. */
function readRequest(stream: string, expected: 'none' | number, events: readonly NewEvent[], number = 1) {
  const bytes = batchRequest(checkAppend(stream, expected, events), number, UNTIL)
  const request = BatchAppendReq.deserializeBinary(bytes)
  const options = request.getOptions()
  return {
    correlation: request.getCorrelationId()?.getString(),
    stream: Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    expected: options?.hasNoStream() ? 'none' : options?.getStreamPosition(),
    until: options?.getDeadline()?.toDate(),
    isFinal: request.getIsFinal(),
    events: request.getProposedMessagesList().map((message) => ({
      id: message.getId()?.getString(),
      metadata: Object.fromEntries(message.getMetadataMap().toObject()),
      data: JSON.parse(Buffer.from(message.getData_asU8()).toString()),
      meta: JSON.parse(Buffer.from(message.getCustomMetadata_asU8()).toString()),
    })),
  }
}

const readEvent = ({ id, type, data, meta }: NewEvent) => ({
  id,
  metadata: { type, 'content-type': 'application/json' },
  data,
  meta,
})

type Success = InstanceType<typeof BatchAppendResp.Success>

/** The bytes of an answer to append 7, with an id in two halves. */
function answer(make: (success: Success) => void): Buffer {
  const halves = new UUID.Structured()
  halves.setLeastSignificantBits('7')
  const id = new UUID()
  id.setStructured(halves)
  const success = new BatchAppendResp.Success()
  make(success)
  const whole = new BatchAppendResp()
  whole.setCorrelationId(id)
  whole.setSuccess(success)
  const identifier = new StreamIdentifier()
  identifier.setStreamName(Buffer.from('s-1'))
  whole.setStreamIdentifier(identifier)
  whole.setStreamPosition('3')
  return Buffer.from(whole.serializeBinary())
}

function refusal(type: string | null, message: string): Buffer {
  const status = new statusMessages.Status()
  status.setCode(6)
  status.setMessage(message)
  if (type !== null) {
    const details = new anyMessages.Any()
    details.pack(new Uint8Array([8, 1]), type)
    status.setDetails(details)
  }
  const id = new UUID()
  id.setString('00000000-0000-0000-0000-0000000000ff')
  const whole = new BatchAppendResp()
  whole.setCorrelationId(id)
  whole.setError(status)
  return Buffer.from(whole.serializeBinary())
}

describe('a request of the BatchAppend call', () => {
  it('has the stream, the expected revision, the deadline and every event in order', () => {
    const events = [someEvent(), someEvent({ type: 'Second' }), someEvent({ type: 'Third' })]
    expect(readRequest('s-1', 12, events, 0xabc)).to.deep.equal({
      correlation: '00000000-0000-0000-0000-000000000abc',
      stream: 's-1',
      expected: '12',
      until: UNTIL,
      isFinal: true,
      events: events.map(readEvent),
    })
  })

  it('has expected revisions up to the largest one, and none for a new stream', () => {
    for (const expected of [0, 1, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(readRequest('s-1', expected, [someEvent()]).expected).to.equal(String(expected))
    }
    expect(readRequest('s-1', 'none', [someEvent()]).expected).to.equal('none')
  })

  it('has names and texts of any length in UTF-8', () => {
    for (const text of ['ü', '名前', '🎲', 'x'.repeat(127), 'y'.repeat(128), '語'.repeat(70_000)]) {
      const event = someEvent({ type: text, data: { text } })
      const { stream, events } = readRequest(text, 'none', [event])
      expect(stream).to.equal(text)
      expect(events).to.deep.equal([readEvent(event)])
    }
  })
})

describe('an answer of the BatchAppend call', () => {
  it('says which append was recorded, at which revision and position', () => {
    const bytes = answer((success) => {
      success.setCurrentRevision('300')
      const position = new AllStreamPosition()
      position.setCommitPosition('18446744073709551')
      position.setPreparePosition('255')
      success.setPosition(position)
    })
    const outcome = { revision: 300, position: '004189374bc6a7ef00000000000000ff' }
    expect(decodeAnswer(bytes)).to.deep.equal({ number: 7, outcome })
  })

  it('has no position where the server reports none, and the position 0 where the server omits its numbers', () => {
    const without = answer((success) => {
      success.setCurrentRevision('0')
      success.setNoPosition(new Empty())
    })
    expect(decodeAnswer(without)).to.deep.equal({ number: 7, outcome: { revision: 0, position: null } })
    const first = answer((success) => {
      success.setCurrentRevision('0')
      success.setPosition(new AllStreamPosition())
    })
    expect(decodeAnswer(first).outcome).to.deep.equal({ revision: 0, position: '0000000000000000z' })
  })

  it('has the type and the text of a refusal', () => {
    expect(decodeAnswer(refusal('event_store.client.WrongExpectedVersion', 'wrong'))).to.deep.equal({
      number: 255,
      outcome: { refused: 'event_store.client.WrongExpectedVersion', message: 'wrong' },
    })
    expect(decodeAnswer(refusal(null, '')).outcome).to.deep.equal({ refused: '', message: '' })
  })

  it('is of no append without a correlation id', () => {
    const { number, outcome } = decodeAnswer(Buffer.from(new BatchAppendResp().serializeBinary()))
    expect(number).to.be.NaN
    expect(outcome).to.deep.equal({ refused: '', message: '' })
  })

  it('throws for bytes that end within a field', () => {
    const bytes = refusal('event_store.client.WrongExpectedVersion', 'wrong')
    expect(() => decodeAnswer(bytes.subarray(0, bytes.length - 3))).to.throw(RangeError)
  })
})
