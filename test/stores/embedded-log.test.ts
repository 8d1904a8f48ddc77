// The embedded log passes the contract and persists in its file.

import { copyFileSync } from 'node:fs'
import { expect } from 'chai'
import { openLog } from '../../stores/embedded/log.ts'
import { appended, everything, idsOf, someEvent, someEvents } from '../contracts/events.ts'
import { historyChecks, withOwnHistory } from '../contracts/history.suite.ts'
import { logChecks } from '../contracts/log.suite.ts'
import { testContract } from '../contracts/test-contract.ts'
import { gate } from '../until.ts'
import { newPath } from './folder.ts'

testContract('the embedded log', logChecks, () => openLog(newPath('log.sqlite')))

testContract('the history of the embedded log', historyChecks, async () =>
  withOwnHistory(await openLog(newPath('log.sqlite'))),
)

describe('the embedded log, when opened again,', () => {
  it('has the same events, and continues their positions', async () => {
    const path = newPath('log.sqlite')
    const first = await openLog(path)
    const sent = someEvents(3)
    const result = await first.append('s-1', 'none', sent)
    const before = await everything(first)
    await first.close()
    const second = await openLog(path)
    expect(await everything(second)).to.deep.equal(before)
    expect(await second.head()).to.equal(before.at(-1)?.position)
    expect(await second.append('s-1', 'none', sent)).to.deep.equal(result)
    const { position } = await appended(second, 's-1', 2, [someEvent()])
    expect(position > (before.at(-1)?.position ?? '')).to.equal(true)
    expect((await everything(second)).map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3])
    await second.close()
  })

  it('delivers the history from the file to a subscriber, then new events', async () => {
    const path = newPath('log.sqlite')
    const first = await openLog(path)
    await appended(first, 's-1', 'none', someEvents(50))
    await first.close()
    const second = await openLog(path)
    const stop = new AbortController()
    const ids: string[] = []
    for await (const batch of second.subscribe(null, 20, stop.signal)) {
      ids.push(...idsOf(batch))
      if (ids.length === 50) await appended(second, 's-1', 49, someEvents(1))
      if (ids.length === 51) stop.abort()
    }
    expect(ids).to.deep.equal(idsOf(await everything(second)))
    await second.close()
  })
})

describe('the embedded log', () => {
  it('lets other work run between parts of many events that are new at once', async () => {
    const log = await openLog(newPath('log.sqlite'))
    const stop = new AbortController()
    let turns = 0
    const countTurns = () => {
      turns++
      if (!stop.signal.aborted) setImmediate(countTurns)
    }
    const seen: { readonly turn: number; readonly events: number }[] = []
    const following = (async () => {
      for await (const batch of log.subscribe(null, 1_000, stop.signal)) {
        seen.push({ turn: turns, events: batch.length })
        if (seen.reduce((sum, { events }) => sum + events, 0) === 300) stop.abort()
      }
    })()
    countTurns()
    await appended(log, 's-1', 'none', someEvents(300))
    await following
    expect(seen.map(({ events }) => events)).to.deep.equal([64, 64, 64, 64, 44])
    expect(new Set(seen.map(({ turn }) => turn)).size).to.equal(seen.length)
    await log.close()
  })

  it('delivers history that is no longer in memory to a subscriber that fell far behind', async () => {
    const log = await openLog(newPath('log.sqlite'))
    await appended(log, 's-1', 'none', [someEvent()])
    const stop = new AbortController()
    const ids: string[] = []
    for await (const batch of log.subscribe(null, 1_000, stop.signal)) {
      if (ids.length === 0) {
        await Promise.all(Array.from({ length: 10 }, (_, n) => appended(log, `s-${n}-`, 'none', someEvents(600))))
      }
      ids.push(...idsOf(batch))
      if (ids.length === 6_001) stop.abort()
    }
    expect(ids).to.deep.equal(idsOf(await everything(log)))
    await log.close()
  })

  it('takes and refuses the right appends after a read that ended at, before or behind the end of the stream', async () => {
    const path = newPath('log.sqlite')
    const first = await openLog(path)
    await appended(first, 's-1', 'none', someEvents(4))
    await first.close()
    for (const [from, limit] of [
      [0, 3],
      [0, 4],
      [0, 5],
      [2, 9],
      [3, 1],
      [4, 9],
      [7, 9],
    ] as const) {
      // Of a log that was just opened, nothing is in memory.
      const copy = newPath('log.sqlite')
      copyFileSync(path, copy)
      const log = await openLog(copy)
      const read = await log.readStream('s-1', from, limit)
      expect(read.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3].slice(from, from + limit))
      const expected = ['none', 0, 1, 2, 4, 5, 6] as const
      const others = await Promise.all(expected.map((one) => log.append('s-1', one, [someEvent()])))
      expect(others.map(({ kind }) => kind)).to.deep.equal(expected.map(() => 'conflict'))
      expect((await log.append('s-1', 3, [someEvent()])).kind, `${from}, ${limit}`).to.equal('appended')
      await log.close()
    }
  })

  it('acknowledges two concurrent copies of one append with the same result', async () => {
    const log = await openLog(newPath('log.sqlite'))
    const events = someEvents(2)
    const results = await Promise.all([log.append('s-1', 'none', events), log.append('s-1', 'none', events)])
    expect(results[0]).to.deep.equal(results[1])
    expect(idsOf(await everything(log))).to.deep.equal(idsOf(events))
    await log.close()
  })

  it('shows no event before it is durable', async () => {
    const { opened: syncing, open: release } = gate()
    const log = await openLog(newPath('log.sqlite'), { sync: () => syncing })
    const appending = log.append('s-1', 'none', someEvents(2))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    expect(await log.head()).to.equal(null)
    expect(await log.readStream('s-1', 0, 9)).to.deep.equal([])
    expect(await log.readAll(null, 9)).to.deep.equal([])
    expect(await log.part({ game: 'g1' }, null, 9)).to.deep.equal([])
    expect(await log.eventAt('0000000000000001')).to.equal(null)
    release()
    await appending
    expect(await log.readAll(null, 9)).to.have.length(2)
    await log.close()
  })

  it('fails every append and subscription after a failed sync, and reports the failure', async () => {
    const failures: Error[] = []
    const log = await openLog(newPath('log.sqlite'), {
      sync: () => Promise.reject(new Error('EIO')),
      onFailure: (error) => failures.push(error),
    })
    const following = (async () => {
      for await (const batch of log.subscribe(null, 9, new AbortController().signal)) expect(batch).to.equal('nothing')
    })()
    const outcomes = await Promise.allSettled([
      log.append('s-1', 'none', someEvents(1)),
      log.append('s-2', 'none', someEvents(1)),
      following,
    ])
    const later = await Promise.allSettled([log.append('s-3', 'none', someEvents(1))])
    expect([...outcomes, ...later].map(({ status }) => status)).to.deep.equal(Array(4).fill('rejected'))
    expect(failures).to.have.length(1)
    expect(await log.head()).to.equal(null)
    await log.close()
  })

  it('ends a subscription with an error when it is closed', async () => {
    const log = await openLog(newPath('log.sqlite'))
    const next = log.subscribe(null, 9, new AbortController().signal)[Symbol.asyncIterator]().next()
    await log.close()
    expect(await next.catch((error: unknown) => error)).to.be.an.instanceOf(Error)
  })

  it('does not accept a position of another kind of log', async () => {
    const log = await openLog(newPath('log.sqlite'))
    await appended(log, 's-1', 'none', someEvents(1))
    for (const position of ['', 'C:1/P:1', '0000000000000002', '00000000000000000001']) {
      expect(await log.eventAt(position)).to.equal(null)
    }
    expect(await log.readAll('C:1/P:1', 1).catch((error: unknown) => error)).to.be.an.instanceOf(TypeError)
    await log.close()
  })
})
