// Logs of version 0.1 are converted at their first start.

import { DatabaseSync } from '@photostructure/sqlite'
import { expect } from 'chai'
import { reportStartWork } from '../../server/open-stores.ts'
import { type LogOptions, openLog } from '../../stores/embedded/log.ts'
import { appended, everything, idsOf, someEvent } from '../contracts/events.ts'
import { newPath } from './folder.ts'
import { SCHEMA_OF_0_1, writeOldLog } from './old-log.ts'

const STREAMS = 97
const EVENTS = 12_000

/** A converted log of `count` events of three games and five boards. */
function oldLog(count: number) {
  const path = newPath('log.sqlite')
  const events = Array.from({ length: count }, (_, n) => someEvent({ meta: { game: `g${n % 3}`, board: `b${n % 5}` } }))
  writeOldLog(path, events, STREAMS)
  return { path, events }
}

describe('a log of version 0.1', () => {
  it('is converted once, with progress, and accepts appends to its streams', async () => {
    const { path, events } = oldLog(EVENTS)
    const progress: unknown[] = []
    const onStartWork: LogOptions['onStartWork'] = (...work) => progress.push(work)
    const log = await openLog(path, { onStartWork })
    expect(progress).to.deep.equal([
      ['conversion of the log', 5_000, EVENTS],
      ['conversion of the log', 10_000, EVENTS],
      ['conversion of the log', EVENTS, EVENTS],
      ['index of the log', EVENTS, EVENTS],
    ])
    expect(idsOf(await everything(log))).to.deep.equal(idsOf(events))
    expect((await log.readStream('s-1', 120, 9)).map(({ revision }) => revision)).to.deep.equal([120, 121, 122, 123])
    expect(idsOf(await log.part({ board: 'b1' }, null, 10_000))).to.deep.equal(
      idsOf(events.filter(({ meta }) => meta.board === 'b1')),
    )
    await appended(log, 's-1', 123, [someEvent()])
    await log.close()
    const again = await openLog(path, { onStartWork })
    expect(progress).to.have.length(4)
    expect(await everything(again)).to.have.length(EVENTS + 1)
    await again.close()
  })

  it('loses nothing if its conversion or indexing is stopped after any batch, and again later', async () => {
    const { path, events } = oldLog(EVENTS)
    const done: number[] = []
    for (let stopped = true; stopped; ) {
      let calls = 0
      const onStartWork: LogOptions['onStartWork'] = (_work, moved) => {
        calls += 1
        done.push(moved)
        throw new Error('stopped')
      }
      stopped = await openLog(path, { onStartWork }).then(
        async (log) => {
          await log.close()
          return false
        },
        (error: Error) => error.message === 'stopped',
      )
      expect(calls).to.equal(stopped ? 1 : 0)
    }
    expect(done).to.deep.equal([5_000, 10_000, EVENTS, EVENTS])
    const log = await openLog(path)
    expect(idsOf(await everything(log))).to.deep.equal(idsOf(events))
    expect(await log.part({ game: 'g2' }, null, 10_000)).to.have.length(EVENTS / 3)
    await log.close()
  })

  it('cannot be opened by version 0.1 after or during its conversion, with an error of one line', async () => {
    for (const onStartWork of [() => {}, () => expect.fail('stopped')]) {
      const { path } = oldLog(6_000)
      await openLog(path, { onStartWork })
        .then((log) => log.close())
        .catch(() => {})
      const db = new DatabaseSync(path)
      expect(() => db.exec(SCHEMA_OF_0_1)).to.throw(/^[^\n]*no such column: game[^\n]*$/)
      db.close()
    }
  })
})

describe('work that delays a start', () => {
  it('is reported at its beginning, every 5 s and at its end, but not if one batch completes it', () => {
    const lines: string[] = []
    let nowMs = 0
    const report = reportStartWork(
      (line) => lines.push(line),
      () => nowMs,
    )
    report('conversion of the log', 10, 10)
    for (let done = 1; done <= 10; done += 1) {
      report('index of the log', done, 10)
      nowMs += 1_500
    }
    expect(lines).to.deep.equal([
      'index of the log: 10 %, 1 of 10 events',
      'index of the log: 50 %, 5 of 10 events',
      'index of the log: 90 %, 9 of 10 events',
      'index of the log: 100 %, 10 of 10 events',
    ])
  })
})
