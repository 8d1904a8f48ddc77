// What one subscription buffers for its reader, over answers that the test supplies.

import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { StoredEvent } from '../../domain/event.ts'
import type { Message } from '../../stores/eventstoredb/decode.ts'
import type { Answers } from '../../stores/eventstoredb/event-store-connection.ts'
import { createFeed } from '../../stores/eventstoredb/feed.ts'
import { NoAnswer } from '../../stores/eventstoredb/refusals.ts'
import { someEvent } from '../contracts/events.ts'
import { turn } from '../until.ts'

class Call extends EventEmitter implements Answers<Message> {
  done: string[] = []
  pause = () => this.done.push('pause')
  resume = () => this.done.push('resume')
  cancel = () => this.done.push('cancel')
  /** Emits the event at a position from 0 to 9. */
  give(...positions: readonly number[]): void {
    for (const at of positions) this.emit('data', { kind: 'event', position: `${at}`, event: eventAt(at), bytes: 1 })
  }
}

const eventAt = (at: number): StoredEvent => ({ ...someEvent(), stream: 's-1', revision: at, position: `${at}` })
const positionsOf = (events: readonly StoredEvent[] | null) => events?.map(({ position }) => position)

function feeding(after: string | null = null) {
  const call = new Call()
  const reports: string[] = []
  const handlers = { opened: () => {}, heard: () => {}, silent: () => reports.push('silent') }
  const options = { after, deadlineMs: 40, keptEvents: 4, ...handlers }
  const feed = createFeed(Promise.resolve(call), options)
  return { call, feed, reports }
}

describe('a subscription to EventStoreDB', () => {
  it('delivers each event once and in order, even if it arrives repeatedly, in bounded batches', async () => {
    const { call, feed } = feeding('1')
    const first = feed.next(2)
    await Promise.resolve()
    call.emit('data', { kind: 'confirmed' })
    call.give(0, 1, 2, 3, 3, 2, 4)
    expect(positionsOf(await first)).to.deep.equal(['2', '3'])
    expect(positionsOf(await feed.next(2))).to.deep.equal(['4'])
    call.give(4, 5)
    expect(positionsOf(await feed.next(2))).to.deep.equal(['5'])
    feed.close()
  })

  it('applies backpressure to the server while too many events are buffered, and only then', async () => {
    const { call, feed } = feeding()
    await Promise.resolve()
    expect(feed.isHungry()).to.equal(false)
    call.emit('data', { kind: 'confirmed' })
    call.give(1, 2, 3)
    expect(call.done).to.deep.equal([])
    call.give(4, 5)
    expect(new Set(call.done)).to.deep.equal(new Set(['pause']))
    await feed.next(2)
    expect(call.done).not.to.include('resume')
    expect(positionsOf(await feed.next(2))).to.deep.equal(['3', '4'])
    expect(call.done.at(-1)).to.equal('resume')
    feed.close()
  })

  it('delivers the events that arrived before it reports an error', async () => {
    const { call, feed } = feeding()
    await Promise.resolve()
    call.give(1)
    call.emit('error', new Error('gone'))
    expect(positionsOf(await feed.next(9))).to.deep.equal(['1'])
    expect(await feed.next(9).catch((error: unknown) => String(error))).to.equal('Error: gone')
    feed.close()
  })

  it('fails if the server ends it or does not confirm it in time', async () => {
    const ended = feeding()
    await Promise.resolve()
    ended.call.emit('end')
    expect(await ended.feed.next(9).catch((error: unknown) => error)).to.be.an.instanceOf(Error)
    ended.feed.close()
    const silent = feeding()
    expect(await silent.feed.next(9).catch((error: unknown) => error)).to.be.an.instanceOf(NoAnswer)
    expect(silent.reports).to.deep.equal(['silent'])
    silent.feed.close()
  })

  it('ends for a waiting reader when it is closed, and cancels the call', async () => {
    const { call, feed } = feeding()
    const next = feed.next(9)
    expect(feed.isHungry()).to.equal(true)
    feed.close()
    expect(await next).to.equal(null)
    await turn()
    expect(call.done).to.include('cancel')
  })
})
