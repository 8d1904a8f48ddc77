// The write path if the log does not answer, and if calls are repeated.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { Refusal } from '../../domain/decider.ts'
import { StoreUnavailable } from '../../stores/contract/faults.ts'
import { AppendDenied, type Log, NotSent } from '../../stores/contract/log.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { BEGINNING_MS, count, doNothing, handlerOn, keyed, refuse, STREAM, send } from './counter-aggregate.ts'

const everything = (log: Log) => log.readStream(STREAM, 0, 10_000)
const counted = async (log: Log) =>
  (await everything(log)).filter(({ type }) => type === 'Counted').map(({ data }) => data.by)
const LATER_MS = BEGINNING_MS + 5_000

describe('an append whose outcome is unknown', () => {
  it('is retried with the same ids at the same revision, and recorded once', async () => {
    const log = createMemoryLog()
    let failures = 0
    const { handler, sent } = handlerOn(log, async (stream, expected, events) => {
      const result = await log.append(stream, expected, events)
      if (failures++ < 3) throw new Error('the answer was lost')
      return result
    })
    const { after, written } = await send(handler, count(1))
    expect([after, written?.position]).to.deep.equal([[1], '0000000000000001'])
    expect(sent.length).to.equal(4)
    for (const again of sent) expect(again).to.deep.equal(sent[0])
    expect(await counted(log)).to.deep.equal([1])
  })

  it('gives 503 log_unavailable after three seconds of retries, and the next command reads the outcome', async () => {
    const log = createMemoryLog()
    let answers = false
    const { handler, sent } = handlerOn(log, async (stream, expected, events) => {
      const result = await log.append(stream, expected, events)
      if (!answers) throw new Error('the answer was lost')
      return result
    })
    const startedMs = performance.now()
    expect(await refusalCodeOf(send(handler, count(1)))).to.equal('log_unavailable')
    expect(performance.now() - startedMs).to.be.at.least(2_900)
    expect(sent.length).to.equal(16)
    answers = true
    const { before, after } = await send(handler, count(2))
    expect([before, after]).to.deep.equal([[1], [1, 2]])
    expect(await counted(log)).to.deep.equal([1, 2])
  })

  it('is answered as recorded when the call is repeated', async () => {
    const log = createMemoryLog()
    let elapsedMs = 0
    const append: Log['append'] = async (stream, expected, events) => {
      await log.append(stream, expected, events)
      elapsedMs += 6_001
      throw new Error('the answer was lost')
    }
    const handler = createHandler({ ...log, append }, { elapsedMs: () => elapsedMs })
    expect(await refusalCodeOf(send(handler, count(1), keyed('k')))).to.equal('log_unavailable')
    const again = await send(createHandler(log), count(1), keyed('k', 'call k', LATER_MS))
    expect([again.replayed, again.after]).to.deep.equal([true, [1]])
    expect(await counted(log)).to.deep.equal([1])
  })

  it('refuses a command that has waited 6 s without starting it', async () => {
    const log = createMemoryLog()
    let elapsedMs = 0
    let late: Promise<unknown> = Promise.resolve()
    let appends = 0
    const slow = async (...append: Parameters<Log['append']>) => {
      if (appends++ === 0) late = send(handler, count(2))
      elapsedMs += 6_001
      return log.append(...append)
    }
    const handler = createHandler({ ...log, append: slow }, { elapsedMs: () => elapsedMs })
    await send(handler, count(1))
    const failure = await late.catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Refusal)
    expect(failure).to.include({ code: 'log_unavailable' })
    expect(String(failure)).to.contain('may be recorded')
    await send(handler, count(3))
    expect(await counted(log)).to.deep.equal([1, 3])
  })

  it('is sent at most once more after the time limit', async () => {
    let elapsedMs = 0
    let tries = 0
    const append = async () => {
      tries++
      elapsedMs += 5_000
      throw new Error('no answer')
    }
    const handler = createHandler({ ...createMemoryLog(), append }, { elapsedMs: () => elapsedMs })
    expect(await refusalCodeOf(send(handler, count(1)))).to.equal('log_unavailable')
    expect(tries).to.equal(2)
  })

  it('is not retried if nothing was sent', async () => {
    const { handler, sent } = handlerOn(createMemoryLog(), async () => {
      throw new NotSent('no event')
    })
    const failure = await send(handler, count(1)).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(NotSent)
    expect(sent.length).to.equal(1)
  })
})

describe('an append that the log denies', () => {
  it('gives 503 log_unavailable after one attempt and says that nothing was recorded', async () => {
    const { handler, sent } = handlerOn(createMemoryLog(), async () => {
      throw new AppendDenied('no right to append')
    })
    const failure = await send(handler, count(1)).catch((error: unknown) => error)
    expect(failure).to.be.instanceOf(Refusal)
    expect(failure).to.include({ code: 'log_unavailable' })
    expect(String(failure)).to.contain('Nothing was recorded')
    expect(sent.length).to.equal(1)
  })

  it('names the full store as the cause for the operator', async () => {
    const full = new StoreUnavailable('log.sqlite cannot grow: its disk is full')
    const { handler } = handlerOn(createMemoryLog(), async () => {
      throw new AppendDenied(full.message, full)
    })
    expect(await send(handler, count(1)).catch((error: unknown) => error)).to.include({ cause: full })
  })

  it('leaves the outcome unknown if an earlier attempt was not answered', async () => {
    let tries = 0
    let elapsedMs = 0
    const append = async () => {
      tries += 1
      elapsedMs += 5_000
      throw tries === 1 ? new Error('no answer') : new AppendDenied('no right to append')
    }
    const handler = createHandler({ ...createMemoryLog(), append }, { elapsedMs: () => elapsedMs })
    expect(String(await send(handler, count(1)).catch((error: unknown) => error))).to.contain('could not confirm')
  })
})

describe('a repeated call', () => {
  it('gets the first answer, even from the middle of a stream and on another node', async () => {
    const log = createMemoryLog()
    const node = createHandler(log)
    await send(node, count(1))
    const first = await send(node, count(2), keyed('k'))
    await send(node, count(3))
    for (const handler of [node, createHandler(log)]) {
      const again = await send(handler, count(2), keyed('k', 'call k', LATER_MS))
      const { before, after, events, written, position, current } = first
      expect(again).to.deep.equal({ before, after, events, written, position, replayed: true, current })
    }
    expect(await counted(log)).to.deep.equal([1, 2, 3])
  })

  it('is recorded once if all repeats arrive at the same time', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const all = await Promise.all(Array.from({ length: 40 }, () => send(handler, count(7), keyed('k'))))
    expect(await counted(log)).to.deep.equal([7])
    expect(all.filter(({ replayed }) => !replayed).length).to.equal(1)
    for (const { after } of all) expect(after).to.deep.equal([7])
  })

  it('is recorded once if two nodes handle it concurrently, and both answer what was recorded', async () => {
    const log = createMemoryLog()
    const other = createHandler(log)
    let intruded = false
    const { handler } = handlerOn(log, async (stream, expected, events) => {
      if (!intruded) {
        intruded = true
        await send(other, count(1), keyed('k', 'call k', BEGINNING_MS))
      }
      return log.append(stream, expected, events)
    })
    const late = await send(handler, count(1), keyed('k', 'call k', LATER_MS))
    const [recorded, ...more] = await everything(log)
    expect(more).to.deep.equal([])
    expect(late.events.map(({ time }) => time)).to.deep.equal([recorded?.meta.time])
    expect(late.replayed).to.equal(true)
    await send(handler, count(2), keyed('later', 'call', BEGINNING_MS))
    expect((await everything(log)).map(({ meta }) => meta.time)).to.deep.equal([
      new Date(BEGINNING_MS).toISOString(),
      new Date(BEGINNING_MS).toISOString(),
    ])
  })

  it('gives 422 idempotency_key_reused for another call: at once, later, and on another node', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const [first, other] = await Promise.allSettled([
      send(handler, count(1), keyed('k', 'one call')),
      send(handler, count(2), keyed('k', 'another call')),
    ])
    expect([first?.status, other?.status]).to.deep.equal(['fulfilled', 'rejected'])
    for (const node of [handler, createHandler(log)]) {
      expect(await refusalCodeOf(send(node, count(2), keyed('k', 'another call')))).to.equal('idempotency_key_reused')
    }
    expect(await counted(log)).to.deep.equal([1])
  })

  it('is decided again if the first call was refused', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    expect(await refusalCodeOf(send(handler, refuse, keyed('k')))).to.equal('never')
    expect((await send(handler, count(1), keyed('k'))).replayed).to.equal(false)
    expect(await counted(log)).to.deep.equal([1])
  })

  it('changes nothing if the first call changed nothing, even after other changes', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const first = await send(handler, doNothing, keyed('n'))
    expect([first.events, first.replayed, first.written?.game]).to.deep.equal([[], false, 'g1'])
    await send(handler, count(1), keyed('k'))
    for (const node of [handler, createHandler(log)]) {
      const again = await send(node, count(2), keyed('n'))
      expect([again.events, again.before, again.after, again.replayed]).to.deep.equal([
        [],
        first.before,
        first.after,
        true,
      ])
    }
    expect((await send(handler, doNothing)).written).to.equal(null)
    expect(await counted(log)).to.deep.equal([1])
  })

  it('is not recognised without an Idempotency-Key', async () => {
    const log = createMemoryLog()
    const handler = createHandler(log)
    const context = { ...keyed('k'), call: null }
    await send(handler, count(1), context)
    await send(handler, count(1), { ...context, nowMs: LATER_MS })
    expect(await counted(log)).to.deep.equal([1, 1])
  })
})
