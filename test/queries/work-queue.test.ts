// The work queue of long reads: shared fairly at each level of its callers' paths, bounded in number and in time.

import { expect } from 'chai'
import { type Lane, READ_LIMITS, ReadQueue, type ReadRefusalCause } from '../../queries/work-queue.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import { turn, until } from '../until.ts'

const never = () => new AbortController().signal

/** Reads by callers named as `game/network/player`; each runs until it is ended. */
function world(limits: Partial<typeof READ_LIMITS> = {}) {
  const refusals: ReadRefusalCause[] = []
  const queue = new ReadQueue({ ...READ_LIMITS, ...limits }, { refused: (cause) => refusals.push(cause) })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const read = (caller: string, name = caller, { signal = never(), lane = 'scan' as Lane } = {}) =>
    queue
      .run({ path: caller.split('/'), signal }, lane, () => {
        started.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      })
      .catch((error: { code?: string; message: string }) => error.code ?? error.message)
  const end = async (name: string) => {
    await until(() => started.includes(name))
    ends.get(name)?.()
  }
  return { queue, refusals, started, read, end }
}

describe('the work queue of long reads', () => {
  it('takes turns by game, then network address, then player, however many reads each has waiting', async () => {
    const { started, read, end } = world({ running: [1] as never, waiting: [99] as never })
    const reads = [
      read('a/1/x', 'first'),
      ...['1', '2', '3'].map((n) => read('a/1/x', `a1x${n}`)),
      read('a/1/y', 'a1y'),
      read('a/2/z', 'a2z'),
      read('b/1/x', 'b1x'),
      read('b/1/x', 'b1x2'),
    ]
    const order = ['first', 'a1x1', 'b1x', 'a2z', 'b1x2', 'a1y', 'a1x2', 'a1x3']
    for (const name of order) await end(name)
    await Promise.all(reads)
    expect(started).to.deep.equal(order)
  })

  it('bounds the concurrent reads of a player, a network address and a game', async () => {
    const { queue, started, read, end } = world()
    const reads = ['1', '2', '3', '4'].flatMap((network) =>
      ['x', 'x', 'x', 'y', 'y', 'y'].map((player, n) => read(`a/${network}/${player}`, `${network}${player}${n}`)),
    )
    const other = read('b/9/z', 'other')
    await until(() => started.length === 5)
    await turn()
    expect([queue.running, started.toSorted()]).to.deep.equal([5, ['1x0', '1x1', '1y3', '2x0', 'other']])
    const all = Promise.all([...reads, other])
    for (let next = 0; next < 25; next++) {
      await until(() => started.length > next)
      await end(started[next] ?? '')
    }
    await all
    expect(started.length).to.equal(25)
    expect([queue.running, queue.waiting]).to.deep.equal([0, 0])
  })

  it('refuses a player beyond their limit with reads_busy, and prefers players with fewer waiting reads', async () => {
    const limits = { running: [1], waiting: [9, 9, 4, 3] } as never
    const { refusals, started, read, end } = world(limits)
    const reads = ['0', '1', '2', '3', '4'].map((n) => read('a/1/x', n))
    expect(await reads[4]).to.equal('reads_busy')
    const others = ['5', '6'].map((n) => read('a/1/y', n))
    // With one more read of y, x has no more waiting than y: no read is dropped for it.
    expect(await reads[3]).to.equal('reads_busy')
    expect(await read('a/1/y', '7')).to.equal('reads_busy')
    for (const name of ['0', '1', '5', '2', '6']) await end(name)
    await Promise.all([...reads, ...others])
    expect([started, refusals]).to.deep.equal([
      ['0', '1', '5', '2', '6'],
      ['player', 'gave_way', 'network'],
    ])
  })

  it('refuses a read that waited too long, without running it', async () => {
    const { refusals, started, read, end } = world({ running: [1] as never, maxWaitMs: 5 })
    const first = read('a/1/x', 'first')
    expect(await read('a/1/y', 'second')).to.equal('reads_busy')
    await end('first')
    expect(await first).to.equal('first')
    expect([started, refusals]).to.deep.equal([['first'], ['waited']])
  })

  it('drops a read whose caller disconnects while it waits', async () => {
    const { queue, started, read, end } = world({ running: [1] as never })
    const first = read('a/1/x', 'first')
    const leaving = new AbortController()
    const left = read('a/1/x', 'left', { signal: leaving.signal })
    const last = read('a/1/x', 'last')
    leaving.abort(new Error('gone'))
    expect(await left).to.equal('gone')
    expect(queue.waiting).to.equal(1)
    for (const name of ['first', 'last']) await end(name)
    expect([await first, await last, started]).to.deep.equal(['first', 'last', ['first', 'last']])
  })

  it('runs at most two reads of the lane past at once, one per game, beside other lanes', async () => {
    const { started, read, end } = world()
    const past = { lane: 'past' as Lane }
    const reads = ['a/1/x', 'a/2/y', 'b/1/x', 'c/1/x'].map((caller) => read(caller, caller, past))
    reads.push(read('a/3/z', 'scan'))
    await until(() => started.length === 3)
    await turn()
    expect(started).to.deep.equal(['a/1/x', 'b/1/x', 'scan'])
    for (const name of ['b/1/x', 'a/1/x', 'c/1/x', 'a/2/y', 'scan']) await end(name)
    await Promise.all(reads)
  })
})

describe('the time slices of long reads', () => {
  it('run one per turn of the event loop, round robin by game', async () => {
    const ran: string[] = []
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    const work = async (game: string, name: string) => {
      const slices = new TimeSlices(undefined, [game, '', ''])
      for (let n = 0; n < 3; n++) {
        await slices.yield()
        ran.push(`${name}@${turns}`)
      }
    }
    setImmediate(count)
    await Promise.all([work('a', 'a1'), work('a', 'a2'), work('b', 'b')])
    isOver = true
    expect(ran.map((one) => one.replace(/@.*/, ''))).to.deep.equal(['a1', 'b', 'a2', 'b', 'a1', 'b', 'a2', 'a1', 'a2'])
    expect(new Set(ran.map((one) => one.replace(/.*@/, ''))).size).to.equal(ran.length)
  })
})
