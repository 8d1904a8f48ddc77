// The message decoder agrees with the client library's generated classes on everything that those can write, and
// foreign events in our streams cannot make it throw.

import sharedMessages from '@eventstore/db-client/generated/shared_pb.js'
import streamMessages from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import fc from 'fast-check'
import { createDecoder } from '../../stores/eventstoredb/decode.ts'
import { hexOfDecimal, positionOf } from '../../stores/eventstoredb/position.ts'
import { someEvent } from '../contracts/events.ts'

const { ReadEvent, SubscriptionConfirmation, Checkpoint, StreamNotFound, CaughtUp } = streamMessages.ReadResp
const foreign: string[] = []
const decode = createDecoder({
  prefixes: ['s-', 'lb_'],
  onForeign: (stream, type, id) => foreign.push(`${stream} ${type} ${id}`),
})

interface Written {
  readonly id: string
  readonly stream: string
  readonly revision: bigint
  readonly commit: bigint
  readonly prepare: bigint
  readonly type: string
  readonly contentType: string
  readonly created: string
  readonly data: Uint8Array
  readonly meta: Uint8Array
}

function message(written: Written): Buffer {
  const id = new sharedMessages.UUID()
  id.setString(written.id)
  const stream = new sharedMessages.StreamIdentifier()
  stream.setStreamName(Buffer.from(written.stream))
  const record = new ReadEvent.RecordedEvent()
  record.setId(id)
  record.setStreamIdentifier(stream)
  record.setStreamRevision(String(written.revision))
  record.setCommitPosition(String(written.commit))
  record.setPreparePosition(String(written.prepare))
  const map = record.getMetadataMap()
  map.set('created', written.created).set('content-type', written.contentType).set('type', written.type)
  record.setData(written.data)
  record.setCustomMetadata(written.meta)
  const event = new ReadEvent()
  event.setEvent(record)
  event.setCommitPosition(String(written.commit))
  const answer = new streamMessages.ReadResp()
  answer.setEvent(event)
  return Buffer.from(answer.serializeBinary())
}

const like = (changes: Partial<Written> = {}): Written => {
  const { id, type, data, meta } = someEvent()
  return {
    id,
    stream: 's-1',
    revision: 3n,
    commit: 300n,
    prepare: 300n,
    type,
    contentType: 'application/json',
    created: '1',
    data: Buffer.from(JSON.stringify(data)),
    meta: Buffer.from(JSON.stringify(meta)),
    ...changes,
  }
}

const positionIn = ({ commit, prepare }: Written) => positionOf(hexOfDecimal(`${commit}`), hexOfDecimal(`${prepare}`))

describe('the decoder of EventStoreDB’s messages', () => {
  it('decodes every event as it was written', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' })
    const position = fc.bigInt({ min: 0n, max: 2n ** 63n - 2n ** 32n - 1n })
    const written = fc.record({
      stream: text.map((name) => `lb_${name}`),
      revision: fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }),
      commit: position,
      prepare: position,
      type: text,
      created: fc.string(),
    })
    fc.assert(
      fc.property(written, fc.dictionary(text, fc.jsonValue()), fc.uuid(), text, (one, data, id, game) => {
        // Values without a JSON form, such as negative zero, are not tested here.
        const sent = JSON.parse(JSON.stringify({ data, meta: { ...someEvent().meta, game } }))
        const bytes = message({
          ...like(one),
          id,
          data: Buffer.from(JSON.stringify(sent.data)),
          meta: Buffer.from(JSON.stringify(sent.meta)),
        })
        const at = positionIn(like(one))
        const { stream, type } = one
        const event = { id, type, ...sent, stream, revision: Number(one.revision), position: at }
        expect(decode(bytes)).to.deep.equal({ kind: 'event', position: at, event, bytes: bytes.length })
      }),
    )
  })

  it('skips events of other streams, and reports unreadable events but no tombstones in ours', () => {
    foreign.length = 0
    const garbage = new Uint8Array([0xff, 0x00, 0x80])
    const others = [like({ stream: 'ss-1' }), like({ stream: '$ce-s' }), like({ stream: '', data: garbage })]
    const bad = [
      like({ data: garbage }),
      like({ meta: new Uint8Array() }),
      like({ meta: Buffer.from('{"v":1,"game":3,"command":"c","time":"t"}') }),
      like({ meta: Buffer.from('null') }),
      like({ data: Buffer.from('[]') }),
      like({ contentType: 'application/octet-stream' }),
    ]
    // Streams of a deleted game end with a tombstone.
    const tombstone = like({ type: '$streamDeleted', revision: 2n ** 63n - 1n, data: new Uint8Array() })
    for (const one of [...others, ...bad, tombstone]) {
      const bytes = message(one)
      expect(decode(bytes)).to.deep.equal({
        kind: 'event',
        position: positionIn(one),
        event: null,
        bytes: bytes.length,
      })
    }
    expect(foreign).to.deep.equal(bad.map(({ stream, type, id }) => `${stream} ${type} ${id}`))
  })

  it('returns no position if the server reports none', () => {
    const response = streamMessages.ReadResp.deserializeBinary(message(like()))
    response.getEvent()?.setNoPosition(new sharedMessages.Empty())
    expect(decode(Buffer.from(response.serializeBinary()))).to.include({ kind: 'event', position: null })
    for (const none of [2n ** 63n - 1n, 2n ** 64n - 1n]) {
      expect(decode(message(like({ commit: none, prepare: none })))).to.include({ kind: 'event', position: null })
    }
  })

  it('decodes all other messages, and reports unknown ones as unknown', () => {
    const answer = (fill: (one: InstanceType<typeof streamMessages.ReadResp>) => void) => {
      const one = new streamMessages.ReadResp()
      fill(one)
      return decode(Buffer.from(one.serializeBinary()))
    }
    const checkpoint = new Checkpoint()
    checkpoint.setCommitPosition('256')
    checkpoint.setPreparePosition('256')
    expect(answer((one) => one.setConfirmation(new SubscriptionConfirmation()))).to.deep.equal({ kind: 'confirmed' })
    expect(answer((one) => one.setCheckpoint(checkpoint))).to.deep.equal({
      kind: 'checkpoint',
      position: '0000000000000100z',
    })
    expect(answer((one) => one.setStreamNotFound(new StreamNotFound()))).to.deep.equal({ kind: 'missing' })
    expect(answer((one) => one.setCaughtUp(new CaughtUp()))).to.deep.equal({ kind: 'other' })
    expect(answer((one) => one.setLastStreamPosition('7'))).to.deep.equal({ kind: 'other' })
    expect(answer(() => {})).to.deep.equal({ kind: 'other' })
  })

  it('reports a truncated message, and decodes the next one', () => {
    const whole = message(like())
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => decode(whole.subarray(0, length)), `${length} bytes`).to.throw(RangeError)
    }
    expect(decode(whole)).to.have.property('event').that.includes({ stream: 's-1', revision: 3 })
  })
})
