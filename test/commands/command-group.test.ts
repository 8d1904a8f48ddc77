// Command groups: in which order their events are in the log, and that no group and no stream holds others for
// ever.

import { expect } from 'chai'
import { createHandler } from '../../commands/handle.ts'
import { valueOrThrow } from '../../runtime/all-of.ts'
import { TimeSlices } from '../../runtime/time-slices.ts'
import type { Append, Log } from '../../stores/contract/log.ts'
import { appended, someEvent } from '../contracts/events.ts'
import { withFakeTimers } from '../fake-timers.ts'
import { createMemoryLog } from '../memory/log.ts'
import { refusalCodeOf } from '../refusal-of.ts'
import { gate } from '../until.ts'
import { count, counter, fresh, keyed, refuse } from './counter-aggregate.ts'

type Step = readonly [stream: string, by: number]

function groupsOn(inner: Log, changes: Partial<Log> = {}) {
  const handler = createHandler({ ...inner, ...changes })
  /** Sends a group of counts; resolves when all have ended. */
  const group = (steps: readonly Step[]) => {
    const settled = handler.handleGroup(
      steps.map(([stream, by]) => ({
        aggregate: counter,
        about: { stream, game: 'g1' },
        context: fresh(),
        decision: by < 0 ? refuse : count(by),
      })),
      new TimeSlices(),
    )
    const all = steps.map(async (_, nth) => valueOrThrow((await settled)[nth] as Awaited<typeof settled>[number]))
    return { all, settled: Promise.allSettled(all) }
  }
  return { handler, group }
}

const logged = async (log: Log): Promise<Step[]> =>
  (await log.readAll(null, 10_000)).map(({ stream, data }) => [stream, data.by as number])
const statuses = async ({ settled }: { settled: Promise<PromiseSettledResult<unknown>[]> }) =>
  (await settled).map(({ status }) => status)

/** Reads of the stream `tally-slow` end with `onRead`. */
function slowlyRead(log: Log) {
  const read = gate()
  const readStream: Log['readStream'] = async (stream, from, limit) => {
    if (stream === 'tally-slow') await read.opened
    return log.readStream(stream, from, limit)
  }
  return { readStream, onRead: read.open }
}

describe('a command group', () => {
  it('has its events in the log in the order of the commands, also if streams are read in another order', async () => {
    const log = createMemoryLog()
    const reads = new Map<string, () => void>()
    const readStream: Log['readStream'] = async (stream, from, limit) => {
      await new Promise<void>((resolve) => reads.set(stream, resolve))
      return log.readStream(stream, from, limit)
    }
    const { group } = groupsOn(log, { readStream })
    const steps: Step[] = [
      ['tally-c', 1],
      ['tally-a', 2],
      ['tally-b', 3],
    ]
    const { settled } = group(steps)
    while (reads.size < steps.length) await new Promise((resolve) => setImmediate(resolve))
    for (const stream of ['tally-b', 'tally-a', 'tally-c']) {
      reads.get(stream)?.()
      await new Promise((resolve) => setImmediate(resolve))
      if (stream !== 'tally-c') expect(await logged(log)).to.deep.equal([])
    }
    await settled
    expect(await logged(log)).to.deep.equal(steps)
  })

  it('ends with another group that has the same streams in the opposite order, and is first as a whole', async () => {
    const log = createMemoryLog()
    const { group } = groupsOn(log)
    const forth: Step[] = Array.from({ length: 20 }, (_, n) => [`tally-${n}`, 1])
    const back = forth.map(([stream]): Step => [stream, 2]).reverse()
    const groups = [group(forth), group(back), group(forth)]
    await Promise.all(groups.map(({ settled }) => settled))
    expect(await logged(log)).to.deep.equal([...forth, ...back, ...forth])
  })

  it('is not held by a refused command, whose stream appends nothing', async () => {
    const log = createMemoryLog()
    const { group } = groupsOn(log)
    // No timer fires, so nothing is waited for in vain.
    await withFakeTimers(async ({ running }) => {
      const sent = group([
        ['tally-a', 1],
        ['tally-b', -1],
        ['tally-c', 2],
        ['tally-c', -1],
        ['tally-c', 3],
      ])
      expect(await statuses(sent)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
      expect(await refusalCodeOf(sent.all[1] as Promise<unknown>)).to.equal('never')
      expect(running.size).to.equal(0)
    })
    expect(await logged(log)).to.deep.equal([
      ['tally-a', 1],
      ['tally-c', 2],
      ['tally-c', 3],
    ])
  })

  it('decides only the stream again that another node has changed', async () => {
    const log = createMemoryLog()
    const { group } = groupsOn(log)
    const steps: Step[] = [
      ['tally-a', 1],
      ['tally-b', 2],
      ['tally-c', 3],
    ]
    await group(steps).settled
    await appended(log, 'tally-b', 0, [someEvent({ type: 'Counted', data: { by: 9 }, meta: { game: 'g1' } })])
    const sent = group(steps)
    const handled = await Promise.all(sent.all)
    expect(handled.map(({ before }) => before)).to.deep.equal([[1], [2, 9], [3]])
    expect((await logged(log)).slice(4)).to.deep.equal([
      ['tally-a', 1],
      ['tally-c', 3],
      ['tally-b', 2],
    ])
  })

  it('records all commands of a stream in their order, where one append does not take them', async () => {
    const log = createMemoryLog()
    const { group } = groupsOn(log)
    const many = Array.from({ length: 100 }, (_, n): Step => ['tally-a', n])
    expect(await statuses(group([...many, ['tally-b', 1]]))).to.deep.equal(Array(101).fill('fulfilled'))
    const all = await logged(log)
    expect(all.filter(([stream]) => stream === 'tally-a')).to.deep.equal(many)
    expect(all[32]).to.deep.equal(['tally-b', 1])
  })

  it('appends without a stream that is not read within a second, and lets the next group with its streams go on', async () => {
    const log = createMemoryLog()
    const { readStream, onRead } = slowlyRead(log)
    const { group } = groupsOn(log, { readStream })
    const first = group([
      ['tally-a', 1],
      ['tally-slow', 2],
      ['tally-b', 3],
    ])
    const next = group([['tally-a', 4]])
    await next.settled
    expect(await logged(log)).to.deep.equal([
      ['tally-a', 1],
      ['tally-b', 3],
      ['tally-a', 4],
    ])
    onRead()
    expect(await statuses(first)).to.deep.equal(['fulfilled', 'fulfilled', 'fulfilled'])
    expect((await logged(log)).at(-1)).to.deep.equal(['tally-slow', 2])
  })

  it('sends the appends of many streams in parts, each behind all that come before it', async () => {
    const log = createMemoryLog()
    const { readStream, onRead } = slowlyRead(log)
    const sent: string[][] = []
    const appendAll = (appends: readonly Append[]) => {
      sent.push(appends.map(({ stream }) => stream))
      return appends.map(({ stream, expected, events }) => log.append(stream, expected, events))
    }
    const { group } = groupsOn(log, { readStream, appendAll })
    const streams = Array.from({ length: 400 }, (_, n) => (n === 300 ? 'tally-slow' : `tally-${n}`))
    const { settled } = group(streams.map((stream): Step => [stream, 1]))
    while ((await log.readAll(null, 1_000)).length < 256) await new Promise((resolve) => setImmediate(resolve))
    expect(sent.map(({ length }) => length)).to.deep.equal([128, 128])
    onRead()
    await settled
    expect(sent.flat()).to.deep.equal(streams)
  })

  it('does not wait for an earlier group that shares none of its streams', async () => {
    const log = createMemoryLog()
    const { readStream, onRead } = slowlyRead(log)
    const { group } = groupsOn(log, { readStream })
    const first = group([
      ['tally-a', 1],
      ['tally-slow', 2],
    ])
    await group([['tally-b', 3]]).settled
    expect(await logged(log)).to.deep.equal([['tally-b', 3]])
    onRead()
    await first.settled
    expect((await logged(log)).slice(1)).to.deep.equal([
      ['tally-a', 1],
      ['tally-slow', 2],
    ])
  })

  it('answers its repeated commands of a stream by one read of the stream', async () => {
    const log = createMemoryLog()
    let reads = 0
    const readStream: Log['readStream'] = (stream, from, limit) => {
      if (from === 0) reads++
      return log.readStream(stream, from, limit)
    }
    const { handler } = groupsOn(log, { readStream })
    const sendKeyed = async () => {
      const about = { stream: 'tally-a', game: 'g1' }
      const commands = ['k1', 'k2', 'k3'].map((key, n) => ({
        aggregate: counter,
        about,
        context: keyed(key),
        decision: count(n),
      }))
      return (await handler.handleGroup(commands, new TimeSlices())).map(valueOrThrow)
    }
    const first = await sendKeyed()
    await handler.handle(counter, { stream: 'tally-a', game: 'g1' }, fresh(), count(9))
    reads = 0
    const again = await sendKeyed()
    expect(reads).to.equal(1)
    const shown = (all: typeof first) => all.map(({ before, after, events }) => ({ before, after, events }))
    expect(shown(again)).to.deep.equal(shown(first))
    expect(again.map(({ replayed }) => replayed)).to.deep.equal([true, true, true])
  })

  it('ends at once without a command, and lets the next group go on', async () => {
    const log = createMemoryLog()
    const { group } = groupsOn(log)
    expect(await statuses(group([]))).to.deep.equal([])
    expect(await statuses(group([['tally-a', 1]]))).to.deep.equal(['fulfilled'])
  })
})
