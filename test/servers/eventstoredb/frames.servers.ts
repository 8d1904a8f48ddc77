// The hand-written encoding of replies equals that of the generated code.

import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import { eventFrame } from './frames.ts'
import { Journal } from './journal.ts'
import { type LogRecord, revisionText, TOMBSTONE_REVISION } from './record.ts'

function generated(record: LogRecord): Buffer {
  const id = new shared.UUID()
  id.setString(record.id)
  const name = new shared.StreamIdentifier()
  name.setStreamName(Buffer.from(record.stream))
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
  recorded.setId(id)
  recorded.setStreamIdentifier(name)
  recorded.setStreamRevision(revisionText(record.revision))
  recorded.setPreparePosition(String(record.position))
  recorded.setCommitPosition(String(record.position))
  const map = recorded.getMetadataMap()
  map.set('type', record.type).set('content-type', record.contentType).set('created', record.created)
  recorded.setCustomMetadata(record.metadata)
  recorded.setData(record.data)
  const event = new streams.ReadResp.ReadEvent()
  event.setEvent(recorded)
  event.setCommitPosition(String(record.position))
  const reply = new streams.ReadResp()
  reply.setEvent(event)
  return Buffer.from(reply.serializeBinary())
}

describe('eventstoredb test server: encoding', () => {
  for (const revision of [0, 1, 127, 128, 300, 2 ** 31, 2 ** 40, TOMBSTONE_REVISION]) {
    it(`encodes an event at revision ${revisionText(revision)} like the generated code`, () => {
      const record: LogRecord = {
        id: 'ffeeddcc-bbaa-4988-b766-554433221100',
        type: 'Größe',
        contentType: 'application/json',
        data: Buffer.alloc(revision === 300 ? 100_000 : 3, 'a'),
        metadata: revision === 1 ? new Uint8Array(0) : Buffer.from('{"é":1}'),
        position: 1_000 + (revision % 1e12) * 3,
        index: 0,
        stream: 'größer-1',
        revision,
        created: '17000000000000000',
        frame: null,
      }
      const form = { resolveLinks: false, structuredIds: false }
      // The generated code sorts the map by key, so messages are compared instead of bytes.
      const message = (bytes: Buffer) => streams.ReadResp.deserializeBinary(bytes).toObject()
      const frame = eventFrame(new Journal(), record, form)
      const expected = generated(record)
      expect(frame.length).to.equal(expected.length)
      expect(message(frame)).to.deep.equal(message(expected))
    })
  }
})
