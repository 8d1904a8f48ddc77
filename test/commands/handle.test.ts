// The write path: on which state commands are decided, what is appended where, and what is answered.

import { expect } from 'chai'
import { type CommandContext, withoutIdempotencyKey } from '../../commands/command-context.ts'
import { createHandler, type Handler } from '../../commands/handle.ts'
import type { Log } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import {
  BEGINNING_MS,
  beFirst,
  begin,
  count,
  counter,
  doNothing,
  fresh,
  handlerOn,
  keyed,
  refuse,
  STREAM,
  send,
} from './counter-aggregate.ts'

const everything = (log: Log) => log.readStream(STREAM, 0, 10_000)
const counted = async (log: Log) => (await everything(log)).map(({ data }) => data.by)

/** Sends as a call that generated the id of the stream. */
const sendNew = (handler: Handler, ...[decision, context]: [Parameters<typeof send>[1], CommandContext]) =>
  handler.handle(counter, { stream: STREAM, game: 'g1', isNew: true }, context, decision)

function countingReads(log: Log) {
  let reads = 0
  const readStream: Log['readStream'] = (...args) => {
    reads++
    return log.readStream(...args)
  }
  return { handler: createHandler({ ...log, readStream }), reads: () => reads }
}

describe('the write path', () => {
  it('appends with the folded revision expected', async () => {
    const { handler, sent } = handlerOn(createMemoryLog())
    const first = await send(handler, count(1))
    const second = await send(handler, count(2))
    expect(sent.map(({ expected }) => expected)).to.deep.equal(['none', 0])
    expect([first.before, first.after, second.before, second.after]).to.deep.equal([[], [1], [1], [1, 2]])
    expect(second.events.map(({ revision }) => revision)).to.deep.equal([1])
    expect(second.written).to.deep.equal({ game: 'g1', position: '0000000000000002' })
    expect(second.position).to.equal('0000000000000002')
    expect(second.replayed).to.equal(false)
  })

  it('writes nothing if no event was decided', async () => {
    const { handler, sent } = handlerOn(createMemoryLog())
    const handled = await send(handler, doNothing)
    const nothing = { events: [], written: null, position: null, replayed: false, current: null }
    expect(handled).to.deep.equal({ before: [], after: [], ...nothing })
    expect(sent).to.deep.equal([])
  })

  it('appends to a new stream without a read', async () => {
    const { handler, reads } = countingReads(createMemoryLog())
    const first = await sendNew(handler, beFirst(1), fresh())
    expect([first.before, first.after, first.replayed, reads()]).to.deep.equal([[], [1], false, 0])
    expect((await send(handler, count(2))).after).to.deep.equal([1, 2])
    expect(reads()).to.equal(0)
  })

  it('reads a stream that should be new where the call may be a repeat, even one of the same millisecond', async () => {
    const log = createMemoryLog()
    const first = await sendNew(createHandler(log), beFirst(1), keyed('k'))
    const again = await sendNew(createHandler(log), beFirst(1), keyed('k'))
    expect([first.replayed, again.replayed, again.after, again.events]).to.deep.equal([false, true, [1], first.events])
  })

  it('reads a stream that should be new after a conflict', async () => {
    const log = createMemoryLog()
    await send(createHandler(log), count(1))
    expect(await refusalCodeOf(sendNew(createHandler(log), beFirst(3), fresh()))).to.equal('taken')
    expect((await sendNew(createHandler(log), count(2), fresh())).after).to.deep.equal([1, 2])
    expect(await counted(log)).to.deep.equal([1, 2])
  })

  it('reads a stream that should be new before it answers that nothing changes', async () => {
    const log = createMemoryLog()
    await send(createHandler(log), count(1))
    const handled = await sendNew(createHandler(log), doNothing, fresh())
    expect(handled.after).to.deep.equal([1])
  })

  it('decides waiting commands in order and appends them together', async () => {
    const log = createMemoryLog()
    const { handler, sent } = handlerOn(log)
    const handled = await Promise.all(Array.from({ length: 40 }, (_, i) => send(handler, count(i))))
    expect(sent.map(({ ids }) => ids.length)).to.deep.equal([1, 32, 7])
    // The log tells only the position of the last event of an append.
    const known = handled.flatMap(({ position }, i) => (position === null ? [] : [[i, Number.parseInt(position, 16)]]))
    expect(known).to.deep.equal([
      [0, 1],
      [32, 33],
      [39, 40],
    ])
    expect(await counted(log)).to.deep.equal(Array.from({ length: 40 }, (_, i) => i))
    handled.forEach(({ before, after, events }, i) => {
      expect([before.length, after.length, events[0]?.revision]).to.deep.equal([i, i + 1, i])
    })
  })

  it('does not affect other commands of a batch if one is refused', async () => {
    const log = createMemoryLog()
    const { handler, sent } = handlerOn(log)
    const results = await Promise.allSettled([
      send(handler, count(1)),
      send(handler, count(2)),
      send(handler, refuse),
      send(handler, count(3)),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await counted(log)).to.deep.equal([1, 2, 3])
    expect(sent.length).to.equal(2)
  })

  it('splits a batch that is too large for one append', async () => {
    const log = createMemoryLog()
    const { handler } = handlerOn(log)
    const note = '\\'.repeat(8 * 1024)
    const handled = await Promise.all(Array.from({ length: 40 }, (_, i) => send(handler, count(i, note))))
    expect(handled.map(({ events }) => events[0]?.revision)).to.deep.equal(Array.from({ length: 40 }, (_, i) => i))
    expect(await counted(log)).to.deep.equal(Array.from({ length: 40 }, (_, i) => i))
  })

  it('refuses only the command that is too large by itself', async () => {
    const log = createMemoryLog()
    const { handler } = handlerOn(log)
    const results = await Promise.allSettled([
      send(handler, count(1)),
      send(handler, count(2)),
      send(handler, count(3, 'x'.repeat(600 * 1024))),
      send(handler, count(4)),
    ])
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await counted(log)).to.deep.equal([1, 2, 4])
  })

  it('dates an event by the clock, or by the last one of its stream where that is later by at most a minute', async () => {
    const log = createMemoryLog()
    const { handler } = handlerOn(log)
    const handled = []
    const clocks = [0, -5_000, 10, -1, 20, -59_980, -59_981, -59_981, 3_600_000, 30]
    for (const offset of clocks) handled.push(await send(handler, count(offset), fresh(BEGINNING_MS + offset)))
    const times = [0, 0, 10, 10, 20, 20, -59_981, -59_981, 3_600_000, 30]
    const due = times.map((offset) => new Date(BEGINNING_MS + offset).toISOString())
    expect((await everything(log)).map(({ meta }) => meta.time)).to.deep.equal(due)
    expect(handled.map(({ events }) => events[0]?.time)).to.deep.equal(due)
    await send(createHandler(log), count(1), fresh(BEGINNING_MS + 30 - 60_000))
    expect((await everything(log)).at(-1)?.meta.time).to.equal(due.at(-1))
  })

  it('dates the events of one append by the clock of each command, and events of one command alike', async () => {
    const log = createMemoryLog()
    const { handler } = handlerOn(log)
    const both = () => [...count(1)([], -1), ...count(2)([], -1)]
    const clocks = [0, 100_000, 50_000, 30_000]
    await Promise.all([0, ...clocks].map((offset) => send(handler, both, fresh(BEGINNING_MS + offset))))
    const due = [0, 0, 100_000, 100_000, 30_000].flatMap((offset) => [offset, offset])
    expect((await everything(log)).map(({ meta }) => Date.parse(meta.time) - BEGINNING_MS)).to.deep.equal(due)
  })

  it('still knows a call that an event dated years ahead follows', async () => {
    const log = createMemoryLog()
    const call = keyed('k1')
    await send(createHandler(log), count(1), call)
    await send(createHandler(log), count(2), keyed('k2', 'call k2', Date.UTC(2030, 0, 1)))
    const again = await send(createHandler(log), count(1), call)
    expect([again.replayed, await counted(log)]).to.deep.equal([true, [1, 2]])
  })
})

describe('a command of a call without its Idempotency-Key', () => {
  it('is not a repeat of the call and has its own event ids', async () => {
    const log = createMemoryLog()
    const { handler } = handlerOn(log)
    const call = keyed('k1')
    await send(handler, count(1), call)
    const beside = await send(handler, count(2), withoutIdempotencyKey(call))
    expect([beside.after, beside.replayed]).to.deep.equal([[1, 2], false])
    expect((await send(handler, count(3), call)).replayed).to.equal(true)
    const ids = (await everything(log)).map(({ id }) => id)
    expect(new Set(ids).size).to.equal(2)
  })
})

describe('the write path on two nodes', () => {
  it('lets exactly one of many concurrent callers be first', async () => {
    for (let round = 0; round < 20; round++) {
      const log = createMemoryLog()
      const nodes = [createHandler(log), createHandler(log), createHandler(log)]
      const calls = Array.from({ length: 30 }, (_, i) => send(nodes[i % 3] ?? createHandler(log), beFirst(i)))
      const outcomes = await Promise.all(
        calls.map((call) =>
          call.then(
            () => 'won',
            () => refusalCodeOf(call),
          ),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'won').length).to.equal(1)
      expect(outcomes.filter((outcome) => outcome === 'taken').length).to.equal(29)
      expect(await counted(log)).to.deep.equal([outcomes.indexOf('won')])
    }
  })

  it('neither loses nor duplicates writes of either node', async () => {
    const log = createMemoryLog()
    const nodes = [createHandler(log), createHandler(log)]
    const handled = await Promise.all(
      Array.from({ length: 100 }, (_, i) => send(nodes[i % 2] ?? createHandler(log), count(i))),
    )
    const events = await everything(log)
    expect(events.map(({ data }) => Number(data.by)).sort((a, b) => a - b)).to.deep.equal([...Array(100).keys()])
    handled.forEach(({ events: [own], after }, i) => {
      expect(events[own?.revision ?? -1]?.data.by).to.equal(i)
      expect(after).to.deep.equal(events.slice(0, (own?.revision ?? -1) + 1).map(({ data }) => data.by))
    })
  })

  it('never takes the other node’s event for its own when both handle one call, one a step ahead', async () => {
    const log = createMemoryLog()
    const [here, there] = [createHandler(log), createHandler(log)]
    const call = keyed('1')
    await send(here, begin, withoutIdempotencyKey(call))
    await send(there, begin, withoutIdempotencyKey(call))
    const handled = await send(here, count(1), call)
    expect((await everything(log)).map(({ type }) => type)).to.deep.equal(['Begun', 'Begun', 'Counted'])
    expect(handled.events.map(({ revision }) => revision)).to.deep.equal([2])
  })

  it('refuses by the present state, not by the cached one', async () => {
    const log = createMemoryLog()
    const [here, there] = [createHandler(log), createHandler(log)]
    await send(here, doNothing)
    await send(there, count(1))
    expect(await refusalCodeOf(send(here, beFirst(2)))).to.equal('taken')
    const { before } = await send(here, doNothing)
    expect(before).to.deep.equal([1])
  })

  it('gives 503 busy after 10 conflicts and writes nothing', async () => {
    const log = createMemoryLog()
    const { handler, sent } = handlerOn(log, async () => ({ kind: 'conflict' }))
    expect(await refusalCodeOf(send(handler, count(1)))).to.equal('busy')
    expect(sent.length).to.equal(10)
    expect(await counted(log)).to.deep.equal([])
    // Earlier commands of the call may be recorded, so the error must not say that nothing was recorded.
    const error = String(await send(handler, count(1)).catch((error: unknown) => error))
    expect(error)
      .to.match(/may be recorded. Send it again/)
      .and.not.match(/[Nn]othing/)
  })

  it('succeeds if the tenth attempt meets no conflict', async () => {
    const log = createMemoryLog()
    const intruder = createHandler(log)
    let intrusions = 0
    const { handler, sent } = handlerOn(log, async (stream, expected, events) => {
      if (intrusions < 9) await send(intruder, count(100 + intrusions++))
      return log.append(stream, expected, events)
    })
    const { before, after } = await send(handler, count(1))
    expect(sent.map(({ expected }) => expected)).to.deep.equal(['none', 0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect([before.length, after.length]).to.deep.equal([9, 10])
    expect(await counted(log)).to.deep.equal([100, 101, 102, 103, 104, 105, 106, 107, 108, 1])
  })
})

const at = (n: number) => ({ game: 'g1', position: n.toString(16).padStart(16, '0') })

describe('the current position and state of a handled command', () => {
  it('is the stream’s last event, whether this call or another recorded it', async () => {
    const log = createMemoryLog()
    const [here, there] = [createHandler(log), createHandler(log)]
    expect((await send(here, doNothing)).current).to.equal(null)
    expect((await send(here, count(1))).current).to.deep.equal({ state: [1], at: at(1) })
    expect((await send(there, count(2))).current).to.deep.equal({ state: [1, 2], at: at(2) })
    const idle = await send(here, doNothing)
    expect([idle.written, idle.current]).to.deep.equal([null, { state: [1, 2], at: at(2) }])
    const afresh = await send(createHandler(log), doNothing)
    expect([afresh.written, afresh.current]).to.deep.equal([null, { state: [1, 2], at: at(2) }])
  })

  it('has matching state and position for each command of one batch', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const first = send(handler, count(0))
    const [a, b, idle, refused] = [
      send(handler, count(1)),
      send(handler, count(2)),
      send(handler, doNothing),
      refusalCodeOf(send(handler, refuse)),
    ]
    expect((await first).current).to.deep.equal({ state: [0], at: at(1) })
    const together = await Promise.all([a, b, idle])
    expect(together.map(({ after }) => after)).to.deep.equal([
      [0, 1],
      [0, 1, 2],
      [0, 1, 2],
    ])
    for (const { current } of together) expect(current).to.deep.equal({ state: [0, 1, 2], at: at(3) })
    expect(await refused).to.equal('never')
    expect((await statesByPosition(log)).get(at(3).position)).to.deep.equal([0, 1, 2])
  })

  it('is that of the original events for a repeated call, even if the stream has more events', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    await send(handler, count(1), keyed('k'))
    await send(handler, count(2))
    for (const node of [handler, createHandler(log)]) {
      expect((await send(node, count(1), keyed('k'))).current).to.deep.equal({ state: [1], at: at(1) })
    }
  })
})

async function statesByPosition(log: Log): Promise<Map<string, number[]>> {
  const states = new Map<string, number[]>()
  const counted: number[] = []
  for (const { position, data } of await log.readStream(STREAM, 0, 100)) {
    counted.push(data.by as number)
    states.set(position, [...counted])
  }
  return states
}
