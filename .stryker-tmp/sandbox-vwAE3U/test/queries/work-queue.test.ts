// The work queue of long reads: shared fairly at each level of its callers' paths, bounded in number and in time.

import { expect } from 'chai'
import { type Lane, READ_LIMITS, ReadQueue, type ReadRefusalCause } from '../../queries/work-queue.ts'
import { TimeSlices } from '../../scheduling/time-slices.ts'
import { until } from '../until.ts'

const never = () => new AbortController().signal
const settled = () => new Promise((next) => setImmediate(next))

/** Reads by callers named as `game/network/player`; each runs until it is ended. */
function world(limits: Partial<typeof READ_LIMITS> = {}) {
  const refusals: ReadRefusalCause[] = []
  const queue = new ReadQueue({ ...READ_LIMITS, ...limits }, { refused: (cause) => refusals.push(cause) })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (caller: string, name = caller, { signal = never(), lane = 'scan' as Lane } = {}) =>
    queue
      .run({ path: caller.split('/'), signal }, lane, () => {
        begun.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      })
      .catch((why: { code?: string; message: string }) => why.code ?? why.message)
  const end = async (name: string) => {
    await until(() => begun.includes(name))
    ends.get(name)?.()
  }
  return { queue, refusals, begun, ask, end }
}

describe('the work queue of long reads', () => {
  it('takes turns by game, then network address, then player, whatever each has waiting', async () => {
    const { begun, ask, end } = world({ running: [1] as never, waiting: [99] as never })
    const asked = [
      ask('a/1/x', 'first'),
      ...['1', '2', '3'].map((n) => ask('a/1/x', `a1x${n}`)),
      ask('a/1/y', 'a1y'),
      ask('a/2/z', 'a2z'),
      ask('b/1/x', 'b1x'),
      ask('b/1/x', 'b1x2'),
    ]
    const order = ['first', 'a1x1', 'b1x', 'a2z', 'b1x2', 'a1y', 'a1x2', 'a1x3']
    for (const name of order) await end(name)
    await Promise.all(asked)
    expect(begun).to.deep.equal(order)
  })

  it('runs no more reads of one player, network address or game at once than their bounds allow', async () => {
    const { queue, begun, ask, end } = world()
    const asked = ['1', '2', '3', '4'].flatMap((network) =>
      ['x', 'x', 'x', 'y', 'y', 'y'].map((player, n) => ask(`a/${network}/${player}`, `${network}${player}${n}`)),
    )
    const other = ask('b/9/z', 'other')
    await until(() => begun.length === 5)
    await settled()
    expect([queue.running, begun.toSorted()]).to.deep.equal([5, ['1x0', '1x1', '1y3', '2x0', 'other']])
    const all = Promise.all([...asked, other])
    for (let next = 0; next < 25; next++) {
      await until(() => begun.length > next)
      await end(begun[next] ?? '')
    }
    await all
    expect(begun.length).to.equal(25)
    expect([queue.running, queue.waiting]).to.deep.equal([0, 0])
  })

  it('refuses a player beyond their own limit with reads_busy, and a full network address admits a player with fewer', async () => {
    const limits = { running: [1], waiting: [9, 9, 4, 3] } as never
    const { refusals, begun, ask, end } = world(limits)
    const asked = ['0', '1', '2', '3', '4'].map((n) => ask('a/1/x', n))
    expect(await asked[4]).to.equal('reads_busy')
    const others = ['5', '6'].map((n) => ask('a/1/y', n))
    // With one more of y, x has no more waiting than y: nobody gives way.
    expect(await asked[3]).to.equal('reads_busy')
    expect(await ask('a/1/y', '7')).to.equal('reads_busy')
    for (const name of ['0', '1', '5', '2', '6']) await end(name)
    await Promise.all([...asked, ...others])
    expect([begun, refusals]).to.deep.equal([
      ['0', '1', '5', '2', '6'],
      ['player', 'gave_way', 'network'],
    ])
  })

  it('refuses a read that waited too long, which has not begun', async () => {
    const { refusals, begun, ask, end } = world({ running: [1] as never, maxWaitMs: 5 })
    const first = ask('a/1/x', 'first')
    expect(await ask('a/1/y', 'second')).to.equal('reads_busy')
    await end('first')
    expect(await first).to.equal('first')
    expect([begun, refusals]).to.deep.equal([['first'], ['waited']])
  })

  it('drops a read whose caller disconnects while it waits', async () => {
    const { queue, begun, ask, end } = world({ running: [1] as never })
    const first = ask('a/1/x', 'first')
    const leaving = new AbortController()
    const left = ask('a/1/x', 'left', { signal: leaving.signal })
    const last = ask('a/1/x', 'last')
    leaving.abort(new Error('gone'))
    expect(await left).to.equal('gone')
    expect(queue.waiting).to.equal(1)
    for (const name of ['first', 'last']) await end(name)
    expect([await first, await last, begun]).to.deep.equal(['first', 'last', ['first', 'last']])
  })

  it('runs two reads at once that hold a board, one per game, beside others', async () => {
    const { begun, ask, end } = world()
    const past = { lane: 'past' as Lane }
    const asked = ['a/1/x', 'a/2/y', 'b/1/x', 'c/1/x'].map((caller) => ask(caller, caller, past))
    asked.push(ask('a/3/z', 'scan'))
    await until(() => begun.length === 3)
    await settled()
    expect(begun).to.deep.equal(['a/1/x', 'b/1/x', 'scan'])
    for (const name of ['b/1/x', 'a/1/x', 'c/1/x', 'a/2/y', 'scan']) await end(name)
    await Promise.all(asked)
  })
})

describe('time slices of long reads', () => {
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
