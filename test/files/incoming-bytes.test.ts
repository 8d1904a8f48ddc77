// What the uploads of a process hold in memory before it is written: however many there are, and whether they go on.

import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import {
  BATCH_BYTES,
  createIncomingBytes,
  HeldBytes,
  SMALL_BATCH_BYTES,
  UPLOADS_HELD_BYTES,
} from '../../stores/files/incoming-bytes.ts'
import { withFakeTimers } from '../fake-timers.ts'

const CHUNK = 50_000
/** Less than a batch. */
const CHUNKS = Math.floor(BATCH_BYTES / CHUNK)
/** As many as a small batch needs. */
const SMALL_CHUNKS = Math.ceil(SMALL_BATCH_BYTES / CHUNK)
const UPLOADS = 300

/** Sends chunks until it is paused. The first batch is taken, and its write never ends. */
function sender(held: HeldBytes) {
  const source = new Readable({ read() {} })
  const inbox = createIncomingBytes(source, new AbortController().signal, held)
  let first: readonly Buffer[] | null = null
  void inbox.next().then((batch) => {
    first = batch
  })
  return {
    inbox,
    get first() {
      return first
    },
    async send(chunks: number) {
      for (let n = 0; n < chunks && !source.isPaused(); n++) {
        source.emit('data', Buffer.alloc(CHUNK))
        await nextTurn()
      }
    },
  }
}

describe('bytes of uploads that are not written yet', () => {
  it('are held in large batches up to 64 MiB of all uploads, and past that in small ones', async () => {
    const held = new HeldBytes()
    const senders = Array.from({ length: UPLOADS }, () => sender(held))
    for (const one of senders) await one.send(CHUNKS)
    const inLarge = Math.floor(UPLOADS_HELD_BYTES / (CHUNKS * CHUNK))
    const batches = senders.map(({ first }) => first?.length ?? null)
    expect(batches.slice(0, inLarge)).to.deep.equal(Array(inLarge).fill(null))
    expect(batches.slice(inLarge + 1)).to.deep.equal(Array(UPLOADS - inLarge - 1).fill(SMALL_CHUNKS))
    // Of each one past the limit: the batch that is being written, and the next one.
    const past = (UPLOADS - inLarge) * 2 * SMALL_CHUNKS * CHUNK
    expect(held.count).to.be.within(UPLOADS_HELD_BYTES, UPLOADS_HELD_BYTES + past)
    for (const { inbox } of senders) inbox.close()
    expect(held.count, 'after the uploads').to.equal(0)
  })

  it('are written once the batch is due, though the sender sends no more', async () => {
    await withFakeTimers(async ({ running, fire }) => {
      const held = new HeldBytes()
      const one = sender(held)
      await one.send(1)
      expect([one.first, running.size]).to.deep.equal([null, 1])
      fire()
      await nextTurn()
      expect(one.first).to.have.length(1)
      await one.send(1)
      one.inbox.close()
      expect([held.count, running.size], 'after the upload').to.deep.equal([0, 0])
    })
  })
})
