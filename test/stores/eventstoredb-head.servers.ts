// The search for the end of this installation's part of the log, over a simulated log: always correct, and it reads
// no record twice.

import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js'
import { expect } from 'chai'
import fc from 'fast-check'
import type { Position, StoredEvent } from '../../domain/event.ts'
import { createHead } from '../../stores/eventstoredb/head.ts'
import { hexOfDecimal, parsePosition, positionOf } from '../../stores/eventstoredb/position.ts'
import type { Reading } from '../../stores/eventstoredb/reading.ts'
import type { Arrived } from '../../stores/eventstoredb/recorded-event.ts'
import { someEvent } from '../contracts/events.ts'

/** A log of records, ours and others', at distances of 10; counts the records that were read. */
function madeUp() {
  const records: Arrived[] = []
  const log = { records, recordsRead: 0, add, reading: { page } as Reading }

  function add(isOurs: boolean): Position {
    const at = hexOfDecimal(String(10 * (records.length + 1)))
    const position = positionOf(at, at)
    const event: StoredEvent | null = isOurs ? { ...someEvent(), stream: 's', revision: 0, position } : null
    records.push({ kind: 'event', position, event, bytes: 1 })
    return position
  }

  async function page(request: ReadReq, _what: string, take: (arrived: Arrived) => boolean): Promise<number> {
    const options = request.getOptions()
    const before = Number(options?.getAll()?.getPosition()?.getCommitPosition() ?? Number.POSITIVE_INFINITY)
    expect(options?.getReadDirection()).to.equal(1)
    let count = 0
    for (const record of records.toReversed()) {
      if (Number(parsePosition(record.position ?? '')?.commit) >= before) continue
      if (count === Number(options?.getCount())) break
      count += 1
      log.recordsRead += 1
      if (!take(record)) break
    }
    return count
  }

  return log
}

const headOf = (records: readonly Arrived[]) => records.findLast(({ event }) => event !== null)?.position ?? null

describe('the position of our last event in EventStoreDB’s log', () => {
  it('is found for any appends, and no event of ours is skipped', async () => {
    const step = fc.record({ ours: fc.nat(2), others: fc.nat(60), reads: fc.nat(2) })
    const steps = fc.array(step, { maxLength: 20, size: 'max' })
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const log = madeUp()
        const head = createHead(log.reading)
        for (const { ours, others, reads } of all) {
          for (let n = 0; n < ours; n += 1) log.add(true)
          for (let n = 0; n < others; n += 1) log.add(false)
          for (let n = 0; n < reads; n += 1) expect(await head.find()).to.equal(headOf(log.records))
          for (const { position } of log.records) {
            const to = head.skipTo(position)
            const between = log.records.filter(
              (one) => `${one.position}` > `${position}` && `${one.position}` <= `${to}`,
            )
            expect(headOf(between)).to.equal(null)
          }
        }
      }),
    )
  })

  it('is found without reading the same records twice, with and without an event of ours', async () => {
    for (const first of [true, false]) {
      const log = madeUp()
      const head = createHead(log.reading)
      const position = log.add(first)
      for (let n = 0; n < 50; n += 1) {
        for (let k = 0; k < 1_000; k += 1) log.add(false)
        expect(await head.find()).to.equal(first ? position : null)
        expect(await head.find()).to.equal(first ? position : null)
        expect(head.skipTo(first ? position : null)).to.equal(log.records.at(-1)?.position)
      }
      expect(log.recordsRead).to.be.below(50_000 + 200)
    }
  })

  it('is searched again if the log ends before the known position', async () => {
    const log = madeUp()
    const head = createHead(log.reading)
    const position = log.add(true)
    log.add(false)
    log.add(true)
    log.add(false)
    await head.find()
    log.records.length = 2
    expect(await head.find()).to.equal(position)
    log.records.length = 0
    expect(await head.find()).to.equal(null)
    head.forget()
    expect(head.skipTo(null)).to.equal(null)
  })
})
